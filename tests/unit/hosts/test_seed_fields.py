"""Fields that the seed documents name, read from any host's message."""

import json

import pytest

from snaphook.canon import SessionEnd, Stop, SubagentStart, SubagentStop
from snaphook.hosts import HostCall, host_named


def decoded(event, **fields):
    wire = {"session_id": "s", "cwd": "/p", "hook_event_name": event, **fields}
    return host_named("claude-code").decode(
        json.dumps(wire).encode(), HostCall(event=event, now=1.0)
    )


@pytest.mark.req("BB-SZ-1")
def test_the_result_of_a_subagent_is_its_output():
    stopped = decoded("SubagentStop", agent_type="researcher", result="subagent output text")

    assert isinstance(stopped, SubagentStop)
    assert stopped.agent_name == "researcher"
    assert stopped.last_assistant_message == "subagent output text"


@pytest.mark.req("BB-ST-6")
def test_the_length_of_a_session_is_read():
    stopped = decoded("Stop", duration_seconds=3600)

    assert isinstance(stopped, Stop)
    assert stopped.duration_seconds == 3600


@pytest.mark.req("SQ-1")
def test_what_a_subagent_and_a_session_used_is_read():
    stopped = decoded("SubagentStop", agent_type="r", tokens_used=12, tool_call_count=3)
    ended = decoded("SessionEnd", tokens_used=34, tool_call_count=5, files_modified=["a.py"])

    assert isinstance(stopped, SubagentStop)
    assert (stopped.tokens_used, stopped.tool_call_count) == (12, 3)
    assert isinstance(ended, SessionEnd)
    assert (ended.tokens_used, ended.tool_call_count, ended.files_modified) == (34, 5, ["a.py"])


@pytest.mark.req("SQ-1")
def test_the_charter_of_a_subagent_is_read():
    started = decoded("SubagentStart", agent_type="r", charterPath=".squad/agents/r/charter.md")

    assert isinstance(started, SubagentStart)
    assert started.charter_path == ".squad/agents/r/charter.md"
