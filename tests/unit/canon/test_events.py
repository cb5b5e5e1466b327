"""canon: events and outputs as the contract names them."""

import json
from pathlib import Path

import msgspec
import pytest

from snaphook.canon import (
    EVENTS,
    AnyEvent,
    AnyOutput,
    HookContext,
    HostEvent,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
    Verdict,
)
from snaphook.canon.schema import schemas

SCHEMAS = Path(__file__).parents[3] / "schemas"

FIELDS = {
    "PreToolUse": {"tool_name", "tool_args"},
    "PostToolUse": {"tool_name", "tool_args", "tool_result", "duration_ms"},
    "SessionStart": {"model", "charter_content"},
    "UserPromptSubmit": {"prompt"},
    "SessionEnd": {"tokens_used", "tool_call_count", "files_modified", "duration_ms"},
    "ErrorOccurred": {"error", "error_type", "current_model"},
    "PreCompact": {"current_token_count", "max_tokens", "compaction_strategy"},
    "SubagentStart": {"agent_name", "model", "task_type", "charter_path"},
    "SubagentStop": {
        "agent_name",
        "model",
        "duration_ms",
        "tokens_used",
        "tool_call_count",
        "status",
        "files_modified",
    },
}

SAID = {
    "PreToolUse": {"decision", "reason", "modified_args", "additional_context"},
    "PostToolUse": {"modified_result", "additional_context", "suppress_output"},
    "SessionStart": {"additional_context", "modified_config"},
    "UserPromptSubmit": {"modified_prompt", "additional_context", "captured_directives"},
    "ErrorOccurred": {"retry", "fallback_model", "modified_prompt", "backoff_ms"},
    "PreCompact": {"preserve_context", "export_state"},
    "SubagentStart": {"decision", "reason", "modified_model", "additional_context"},
}


@pytest.mark.req("SQ-2")
@pytest.mark.parametrize(("name", "fields"), FIELDS.items())
def test_an_event_has_every_field_of_the_contract(name, fields):
    event = next(spec.event for spec in EVENTS if spec.name == name)

    assert fields <= set(event.__struct_fields__)


@pytest.mark.req("SQ-2")
@pytest.mark.parametrize(("name", "fields"), SAID.items())
def test_an_output_has_every_field_of_the_contract(name, fields):
    output = next(spec.output for spec in EVENTS if spec.name == name)

    assert fields <= set(output.__struct_fields__)


@pytest.mark.req("SQ-2")
def test_a_context_knows_session_agent_team_and_time():
    first_four = HookContext.__struct_fields__[:4]

    assert first_four == ("session_id", "agent_name", "team_root", "timestamp")


def test_an_event_survives_json():
    event = PreToolUse(
        context=HookContext(session_id="s", cwd="/p"),
        tool_name="Bash",
        tool_args={"command": "ls"},
        extra={"unheard_of": [1]},
    )

    assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event


def test_an_event_only_one_host_has_is_carried_whole():
    event = HostEvent(context=HookContext(session_id="s"), kind="PostCompact", payload={"a": 1})

    assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event
    assert event.event_name == "PostCompact"


def test_an_output_survives_json_and_says_nothing_of_what_was_left_alone():
    output = PreToolUseOutput(decision=Verdict.DENY, reason="no")
    wire = msgspec.json.encode(output)

    assert json.loads(wire) == {"event": "PreToolUse", "decision": "deny", "reason": "no"}
    assert msgspec.json.decode(wire, type=AnyOutput) == output


def test_a_result_replaced_by_null_is_not_a_result_left_alone():
    assert "modified_result" in json.loads(
        msgspec.json.encode(PostToolUseOutput(modified_result=None))
    )
    assert "modified_result" not in json.loads(msgspec.json.encode(PostToolUseOutput()))


@pytest.mark.parametrize("name", schemas())
def test_the_committed_schema_is_the_one_the_types_make(name):
    committed = json.loads((SCHEMAS / name).read_text())

    assert committed == json.loads(json.dumps(schemas()[name])), "run 'make generate'"
