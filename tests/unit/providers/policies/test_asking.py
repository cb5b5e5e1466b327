"""asking: the limit is really kept."""

import pytest

from snaphook.providers.policies import (
    HookAction,
    HookPipeline,
    PolicyConfig,
    PreToolUseContext,
    PreToolUseResult,
)
from snaphook.providers.policies.ask_limit import MemoryTally


def question(tool="AskUserQuestion", session="s1", call_id=None):
    return PreToolUseContext(tool_name=tool, arguments={}, session_id=session, call_id=call_id)


async def actions(pipeline, *calls):
    return [(await pipeline.run_pre_tool_hooks(call)).action.value for call in calls]


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize("tool", ["ask_user", "AskUserQuestion", "ask_followup_question"])
async def test_a_session_asks_so_often_and_no_more(tool):
    pipeline = HookPipeline(PolicyConfig(max_ask_user_per_session=2))

    said = await actions(pipeline, *[question(tool)] * 3, question(tool, session="other"))

    assert said == ["allow", "allow", "block", "allow"]


async def test_the_reason_tells_the_agent_to_go_on():
    pipeline = HookPipeline(PolicyConfig(max_ask_user_per_session=1))
    await pipeline.run_pre_tool_hooks(question())

    answer = await pipeline.run_pre_tool_hooks(question())

    assert answer.reason == (
        "ask_user rate limit exceeded: 1/1 calls used for this session. "
        "The agent should proceed without user input."
    )


async def test_a_limit_of_zero_means_no_question_at_all():
    pipeline = HookPipeline(PolicyConfig(max_ask_user_per_session=0))

    assert await actions(pipeline, question()) == ["block"]


async def test_a_call_asked_about_twice_counts_once():
    pipeline = HookPipeline(PolicyConfig(max_ask_user_per_session=1))
    again = question(call_id="toolu_1")

    assert await actions(pipeline, again, again, question(call_id="toolu_2")) == [
        "allow",
        "allow",
        "block",
    ]


async def test_a_question_that_another_hook_stops_does_not_count():
    pipeline = HookPipeline(PolicyConfig(max_ask_user_per_session=1))
    answers = iter([PreToolUseResult(action=HookAction.BLOCK, reason="not now"), None])
    pipeline.add_pre_tool_hook(lambda call: next(answers))

    assert await actions(pipeline, question(), question()) == ["block", "allow"]


def test_the_sessions_longest_silent_are_forgotten_first():
    tally = MemoryTally(sessions=2)
    for session in ("a", "b", "a", "c"):
        tally.add(session, None)

    assert [tally.used(session) for session in "abc"] == [2, 0, 1]
