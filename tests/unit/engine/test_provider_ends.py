"""A provider that raises what would end us is a failed provider, and no more."""

import asyncio

import pytest

from snaphook.canon import HookContext, PreToolUse, Verdict, verdict
from snaphook.engine import Engine


def provider(problem, waits):
    class Ending:
        name = "ending"

        async def on_pre_tool_use(self, event, context):
            if waits:
                await asyncio.sleep(0)
            raise problem

    return Ending()


EVENT = PreToolUse(
    context=HookContext(session_id="s"), tool_name="Bash", tool_args={"command": "ls"}
)


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("problem", [asyncio.CancelledError(), SystemExit(0)])
async def test_what_it_raises_becomes_an_answer(problem, waits):
    output = await Engine([provider(problem, waits)]).dispatch(EVENT)

    assert verdict(output) in (None, Verdict.DENY, Verdict.ASK)


async def test_a_task_that_is_cancelled_still_ends():
    class Slow:
        name = "slow"

        async def on_pre_tool_use(self, event, context):
            await asyncio.sleep(30)

    task = asyncio.create_task(Engine([Slow()]).dispatch(EVENT))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
