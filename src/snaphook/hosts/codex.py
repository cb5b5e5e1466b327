"""Codex CLI.

PreToolUse(Bash)  ->  PreToolUse  ->  {"hookSpecificOutput": {"permissionDecision": "deny", …}}

Its answers are strict: one key it does not know, a missing reason, ``ask`` or a bare ``allow`` void
the whole answer, and the tool runs. So every answer is written out key by key here, and nothing is
sent that it would not honour. https://developers.openai.com/codex/hooks
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PermissionRequest,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .express import Said, express, their_tool
from .host import Call, Can, Reply
from .json_reply import behaviour, block, nested, noted, replacement, reply, with_context
from .payload import Payload
from .placement import Placement, Shape, Wired
from .reading import EVENT_NAMES, read
from .tools import Tool, ToolNames

NAME = "codex"
TITLE = "Codex"
SILENCE = Reply()
TOOLS = ToolNames(
    {
        "apply_patch": Tool("Edit", {"command": "patch"}, patch=True),
        "spawn_agent": Tool("Agent", {"message": "prompt"}),
    }
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, (_DENY,), context=True),
    "PreToolUse": Can(PreToolUse, (_MODIFY, _DENY), context=True),
    "PermissionRequest": Can(PermissionRequest, (_ALLOW, _DENY)),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    "Stop": Can(Stop, (_BLOCK,)),
    "SubagentStart": Can(SubagentStart, context=True),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact, (_BLOCK,)),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".codex/hooks.json",
    project=".codex/hooks.json",
    home="CODEX_HOME",
    shape=Shape.NESTED,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse"),
        Wired("PermissionRequest"),
        Wired("PostToolUse"),
        Wired("Stop", timeout=600),
        Wired("SubagentStart"),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("SessionEnd", timeout=3),
    ),
    program="codex",
    signs=(".codex",),
)


def decode(wire: bytes, call: Call) -> Event:
    """Return what Codex tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Codex should hear, with no key it would stumble over."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    said = express(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = noted(event, said)
    match event:
        case PreToolUse():
            body |= nested(name, with_context(_permission(event, said), said))
        case PermissionRequest():
            if decision := behaviour(said, None):
                body |= nested(name, {"decision": decision})
        case PostToolUse():
            body |= _replaced(said) or block(said)
            body |= nested(name, with_context({}, said))
        case UserPromptSubmit():
            body |= block(said) | nested(name, with_context({}, said))
        case SessionStart() | SubagentStart():
            body |= nested(name, with_context({}, said))
        case Stop() | SubagentStop():
            body |= block(said)
        case PreCompact() if said.verdict is Verdict.BLOCK:
            body |= {"continue": False, "stopReason": said.reason}
    return reply(body)


def _permission(event: PreToolUse, said: Said) -> dict[str, Any]:
    """Return a deny, or a rewrite, which counts only beside an allow."""
    if said.verdict is Verdict.DENY:
        return {"permissionDecision": "deny", "permissionDecisionReason": said.reason}
    if said.verdict is Verdict.MODIFY and said.args is not None:
        args = TOOLS.theirs(their_tool(event), said.args)
        return {"permissionDecision": "allow", "updatedInput": args}
    return {}


def _replaced(said: Said) -> dict[str, Any]:
    """Return a block whose reason takes the result's place, the only way to change one here."""
    if said.result is UNSET:
        return {}
    return {"decision": "block", "reason": replacement(said)}
