"""Replies that are one JSON document, and the shape most hosts took over from Claude Code.

HostDecision  ->  {"hookSpecificOutput": {…}}  ->  Reply

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

from .host import Reply
from .tighten import HostDecision, their_tool
from .tools import ToolNames

PERMISSION = {Verdict.ALLOW: "allow", Verdict.ASK: "ask", Verdict.DENY: "deny"}


def noted(event: Event, decision: HostDecision) -> dict[str, Any]:
    """Return what the person should read; nothing on host events, where stdout may mean more."""
    return (
        {}
        if isinstance(event, HostEvent) or not decision.note
        else {"systemMessage": decision.note}
    )


def reply(body: dict[str, Any]) -> Reply:
    """Return *body* as the whole of stdout; nothing to say is nothing printed."""
    return Reply(stdout=to_json(body) + b"\n") if body else Reply()


def refusal(reason: str) -> Reply:
    """Return the block that nearly every command hook understands: exit 2, the reason on stderr."""
    return Reply(stderr=reason.encode() + b"\n", exit_code=2)


def block(decision: HostDecision) -> dict[str, Any]:
    """Return the flat block of events that come after the fact, or of prompts."""
    if decision.verdict is None or not decision.verdict.stops:
        return {}
    return {"decision": "block", "reason": decision.reason}


def replacement(decision: HostDecision) -> str:
    """Return the text that takes a result's place, with the reason of a block below it."""
    parts = [str(decision.result) or "(no output)"]
    if decision.verdict is Verdict.BLOCK:
        parts.append(decision.reason)
    return "\n\n".join(parts)


def permission(decision: HostDecision, args: dict[str, Any] | None) -> dict[str, Any]:
    """Return the inner part of a PreToolUse answer."""
    inner: dict[str, Any] = {}
    if decision.verdict in PERMISSION:
        inner["permissionDecision"] = PERMISSION[decision.verdict]
        if decision.reason:
            inner["permissionDecisionReason"] = decision.reason
    elif decision.approved:
        inner["permissionDecision"] = PERMISSION[Verdict.ALLOW]
    if args is not None and decision.verdict is not Verdict.DENY:
        inner["updatedInput"] = args
    return inner


def behaviour(decision: HostDecision, args: dict[str, Any] | None) -> dict[str, Any]:
    """Return the inner part of a PermissionRequest answer."""
    if decision.verdict is Verdict.DENY:
        return {"behavior": "deny", "message": decision.reason}
    if decision.verdict is Verdict.ALLOW:
        return {"behavior": "allow"} | ({"updatedInput": args} if args is not None else {})
    return {}


def as_claude(event: Event, decision: HostDecision, name: str, tools: ToolNames) -> dict[str, Any]:
    """Return the answer in Claude Code's shape, which several hosts took over."""
    body = noted(event, decision)
    inner: dict[str, Any] = {}
    args = decision.args
    if isinstance(event, ToolEvent) and args is not None:
        args = tools.theirs(their_tool(event), args)
    match event:
        case PreToolUse():
            inner = permission(decision, args)
        case PermissionRequest():
            inner = (
                {"decision": permission_body}
                if (permission_body := behaviour(decision, args))
                else {}
            )
        case PostToolUse() | UserPromptSubmit() | Stop() | SubagentStop():
            body |= block(decision)
    return body | nested(name, with_context(inner, decision))


def nested(event: str, inner: dict[str, Any]) -> dict[str, Any]:
    """Return *inner* under ``hookSpecificOutput``; nothing if there is nothing inside."""
    return {"hookSpecificOutput": {"hookEventName": event, **inner}} if inner else {}


def with_context(inner: dict[str, Any], decision: HostDecision) -> dict[str, Any]:
    """Return *inner* with what the model should know, if anything."""
    return inner | {"additionalContext": decision.context} if decision.context else inner
