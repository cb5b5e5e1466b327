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

from .host import Can, HostCall, Reply
from .json_reply import behaviour, block, nested, noted, replacement, reply, with_context
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import HostDecision, host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "codex"
TITLE = "Codex"
SILENCE = Reply()
_OTHERS = frozenset(
    {
        "create_goal", "get_goal", "multi_agent_v1", "request_user_input", "update_goal",
        "update_plan", "web_search", "write_stdin",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        # Hooks hear it as Bash(command); the table keeps the name for those who see the tool itself.
        "exec_command": HostTool("Bash", {"cmd": "command", "workdir": "cwd"}),
        "view_image": HostTool("Read", {"path": "file_path"}),
        "apply_patch": HostTool("Edit", {"command": "patch"}, patch=True),
        "spawn_agent": HostTool("Agent", {"message": "prompt"}),
    },
    others=_OTHERS,
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
    shape=HooksFormat.NESTED,
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


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Codex tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Codex should hear, with no key it would stumble over."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = noted(event, decision)
    match event:
        case PreToolUse():
            body |= nested(name, with_context(_permission(event, decision), decision))
        case PermissionRequest():
            if permission_body := behaviour(decision, None):
                body |= nested(name, {"decision": permission_body})
        case PostToolUse():
            body |= _replaced(decision) or block(decision)
            body |= nested(name, with_context({}, decision))
        case UserPromptSubmit():
            body |= block(decision) | nested(name, with_context({}, decision))
        case SessionStart() | SubagentStart():
            body |= nested(name, with_context({}, decision))
        case Stop() | SubagentStop():
            body |= block(decision)
        case PreCompact() if decision.verdict is Verdict.BLOCK:
            body |= {"continue": False, "stopReason": decision.reason}
    return reply(body)


def _permission(event: PreToolUse, decision: HostDecision) -> dict[str, Any]:
    """Return a deny, or a rewrite, which counts only beside an allow."""
    if decision.verdict is Verdict.DENY:
        return {"permissionDecision": "deny", "permissionDecisionReason": decision.reason}
    if decision.verdict is Verdict.MODIFY and decision.args is not None:
        args = TOOLS.theirs(their_tool(event), decision.args)
        return {"permissionDecision": "allow", "updatedInput": args}
    return {}


def _replaced(decision: HostDecision) -> dict[str, Any]:
    """Return a block whose reason takes the result's place, the only way to change one here."""
    if decision.result is UNSET:
        return {}
    return {"decision": "block", "reason": replacement(decision)}
