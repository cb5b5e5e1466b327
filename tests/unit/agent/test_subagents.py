"""Subagents are started, watched and taken back under hooks."""

import pytest

from snaphook.canon import (
    SubagentStart,
    SubagentStartOutput,
    SubagentStop,
    SubagentStopOutput,
    Verdict,
)
from snaphook.testing import Call, Recorder, ScriptedModel, ScriptedProvider, Turn, say

from .conftest import EVERYTHING


@pytest.mark.req("SQ-7")
async def test_a_subagents_events_carry_its_own_id_and_its_parents(make):
    recorder = Recorder()
    agent = make(EVERYTHING, recorder)

    await agent.send_message("go")

    spawned = recorder.of(SubagentStart)[0]
    stopped = recorder.of(SubagentStop)[0]
    inside = next(e.context for e in recorder.events if e.context.depth == 1)
    assert (spawned.agent_name, spawned.task) == ("scout", "look around")
    assert spawned.agent_id == stopped.agent_id == inside.session_id == inside.agent_id
    assert spawned.context.session_id == inside.parent_session_id == agent.session_id
    assert (inside.agent_name, inside.agent_type) == ("scout", "scout")
    assert (stopped.tool_call_count, stopped.tokens_used, str(stopped.status)) == (
        1,
        240,
        "completed",
    )
    assert stopped.last_assistant_message == "It says hello."


async def test_a_denied_subagent_never_starts(make):
    deny = SubagentStartOutput(decision=Verdict.DENY, reason="budget is used up")
    recorder = Recorder()
    agent = make(
        [say("", Call("Task", {"prompt": "x"})), say("ok")],
        ScriptedProvider("on_subagent_start", deny),
        recorder,
    )

    await agent.send_message("go")

    assert agent.messages[1].tools[0].result == "budget is used up"
    assert max(event.context.depth for event in recorder.events) == 0


async def test_a_subagent_gets_the_model_and_the_context_its_hooks_choose(make):
    given = SubagentStartOutput(modified_model="cheap", additional_context="You are a scout.")
    model = ScriptedModel(
        [
            say("", Call("Task", {"prompt": "look"})),
            Turn(answer=say("seen"), when="look"),
            say("ok"),
        ]
    )
    agent = make(model, ScriptedProvider("on_subagent_start", given), options={"model": "dear"})

    await agent.send_message("go")

    assert [asked.model for asked in model.asked] == ["dear", "cheap", "dear"]
    assert [line.text for line in model.asked[1].lines] == ["You are a scout.", "look"]


async def test_a_subagents_result_can_be_sent_back(make):
    block = SubagentStopOutput(decision=Verdict.BLOCK, reason="RESULTS.md is missing")
    model = ScriptedModel(
        [
            say("", Call("Task", {"prompt": "look"})),
            Turn(answer=say("half"), when="look"),
            Turn(answer=say("whole"), when="RESULTS.md is missing"),
            say("ok"),
        ]
    )
    agent = make(model, ScriptedProvider("on_subagent_stop", block))

    await agent.send_message("go")

    assert agent.messages[1].tools[0].result == "whole"


async def test_subagents_are_limited_in_depth_and_number(make):
    calls = [Call("Task", {"prompt": "deeper"}) for _ in range(3)]
    model = ScriptedModel(
        [say("", *calls), Turn(answer=say("child"), when="deeper", always=True), say("ok")]
    )
    agent = make(model, options={"max_subagents": 2})

    await agent.send_message("go")

    results = [tool.result for tool in agent.messages[1].tools]
    assert results[:2] == ["child", "child"]
    assert results[2].startswith("Task: this session has started its 2 subagents")

    flat = make([say("", Call("Task", {"prompt": "x"})), say("ok")], options={"max_depth": 0})
    await flat.send_message("go")
    assert "nested deeper than 0" in flat.messages[1].tools[0].result


async def test_a_subagent_that_takes_too_long_is_ended(make):
    hook = ScriptedProvider("on_subagent_stop")
    model = ScriptedModel(
        'turn\n  call Task {"prompt": "sleep"}\nturn when "sleep"\n  wait 30\nturn\n  say ok'
    )
    agent = make(model, hook, options={"subagent_timeout": 0.05})

    await agent.send_message("go")

    assert agent.messages[1].tools[0].result == "The subagent ran out of time (0.05 s)."
    assert str(hook.events[0].status) == "timeout"
