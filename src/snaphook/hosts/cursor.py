"""Cursor.

beforeShellExecution  ->  PreToolUse(Bash)  ->  {"permission": …, "agent_message": …}

A shell command fires preToolUse *and* beforeShellExecution. Only the second can ask, so that is the
one used for commands; preToolUse is for the other tools. With ``failClosed`` an empty
answer blocks, so "no opinion" is ``{}``. https://cursor.com/docs/agent/hooks
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    SessionStartOutput,
    Stance,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import HostDecision, clip, host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "cursor"
TITLE = "Cursor"
SILENCE = Reply(stdout=b"{}\n")
TOOLS = ToolNames(
    {
        "Shell": HostTool("Bash"),
        "List": HostTool("LS"),
        "Fetch": HostTool("WebFetch"),
        "Task": HostTool("Agent"),
    }
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
_SHUT = Stance.CLOSED
CAN: Mapping[str, Can] = {
    "sessionStart": Can(SessionStart, context=True),
    "beforeSubmitPrompt": Can(UserPromptSubmit, (_DENY,), context=True),
    "beforeShellExecution": Can(
        PreToolUse, (_ALLOW, _ASK, _DENY), (_ALLOW, _DENY), crash=_SHUT, timeout=_SHUT
    ),
    "beforeMCPExecution": Can(
        PreToolUse, (_ALLOW, _ASK, _DENY), (_ALLOW, _DENY), crash=_SHUT, timeout=_SHUT
    ),
    "preToolUse": Can(
        PreToolUse, (_ALLOW, _MODIFY, _DENY), context=True, crash=_SHUT, timeout=_SHUT
    ),
    "beforeReadFile": Can(PreToolUse, (_ALLOW, _DENY), crash=_SHUT, timeout=_SHUT),
    "beforeTabFileRead": Can(PreToolUse, (_ALLOW, _DENY), crash=_SHUT, timeout=_SHUT),
    "postToolUse": Can(PostToolUse, context=True),
    "postToolUseFailure": Can(PostToolUseFailure, context=True),
    "stop": Can(Stop, (_BLOCK,)),
    "subagentStart": Can(SubagentStart, (_ALLOW, _DENY), crash=_SHUT, timeout=_SHUT),
    "subagentStop": Can(SubagentStop, (_BLOCK,)),
    "preCompact": Can(PreCompact),
    "sessionEnd": Can(SessionEnd),
}
_CLOSED = {"failClosed": True}
PLACEMENT = Placement(
    user=".cursor/hooks.json",
    project=".cursor/hooks.json",
    shape=HooksFormat.FLAT,
    typed=False,
    root={"version": 1},
    wired=(
        Wired("sessionStart"),
        Wired("beforeSubmitPrompt"),
        Wired("beforeShellExecution", extra=_CLOSED),
        Wired("beforeMCPExecution", extra=_CLOSED),
        Wired("preToolUse", matcher="^(?!Shell$|MCP:)", extra=_CLOSED),
        Wired("postToolUse"),
        Wired("postToolUseFailure"),
        Wired("stop", timeout=600),
        Wired("subagentStart", extra=_CLOSED),
        Wired("subagentStop", timeout=600),
        Wired("preCompact"),
        Wired("sessionEnd", timeout=10),
    ),
    program="cursor",
    signs=(".cursor",),
)
CONTEXT_LIMIT = 10_000
"""Longer context is dropped, and with ``failClosed`` the call is refused."""


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Cursor tells; its three special questions are tool calls like any other."""
    payload = Payload.read(wire, NAME)
    kind = str(payload.whole.get(EVENT_NAMES[0], call.event))
    match kind:
        case "beforeShellExecution":
            _as_tool(payload, "Shell", {"command": payload.needed_text("command")})
        case "beforeMCPExecution":
            server = payload.text("mcp_server_name", default="unknown")
            payload.fields["tool_name"] = f"mcp__{server}__{payload.needed_text('tool_name')}"
        case "beforeReadFile" | "beforeTabFileRead":
            _as_tool(payload, "Read", {"file_path": payload.needed_text("file_path")})
    event = read(payload, call, can=CAN, tools=TOOLS, root="CURSOR_PROJECT_DIR")
    if isinstance(event, Stop):
        return _continued(event)
    return event


def encode(event: Event, output: Output) -> Reply:
    """Return what Cursor should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = {}
    match event:
        case PreToolUse():
            body = _permission(decision)
            if decision.args is not None and decision.verdict is not Verdict.DENY:
                body["updated_input"] = TOOLS.theirs(their_tool(event), decision.args)
        case SubagentStart():
            body = _permission(decision)
        case UserPromptSubmit() if decision.verdict is Verdict.DENY:
            body = {"continue": False, "user_message": decision.reason}
        case Stop() | SubagentStop() if decision.verdict is Verdict.BLOCK:
            body = {"followup_message": decision.reason}
        case SessionStart() if isinstance(output, SessionStartOutput) and output.environment:
            body = {"env": output.environment}
    if decision.context:
        body["additional_context"] = clip(decision.context, CONTEXT_LIMIT)
    if decision.note and "user_message" not in body and not isinstance(event, HostEvent):
        body["user_message"] = decision.note
    return reply(body) if body else SILENCE


def _as_tool(payload: Payload, tool: str, args: dict[str, Any]) -> None:
    payload.fields["tool_name"] = tool
    payload.fields["tool_input"] = args


def _permission(decision: HostDecision) -> dict[str, Any]:
    if decision.verdict is None or decision.verdict is Verdict.MODIFY:
        return {}
    body: dict[str, Any] = {"permission": decision.verdict.value}
    if decision.reason:
        body |= {"user_message": decision.reason, "agent_message": decision.reason}
    return body


def _continued(event: Stop) -> Stop:
    """Return *event* knowing whether it follows a follow-up of ours, which Cursor counts."""
    looped = event.extra.get("loop_count")
    active = isinstance(looped, int) and looped > 0
    return Stop(
        context=event.context,
        stop_hook_active=active,
        last_assistant_message=event.last_assistant_message,
        extra=event.extra,
    )
