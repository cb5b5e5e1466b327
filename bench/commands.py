"""Command hooks: what matching, running and interpreting cost."""

import asyncio
import subprocess
from collections.abc import Callable
from statistics import median
from time import perf_counter

from bench.table import per_call, row, section
from snaphook.canon import HookContext, PreToolUse, UserPromptSubmit
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.process import CapturedStream, Completed, run, run_async
from snaphook.providers.commands import CommandHooks
from snaphook.providers.commands.interpret import interpret
from snaphook.providers.commands.payload import payload
from snaphook.providers.commands.plan import HookPlan
from snaphook.providers.commands.prepare import SHELL

HERE = HookContext(session_id="bench", team_root="/", cwd="/")
CALL = PreToolUse(context=HERE, tool_name="Bash", tool_args={"command": "git status"})
PROMPT = UserPromptSubmit(context=HERE, prompt="hello")
DENY = (
    b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    b'"permissionDecisionReason": "no"}}'
)
TEN_KILOBYTES = "head -c 10240 /dev/zero | tr '\\0' x"
CALLS, ROUNDS = 60, 7


def _hook(command: str = "true", event: str = "PreToolUse", **fields: str) -> CommandHook:
    return CommandHook(
        event=event,
        command=command,
        dialect=Dialect.CLAUDE,
        origin=Origin(layer=Layer.CODE),
        **fields,
    )


def _in_turn(*works: Callable[[], object]) -> list[list[float]]:
    """Return the seconds per call of each of *works*, measured in turn, one list per round."""
    return [[_seconds(work) for work in works] for _ in range(ROUNDS)]


def _seconds(work: Callable[[], object]) -> float:
    started = perf_counter()
    work()
    return (perf_counter() - started) / CALLS


def _running() -> None:
    told = payload(CALL, Dialect.CLAUDE)
    argv = (SHELL, "-c", "true")
    provider = CommandHooks([_hook(), _hook(TEN_KILOBYTES, "UserPromptSubmit")])

    def bare(argv: tuple[str, ...] = argv) -> None:
        for _ in range(CALLS):
            subprocess.run(argv, input=told, capture_output=True, check=False)

    def blocking() -> None:
        for _ in range(CALLS):
            run(argv, stdin=told)

    async def awaited() -> None:
        for _ in range(CALLS):
            await run_async(argv, stdin=told)

    async def answered(event: PreToolUse | UserPromptSubmit) -> None:
        for _ in range(CALLS):
            await provider.answer(event, HERE)

    rounds = _in_turn(
        bare,
        blocking,
        lambda: asyncio.run(awaited()),
        lambda: asyncio.run(answered(CALL)),
        lambda: bare((SHELL, "-c", TEN_KILOBYTES)),
        lambda: asyncio.run(answered(PROMPT)),
    )
    row("a bare subprocess.run", median(one[0] for one in rounds) * 1e3, "ms")
    row("… process.run against it", median(one[1] / one[0] for one in rounds), "×", 1.5)
    row("… process.run_async against it", median(one[2] / one[0] for one in rounds), "×", 1.5)
    row("… a whole command hook against it", median(one[3] / one[0] for one in rounds), "×", 1.5)
    acted = median(one[3] - one[0] for one in rounds)
    injected = median(one[5] - one[4] for one in rounds)
    row("an exit code acted on, beyond the bare command", acted * 1e3, "ms", 100)
    row("10 KB of context injected, beyond the bare command", injected * 1e3, "ms", 200)
    stubborn = run("trap '' TERM; sleep 60", timeout=0.2)
    row("a hook that refuses to end, beyond its timeout", stubborn.duration - 0.2, "s", 1)


def _deciding() -> None:
    (planned,) = HookPlan([_hook()]).hooks_for(CALL)
    by_code = Completed(exit_code=2, stderr=CapturedStream(b"no"))
    by_json = Completed(exit_code=0, stdout=CapturedStream(DENY))
    coded = per_call(lambda: interpret(planned, CALL, by_code), calls=5_000)
    read = per_call(lambda: interpret(planned, CALL, by_json), calls=5_000)
    row("interpreting an exit code", coded * 1e6, "µs", 100)
    row("interpreting a JSON document", read * 1e6, "µs", 100)

    patterns = ("Edit|Write", "mcp__.*", "^Read$", "Grep", "Web.*")
    plan = HookPlan([_hook(matcher=patterns[i % 5]) for i in range(999)] + [_hook(matcher="Bash")])
    lookup = per_call(lambda: plan.hooks_for(CALL), calls=20_000)
    row("finding the hooks of a call among 1,000", lookup * 1e6, "µs", 20)


def main() -> None:
    section("command hooks")
    _running()
    _deciding()
