"""What hooks read on stdin: every field that the dialects document."""

import json

import pytest

from snaphook.canon import (
    HookContext,
    HostEvent,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionSource,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
)
from snaphook.config import Dialect
from snaphook.providers.commands.payload import payload

WAVE, CLAUDE, SNAPHOOK = Dialect.WAVE, Dialect.CLAUDE, Dialect.SNAPHOOK
HERE = HookContext(session_id="s", transcript_path="/t.jsonl", cwd="/proj", team_root="/proj")
BASE = {"session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/proj"}
ASIDE = {"agent_name": "main", "project_dir": "/proj"}
CALL = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"}


def call(kind, **more):
    return kind(
        context=HERE, tool_name="Bash", tool_args={"command": "ls"}, tool_use_id="t1", **more
    )


@pytest.mark.parametrize(
    ("dialect", "event", "fields"),
    [
        pytest.param(WAVE, call(PreToolUse), CALL, id="wave PreToolUse"),
        pytest.param(
            WAVE,
            call(PostToolUse, tool_result={"success": True}),
            CALL | {"tool_response": {"success": True}},
            id="wave PostToolUse",
        ),
        pytest.param(
            WAVE,
            UserPromptSubmit(context=HERE, prompt="hi"),
            {"user_prompt": "hi"},
            id="wave says user_prompt",
        ),
        pytest.param(
            WAVE,
            SessionEnd(context=HERE, reason="exit"),
            {"end_source": "exit"},
            id="wave SessionEnd",
        ),
        pytest.param(
            WAVE,
            SessionStart(context=HERE, source=SessionSource.COMPACT),
            {"source": "compact"},
            id="wave SessionStart",
        ),
        pytest.param(
            WAVE,
            Stop(
                context=HERE,
                stop_hook_active=True,
                last_assistant_message="done",
                background_tasks=[{"id": "1"}],
            ),
            {
                "stop_hook_active": True,
                "last_assistant_message": "done",
                "background_tasks": [{"id": "1"}],
                "session_crons": [],
            },
            id="W6: wave Stop says that a hook sent it back",
        ),
        pytest.param(
            WAVE,
            SubagentStop(context=HERE, agent_name="scout", last_assistant_message="r"),
            {
                "stop_hook_active": False,
                "last_assistant_message": "r",
                "agent_type": "scout",
                "subagent_type": "scout",
            },
            id="wave SubagentStop",
        ),
        pytest.param(
            WAVE,
            PreCompact(context=HERE, trigger="manual", custom_instructions="keep"),
            {"trigger": "manual", "compact_instructions": "keep"},
            id="W5: compact_instructions",
        ),
        pytest.param(
            WAVE,
            HostEvent(context=HERE, kind="PostCompact", payload={"compact_summary": "sum"}),
            {"compact_summary": "sum"},
            id="W5: compact_summary",
        ),
        pytest.param(
            WAVE,
            HostEvent(context=HERE, kind="CwdChanged", payload={"old_cwd": "/a", "new_cwd": "/b"}),
            {"old_cwd": "/a", "new_cwd": "/b"},
            id="W5: old_cwd and new_cwd",
        ),
        pytest.param(
            WAVE,
            HostEvent(context=HERE, kind="WorktreeRemove", payload={"worktree_path": "/w"}),
            {"worktree_path": "/w"},
            id="wave WorktreeRemove",
        ),
        pytest.param(
            WAVE,
            Stop(context=HERE, extra={"plan_file_path": "/plan.md"}),
            {
                "plan_file_path": "/plan.md",
                "stop_hook_active": False,
                "background_tasks": [],
                "session_crons": [],
            },
            id="what a host sent beyond our fields goes along",
        ),
        pytest.param(
            CLAUDE, UserPromptSubmit(context=HERE, prompt="hi"), {"prompt": "hi"}, id="prompt"
        ),
        pytest.param(
            CLAUDE, SessionEnd(context=HERE, reason="clear"), {"reason": "clear"}, id="SessionEnd"
        ),
        pytest.param(
            CLAUDE,
            call(PostToolUseFailure, error="boom", duration_ms=3),
            CALL | {"error": "boom", "is_interrupt": False, "duration_ms": 3},
            id="PostToolUseFailure",
        ),
        pytest.param(
            CLAUDE,
            call(PermissionRequest, suggestions=[{"type": "addRules"}]),
            CALL | {"permission_suggestions": [{"type": "addRules"}]},
            id="PermissionRequest",
        ),
        pytest.param(
            CLAUDE,
            PreCompact(context=HERE),
            {"trigger": "auto", "custom_instructions": None},
            id="PreCompact",
        ),
        pytest.param(
            SNAPHOOK,
            UserPromptSubmit(context=HERE, prompt="hi"),
            ASIDE | {"prompt": "hi", "user_prompt": "hi"},
            id="our own says both",
        ),
    ],
)
def test_a_hook_reads(dialect, event, fields):
    read = json.loads(payload(event, dialect))

    assert read == BASE | {"hook_event_name": event.event_name} | fields


def test_wave_indents_and_the_others_write_one_line():
    event = UserPromptSubmit(context=HERE, prompt="a\nb")

    assert payload(event, WAVE).startswith(b'{\n  "session_id": "s",\n')
    assert payload(event, CLAUDE).count(b"\n") == 1


def test_ours_wins_over_an_extra_of_the_same_name():
    event = UserPromptSubmit(context=HERE, prompt="real", extra={"prompt": "fake"})

    assert json.loads(payload(event, CLAUDE))["prompt"] == "real"


@pytest.mark.parametrize("odd", ["\ud800", {1, 2}, b"bytes", float("inf")])
def test_what_no_json_can_hold_does_not_keep_the_hook_from_running(odd):
    event = call(PostToolUse, tool_result={"odd": odd})

    assert json.loads(payload(event, CLAUDE))["hook_event_name"] == "PostToolUse"


def test_a_transcript_that_nobody_named_is_an_empty_path():
    event = UserPromptSubmit(context=HookContext(session_id="s"), prompt="p")

    assert json.loads(payload(event, CLAUDE))["transcript_path"] == ""
