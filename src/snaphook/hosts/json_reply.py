"""Replies that are one JSON document, and the shape most hosts took over from Claude Code.

Said  ->  {"hookSpecificOutput": {…}}  ->  Reply

stdout holds exactly one document or nothing: a stray line before it means "allowed" on most hosts.
"""

from typing import Any

from msgspec.json import encode as to_json

from snaphook.canon import (
    Event,
    HostEvent,
    PermissionRequest,
    PostToolUse,
    PreToolUse,
    Stop,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
    Verdict,
)

from .express import Said, their_tool
from .host import Reply
from .tools import ToolNames

PERMISSION = {Verdict.ALLOW: "allow", Verdict.ASK: "ask", Verdict.DENY: "deny"}


def noted(event: Event, said: Said) -> dict[str, Any]:
    """Return what the person should read; nothing on host events, where stdout may mean more."""
    return {} if isinstance(event, HostEvent) or not said.note else {"systemMessage": said.note}


def reply(body: dict[str, Any]) -> Reply:
    """Return *body* as the whole of stdout; nothing to say is nothing printed."""
    return Reply(stdout=to_json(body) + b"\n") if body else Reply()


def refusal(reason: str) -> Reply:
    """Return the block that nearly every command hook understands: exit 2, the reason on stderr."""
    return Reply(stderr=reason.encode() + b"\n", exit_code=2)


def block(said: Said) -> dict[str, Any]:
    """Return the flat block of events that come after the fact, or of prompts."""
    if said.verdict is None or not said.verdict.stops:
        return {}
    return {"decision": "block", "reason": said.reason}


def replacement(said: Said) -> str:
    """Return the text that takes a result's place, with the reason of a block below it."""
    parts = [str(said.result) or "(no output)"]
    if said.verdict is Verdict.BLOCK:
        parts.append(said.reason)
    return "\n\n".join(parts)


def permission(said: Said, args: dict[str, Any] | None) -> dict[str, Any]:
    """Return the inner part of a PreToolUse answer."""
    inner: dict[str, Any] = {}
    if said.verdict in PERMISSION:
        inner["permissionDecision"] = PERMISSION[said.verdict]
        if said.reason:
            inner["permissionDecisionReason"] = said.reason
    if args is not None and said.verdict is not Verdict.DENY:
        inner["updatedInput"] = args
    return inner


def behaviour(said: Said, args: dict[str, Any] | None) -> dict[str, Any]:
    """Return the inner part of a PermissionRequest answer."""
    if said.verdict is Verdict.DENY:
        return {"behavior": "deny", "message": said.reason}
    if said.verdict is Verdict.ALLOW:
        return {"behavior": "allow"} | ({"updatedInput": args} if args is not None else {})
    return {}


def as_claude(event: Event, said: Said, name: str, tools: ToolNames) -> dict[str, Any]:
    """Return the answer in Claude Code's shape, which several hosts took over."""
    body = noted(event, said)
    inner: dict[str, Any] = {}
    args = said.args
    if isinstance(event, ToolEvent) and args is not None:
        args = tools.theirs(their_tool(event), args)
    match event:
        case PreToolUse():
            inner = permission(said, args)
        case PermissionRequest():
            inner = {"decision": decision} if (decision := behaviour(said, args)) else {}
        case PostToolUse() | UserPromptSubmit() | Stop() | SubagentStop():
            body |= block(said)
    return body | nested(name, with_context(inner, said))


def nested(event: str, inner: dict[str, Any]) -> dict[str, Any]:
    """Return *inner* under ``hookSpecificOutput``; nothing if there is nothing inside."""
    return {"hookSpecificOutput": {"hookEventName": event, **inner}} if inner else {}


def with_context(inner: dict[str, Any], said: Said) -> dict[str, Any]:
    """Return *inner* with what the model should know, if anything."""
    return inner | {"additionalContext": said.context} if said.context else inner
