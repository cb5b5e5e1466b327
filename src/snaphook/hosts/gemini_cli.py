"""Gemini CLI.

BeforeTool(run_shell_command)  ->  PreToolUse(Bash)  ->  {"decision": "deny", "reason": …}

Whatever parses as JSON on stdout beats the exit code. An ``ask`` without a person in front waits
for ever, and nothing in the payload tells whether one is there: so it is taken for unattended
unless SNAPHOOK_ATTENDED says otherwise. https://geminicli.com/docs/hooks
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from snaphook.canon import (
    Event,
    HostEvent,
    Notification,
    Output,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    UserPromptSubmit,
    Verdict,
)

from .express import Said, express, their_tool
from .host import Call, Can, Reply
from .json_reply import nested, noted, replacement, reply, with_context
from .payload import Payload
from .placement import Placement, Shape, Wired
from .reading import EVENT_NAMES, read
from .tools import Tool, ToolNames

NAME = "gemini-cli"
TITLE = "Gemini CLI"
SILENCE = Reply()
TOOLS = ToolNames(
    {
        "run_shell_command": Tool("Bash"),
        "read_file": Tool("Read", {"absolute_path": "file_path"}),
        "write_file": Tool("Write"),
        "replace": Tool("Edit"),
        "edit": Tool("Edit"),
        "glob": Tool("Glob", {"dir_path": "path"}),
        "grep_search": Tool("Grep", {"dir_path": "path"}),
        "search_file_content": Tool("Grep", {"dir_path": "path"}),
        "list_directory": Tool("LS", {"dir_path": "path"}),
        "web_fetch": Tool("WebFetch"),
        "google_web_search": Tool("WebSearch"),
        "invoke_agent": Tool("Agent", {"agent_name": "subagent_type"}),
        "agent": Tool("Agent"),
        "write_todos": Tool("TodoWrite"),
    },
    mcp=("mcp_", "_"),
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "BeforeAgent": Can(UserPromptSubmit, (_DENY,), context=True),
    "BeforeTool": Can(
        PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), unattended=(_ALLOW, _MODIFY, _DENY)
    ),
    "AfterTool": Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    "AfterAgent": Can(Stop, (_BLOCK,)),
    "PreCompress": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".gemini/settings.json",
    project=".gemini/settings.json",
    shape=Shape.NESTED,
    timeout_factor=1000,
    # PreCompress is left out: it fires before every model request, compression or not.
    wired=(
        Wired("SessionStart"),
        Wired("BeforeAgent"),
        Wired("BeforeTool", matcher="*"),
        Wired("AfterTool", matcher="*"),
        Wired("AfterAgent", timeout=600),
        Wired("Notification"),
        Wired("SessionEnd", timeout=10),
    ),
    program="gemini",
    signs=(".gemini/settings.json", ".gemini/tmp"),
)


def decode(wire: bytes, call: Call) -> Event:
    """Return what Gemini CLI tells; a tool that came back with an error has failed."""
    payload = Payload.read(wire, NAME)
    event = read(payload, call, can=CAN, tools=TOOLS, root="GEMINI_PROJECT_DIR")
    if isinstance(event, PostToolUse) and (error := _error(event.tool_result)):
        return PostToolUseFailure(
            context=event.context,
            tool_name=event.tool_name,
            tool_args=event.tool_args,
            error=error,
            extra=event.extra | {"tool_response": event.tool_result},
        )
    if isinstance(event, PreToolUse):
        attended = call.env.get("SNAPHOOK_ATTENDED", "0") not in ("", "0")
        event = replace(event, context=replace(event.context, headless=not attended))
    return event


def encode(event: Event, output: Output) -> Reply:
    """Return what Gemini CLI should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    said = express(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = noted(event, said)
    inner: dict[str, Any] = {}
    match event:
        case PreToolUse():
            body |= _decision(said)
            if said.args is not None and said.verdict is not Verdict.DENY:
                inner = {"tool_input": TOOLS.theirs(their_tool(event), said.args)}
        case PostToolUse() if said.result is not UNSET:
            body |= {"decision": "deny", "reason": replacement(said)}
        case PostToolUse() | UserPromptSubmit() | Stop():
            body |= _decision(said)
    return reply(body | nested(name, with_context(inner, said)))


def _decision(said: Said) -> dict[str, Any]:
    if said.verdict is None or said.verdict is Verdict.MODIFY:
        return {}
    word = "deny" if said.verdict.stops else said.verdict.value
    return {"decision": word} | ({"reason": said.reason} if said.reason else {})


def _error(result: Any) -> str | None:
    error = result.get("error") if isinstance(result, dict) else None
    if isinstance(error, dict):
        error = error.get("message")
    return error if isinstance(error, str) and error else None
