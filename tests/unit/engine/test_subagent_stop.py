"""SubagentStop: all providers at once, and a block still counts."""

import asyncio
from time import time

import pytest

from snaphook.canon import HookContext, HooksProvider, SubagentStop, SubagentStopOutput, Verdict
from snaphook.engine import Engine


class Waits(HooksProvider):
    """Ends only when everybody has begun."""

    def __init__(self, together: asyncio.Barrier, verdict: Verdict | None = None) -> None:
        self._together = together
        self._verdict = verdict

    async def on_subagent_stop(self, event, context):
        async with asyncio.timeout(5):
            await self._together.wait()
        return SubagentStopOutput(decision=self._verdict, reason="no") if self._verdict else None


@pytest.mark.req("SQ-8")
async def test_providers_hear_a_subagent_stop_side_by_side():
    together = asyncio.Barrier(3)
    members = [Waits(together), Waits(together, Verdict.BLOCK), Waits(together)]
    event = SubagentStop(context=HookContext(session_id="s"), agent_name="a")

    output = await Engine(members).dispatch(event)

    assert isinstance(output, SubagentStopOutput)
    assert output.decision is Verdict.BLOCK


def test_a_context_without_a_time_has_the_current_one():
    before = time()

    assert before <= HookContext(session_id="s").timestamp <= time()
