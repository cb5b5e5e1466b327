"""bridges/session: what becomes of a call, whatever the SDK."""

import pytest

from snaphook import canon as c
from snaphook.bridges import Bridge, SdkToolCall, ToolRuling
from snaphook.bridges.plain import plain
from snaphook.bridges.table import PYDANTIC_AI
from snaphook.engine import Engine
from snaphook.hosts.tools import HostTool
from snaphook.testing import Recorder, ScriptedProvider

ALLOW, MODIFY, ASK, DENY, BLOCK = c.Verdict
CALL = SdkToolCall(name="run", args={"line": "ls"}, id="1")
SHELL = {"run": HostTool("Bash", {"line": "command"})}


def session(*providers, **options):
    return Bridge(list(providers), sdk="test", can=PYDANTIC_AI.can, **options).session("s")


async def test_a_rule_written_in_our_words_holds_for_a_tool_with_other_ones():
    seen = ScriptedProvider(
        "on_pre_tool_use", c.PreToolUseOutput(modified_args={"command": "ls -l"})
    )

    ruling = await session(seen, tools=SHELL).before(CALL)

    assert (seen.events[0].tool_name, seen.events[0].tool_args) == ("Bash", {"command": "ls"})
    assert ruling == ToolRuling(verdict=ALLOW, args={"line": "ls -l"})


async def test_what_a_permission_hook_rewrote_is_put_to_every_other_hook():
    sure = ScriptedProvider(
        "on_pre_tool_use",
        c.PreToolUseOutput(decision=ASK, reason="sure?"),
        c.PreToolUseOutput(decision=DENY, reason="not that"),
    )
    grants = ScriptedProvider(
        "on_permission_request",
        c.PermissionRequestOutput(decision=ALLOW, modified_args={"line": "rm"}),
    )

    ruling = await session(sure, grants).before(CALL)

    assert ruling == ToolRuling(verdict=DENY, args={"line": "rm"}, reason="not that")


async def test_a_person_who_cannot_be_reached_has_not_said_yes():
    async def gone(question):
        raise ConnectionError("gone")

    sure = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=ASK, reason="sure?"))

    ruling = await session(sure, ask=gone).before(CALL)

    assert ruling.refused
    assert (
        ruling.reason == "run did not run: the person could not be asked (ConnectionError). sure?"
    )


@pytest.mark.parametrize(
    ("kind", "fields", "verdict"),
    [
        (c.PreToolUse, {"tool_name": "run", "tool_args": {}}, DENY),
        (c.UserPromptSubmit, {"prompt": "hi"}, DENY),
        (c.PostToolUse, {"tool_name": "run", "tool_args": {}}, None),
    ],
)
async def test_a_broken_engine_fails_closed_where_something_can_be_denied(kind, fields, verdict):
    class Broken(Engine):
        async def dispatch(self, event):
            raise RuntimeError("broken")

    said = await Bridge(Broken(), sdk="test", can=PYDANTIC_AI.can).session().fire(kind, **fields)

    assert said.verdict is verdict


async def test_what_is_for_the_model_waits_for_its_next_request_and_is_told_once():
    here = session(
        ScriptedProvider("on_session_start", c.SessionStartOutput(additional_context="one")),
        ScriptedProvider("on_post_tool_use", c.PostToolUseOutput(decision=BLOCK, reason="two")),
    )

    await here.start()
    await here.after(CALL, "result")

    assert (here.waiting(), here.waiting()) == ("one\n\ntwo", "")


async def test_a_child_is_in_its_parents_session_under_its_own_id():
    recorder = Recorder()
    parent = session(recorder)
    child = parent.bridge.session(parent=parent, agent_name="helper", agent_id="a1")

    await child.child_start()
    await child.stop("done")

    assert [
        (event.event_name, event.context.session_id, event.agent_id, event.context.depth)
        for event in recorder.events
    ] == [("SubagentStart", "s", "a1", 1), ("SubagentStop", "s", "a1", 1)]


def test_what_json_cannot_hold_is_told_in_words():
    assert plain({"at": {1}, "of": object}) == {"at": [1], "of": "<class 'object'>"}
