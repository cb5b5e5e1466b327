"""The engine against bare awaits: what combining costs."""

import asyncio
from collections.abc import Awaitable, Callable
from statistics import median
from time import perf_counter

from bench.table import row, section
from snaphook.canon import HookContext, HooksProvider, PreToolUse
from snaphook.engine import Engine

CALL = PreToolUse(
    context=HookContext(session_id="bench"), tool_name="Bash", tool_args={"command": "ls"}
)


class Silent(HooksProvider):
    async def on_pre_tool_use(self, event: PreToolUse, context: HookContext) -> None:
        return None


async def _per_call(run: Callable[[], Awaitable[object]], calls: int = 20_000) -> float:
    started = perf_counter()
    for _ in range(calls):
        await run()
    return (perf_counter() - started) / calls


async def _measure() -> tuple[float, float]:
    providers = [Silent() for _ in range(5)]
    engine = Engine(providers)

    async def bare() -> None:
        for provider in providers:
            await provider.on_pre_tool_use(CALL, CALL.context)

    async def dispatch() -> None:
        await engine.dispatch(CALL)

    pairs = [(await _per_call(dispatch), await _per_call(bare)) for _ in range(7)]
    return median(pair[0] for pair in pairs), median(pair[0] / pair[1] for pair in pairs)


def main() -> None:
    section("engine")
    seconds, ratio = asyncio.run(_measure())
    row("dispatch, five silent providers", seconds * 1e6, "µs", 20)
    row("… against five bare awaits", ratio, "×", 5)
