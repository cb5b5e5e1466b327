"""Command hooks: what matching, running and interpreting cost."""

import asyncio
import subprocess
from statistics import median
from time import perf_counter

from bench.table import per_call, row, section
from snaphook.canon import HookContext, PreToolUse
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.process import Completed, Stream, run, run_async
from snaphook.providers.commands import CommandHooks
from snaphook.providers.commands.interpret import interpret
from snaphook.providers.commands.payload import payload
from snaphook.providers.commands.plan import Plan
from snaphook.providers.commands.prepare import SHELL

CALL = PreToolUse(
    context=HookContext(session_id="bench", team_root="/", cwd="/"),
    tool_name="Bash",
    tool_args={"command": "git status"},
)
DENY = (
    b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    b'"permissionDecisionReason": "no"}}'
)


def _hook(dialect: Dialect = Dialect.CLAUDE, **fields: str) -> CommandHook:
    return CommandHook(
        event="PreToolUse",
        command="true",
        dialect=dialect,
        origin=Origin(layer=Layer.CODE),
        **fields,
    )


def _running(rounds: int = 7, calls: int = 60) -> dict[str, float]:
    """Return, per round and in turn, seconds per call of the bare command and of ours."""
    told = payload(CALL, Dialect.CLAUDE)
    argv = (SHELL, "-c", "true")
    provider = CommandHooks([_hook()])

    def bare() -> None:
        subprocess.run(argv, input=told, capture_output=True, check=False)

    async def asynchronous() -> None:
        for _ in range(calls):
            await run_async(argv, stdin=told)

    async def hooks() -> None:
        for _ in range(calls):
            await provider.answer(CALL, CALL.context)

    def seconds(work: object, *, loop: bool = False) -> float:
        started = perf_counter()
        if loop:
            asyncio.run(work())  # type: ignore[operator]
        else:
            for _ in range(calls):
                work()  # type: ignore[operator]
        return (perf_counter() - started) / calls

    samples = [
        (
            seconds(bare),
            seconds(lambda: run(argv, stdin=told)),
            seconds(asynchronous, loop=True),
            seconds(hooks, loop=True),
        )
        for _ in range(rounds)
    ]
    names = ("run", "run_async", "hook")
    ratios = {
        name: median(sample[i + 1] / sample[0] for sample in samples)
        for i, name in enumerate(names)
    }
    return {"bare": median(sample[0] for sample in samples), **ratios}


def main() -> None:
    section("command hooks")
    ran = _running()
    row("a bare subprocess.run", ran["bare"] * 1e3, "ms")
    row("… process.run against it", ran["run"], "×", 1.5)
    row("… process.run_async against it", ran["run_async"], "×", 1.5)
    row("… a whole command hook against it", ran["hook"], "×", 1.5)

    (planned,) = Plan([_hook()]).hooks_for(CALL)
    by_code = Completed(exit_code=2, stderr=Stream(b"no"))
    by_json = Completed(exit_code=0, stdout=Stream(DENY))
    coded = per_call(lambda: interpret(planned, CALL, by_code), calls=5_000)
    read = per_call(lambda: interpret(planned, CALL, by_json), calls=5_000)
    row("interpreting an exit code", coded * 1e6, "µs", 100)
    row("interpreting a JSON document", read * 1e6, "µs", 100)

    patterns = ("Edit|Write", "mcp__.*", "^Read$", "Grep", "Web.*")
    plan = Plan([_hook(matcher=patterns[i % 5]) for i in range(999)] + [_hook(matcher="Bash")])
    lookup = per_call(lambda: plan.hooks_for(CALL), calls=20_000)
    row("finding the hooks of a call among 1,000", lookup * 1e6, "µs", 20)
