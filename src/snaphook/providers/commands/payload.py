"""What a hook reads on stdin.

Event + dialect  ->  JSON

Pure. One table says which field of an event each dialect sends, and under which name. What a host
sent beyond our fields goes along, so a hook sees what it would have seen without us.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct

from snaphook import canon
from snaphook.config import Dialect

_EVERY = frozenset(Dialect)
_WAVE = frozenset({Dialect.WAVE, Dialect.SNAPHOOK})
_CLAUDE = frozenset({Dialect.CLAUDE, Dialect.SNAPHOOK})
_SNAPHOOK = frozenset({Dialect.SNAPHOOK})


class Field(Struct, frozen=True):
    """One key of the JSON: its name, where its value comes from, and who sends it."""

    name: str
    source: str
    dialects: frozenset[Dialect] = _EVERY
    needed: bool = True
    """Sent also when there is no value."""


def _maybe(name: str, source: str, dialects: frozenset[Dialect] = _EVERY) -> Field:
    return Field(name, source, dialects, needed=False)


_TOOL = (
    Field("tool_name", "tool_name"),
    Field("tool_input", "tool_args"),
    _maybe("tool_use_id", "tool_use_id"),
)

BASE: tuple[Field, ...] = (
    Field("session_id", "context.session_id"),
    Field("transcript_path", "context.transcript_path"),
    Field("cwd", "context.cwd"),
    Field("hook_event_name", "event_name"),
    _maybe("permission_mode", "context.permission_mode"),
    _maybe("agent_id", "context.agent_id"),
    _maybe("agent_type", "context.agent_type"),
    _maybe("host", "context.host", _SNAPHOOK),
    _maybe("agent_name", "context.agent_name", _SNAPHOOK),
    _maybe("project_dir", "context.team_root", _SNAPHOOK),
)

FIELDS: Mapping[type[canon.Event], tuple[Field, ...]] = {
    canon.SessionStart: (Field("source", "source"), _maybe("model", "model")),
    canon.UserPromptSubmit: (
        Field("user_prompt", "prompt", _WAVE),
        Field("prompt", "prompt", _CLAUDE),
    ),
    canon.PreToolUse: _TOOL,
    canon.PermissionRequest: (*_TOOL, _maybe("permission_suggestions", "suggestions")),
    canon.PostToolUse: (
        *_TOOL,
        Field("tool_response", "tool_result"),
        _maybe("duration_ms", "duration_ms"),
    ),
    canon.PostToolUseFailure: (
        *_TOOL,
        Field("error", "error"),
        Field("is_interrupt", "is_interrupt"),
        _maybe("duration_ms", "duration_ms"),
    ),
    canon.Stop: (
        Field("stop_hook_active", "stop_hook_active"),
        _maybe("last_assistant_message", "last_assistant_message"),
        Field("background_tasks", "background_tasks"),
        Field("session_crons", "session_crons"),
    ),
    canon.SubagentStart: (
        _maybe("agent_id", "agent_id"),
        Field("agent_type", "agent_name"),
        Field("subagent_type", "agent_name", _WAVE),
        _maybe("model", "model"),
        _maybe("task", "task", _SNAPHOOK),
    ),
    canon.SubagentStop: (
        Field("stop_hook_active", "stop_hook_active"),
        _maybe("last_assistant_message", "last_assistant_message"),
        _maybe("agent_id", "agent_id"),
        Field("agent_type", "agent_name"),
        Field("subagent_type", "agent_name", _WAVE),
        _maybe("agent_transcript_path", "transcript_path"),
        _maybe("status", "status", _SNAPHOOK),
    ),
    canon.PreCompact: (
        Field("trigger", "trigger"),
        Field("custom_instructions", "custom_instructions", _CLAUDE),
        Field("compact_instructions", "custom_instructions", _WAVE),
    ),
    canon.ErrorOccurred: (
        Field("error", "error"),
        Field("error_type", "error_type"),
        _maybe("error_class", "error_class"),
        _maybe("current_model", "current_model"),
        Field("attempt", "attempt"),
        _maybe("retry_after_ms", "retry_after_ms"),
    ),
    canon.Notification: (
        Field("message", "message"),
        _maybe("title", "title"),
        Field("notification_type", "notification_type"),
    ),
    canon.SessionEnd: (
        Field("reason", "reason", _CLAUDE),
        Field("end_source", "reason", _WAVE),
    ),
    canon.HostEvent: (),  # its payload goes along whole
}


def payload(event: canon.Event, dialect: Dialect) -> bytes:
    """Return the JSON that a hook of *dialect* reads about *event*; ours wins over the host's extras."""
    fields: dict[str, Any] = dict(event.extra)
    if isinstance(event, canon.HostEvent):
        fields |= event.payload
    for one in (*BASE, *FIELDS[type(event)]):
        if dialect in one.dialects:
            value = _read[one.source](event)
            if value not in (None, "", []) or one.needed:
                fields[one.name] = "" if value is None and one.source in _TEXTS else value
    encoded = _encoded(fields)
    return msgspec.json.format(encoded, indent=2) if dialect is Dialect.WAVE else encoded + b"\n"


_TEXTS = ("context.transcript_path", "context.cwd")
_read = {
    one.source: attrgetter(one.source) for fields in (BASE, *FIELDS.values()) for one in fields
}


def _encoded(fields: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(fields, enc_hook=str)
    except UnicodeEncodeError:  # half a surrogate pair: what a model may well write
        import json

        return json.dumps(fields, default=str).encode()
