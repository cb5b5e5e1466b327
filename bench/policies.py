"""The default provider with every policy on, against a bare await (SQ-15)."""

import asyncio
from collections.abc import Awaitable, Callable
from statistics import median
from time import perf_counter
from typing import Any

from bench.table import row, section
from snaphook.canon import HookContext, PostToolUse, PreToolUse
from snaphook.providers.policies import DefaultHooksProvider, define_hooks

CONTEXT = HookContext(session_id="bench", agent_name="ada", team_root="/repo", cwd="/repo")
RESULT = {
    "stdout": "collected 120 items\n" + "tests/test_app.py ....................\n" * 40,
    "stderr": "",
    "exit_code": 0,
}


def _call(tool: str, **arguments: Any) -> PreToolUse:
    return PreToolUse(context=CONTEXT, tool_name=tool, tool_args=arguments)


CALLS = {
    "Read, which no policy minds": _call("Read", file_path="src/app.py"),
    "Write within the allowed paths": _call("Write", file_path="src/app.py", content="x = 1\n"),
    "Bash: ls -la": _call("Bash", command="ls -la"),
    "Bash: a command that must be parsed": _call(
        "Bash", command="cd app && git -C . push origin main 2>&1 | tee src/log.txt"
    ),
}


def _provider() -> DefaultHooksProvider:
    provider = define_hooks(
        allowed_write_paths=["src/**"],
        max_ask_user=3,
        scrub_pii=True,
        scrub_secrets=True,
        reviewer_lockout=True,
    )
    provider.get_reviewer_lockout().lockout("src/auth.py", "ada")
    return provider


async def _bare() -> None:
    return None


async def _per_call(run: Callable[[], Awaitable[object]], calls: int, rounds: int = 5) -> float:
    await run()
    times = []
    for _ in range(rounds):
        started = perf_counter()
        for _ in range(calls):
            await run()
        times.append((perf_counter() - started) / calls)
    return median(times)


async def _measure() -> None:
    provider = _provider()
    bare = await _per_call(_bare, 20_000)
    for name, event in CALLS.items():
        took = await _per_call(lambda e=event: provider.on_pre_tool_use(e, CONTEXT), 500)
        row(name, took * 1e3, "ms", 1)
        row("  against a bare await", took / bare, "x")
    ran = PostToolUse(context=CONTEXT, tool_name="Bash", tool_args={}, tool_result=RESULT)
    took = await _per_call(lambda: provider.on_post_tool_use(ran, CONTEXT), 200)
    row("a result of 1.5 KB, scrubbed", took * 1e3, "ms", 1)


def main() -> None:
    section("The default provider, all policies on (SQ-15: < 1 ms)")
    asyncio.run(_measure())
