"""GitHub Copilot CLI, and the cloud agent, which runs the same hooks.

preToolUse(bash)  ->  PreToolUse(Bash)  ->  {"permissionDecision": …, "hookSpecificOutput": {…}}

The spelling of the event in its settings picks the dialect: ``preToolUse`` sends camelCase and no
event name, and hears flat answers only; ``PreToolUse`` sends snake_case, Claude's tool names, and
hears nested answers for that event alone. Saying both at once is understood in either.
https://docs.github.com/en/copilot/reference/hooks-reference
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from snaphook.canon import (
    ErrorOccurred,
    Event,
    HostEvent,
    Notification,
    Output,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stance,
    Stop,
    SubagentStart,
    SubagentStop,
    ToolEvent,
    UserPromptSubmit,
    Verdict,
)

from .express import Said, clip, express, their_tool
from .host import Call, Can, Reply
from .json_reply import block, nested, permission, replacement, reply
from .payload import Payload
from .placement import Placement, Shape, Wired
from .reading import EVENT_NAMES, read
from .tools import Tool, ToolNames

NAME = "copilot-cli"
TITLE = "Copilot CLI"
SILENCE = Reply()

_FILE = {"path": "file_path"}
_WRITE = {"path": "file_path", "file_text": "content"}
_EDIT = {"path": "file_path", "old_str": "old_string", "new_str": "new_string"}
TOOLS = ToolNames(
    {
        "bash": Tool("Bash"),
        "powershell": Tool("Bash"),
        "view": Tool("Read", _FILE),
        "create": Tool("Write", _WRITE),
        "edit": Tool("Edit", _EDIT),
        "str_replace_editor": Tool("Edit", _EDIT),
        "apply_patch": Tool("Edit", {"input": "patch"}, patch=True),
        "grep": Tool("Grep"),
        "rg": Tool("Grep"),
        "glob": Tool("Glob"),
        "web_fetch": Tool("WebFetch"),
        "web_search": Tool("WebSearch"),
        "ask_user": Tool("AskUserQuestion"),
        "update_todo": Tool("TodoWrite"),
        "task": Tool("Agent", {"agent_type": "subagent_type"}),
        # The PascalCase dialect says our names, with Copilot's arguments.
        "Read": Tool("Read", _FILE),
        "Write": Tool("Write", _WRITE),
        "Edit": Tool("Edit", _EDIT),
        "Task": Tool("Agent", {"agent_type": "subagent_type"}),
    }
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
_CAMEL = {
    "sessionStart": Can(SessionStart, context=True),
    "userPromptSubmitted": Can(UserPromptSubmit, (_DENY,), context=True),
    "preToolUse": Can(
        PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), context=True, crash=Stance.CLOSED
    ),
    "permissionRequest": Can(PermissionRequest, (_ALLOW, _DENY), crash=Stance.CLOSED),
    "postToolUse": Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    "postToolUseFailure": Can(PostToolUseFailure, context=True),
    "agentStop": Can(Stop, (_BLOCK,)),
    "subagentStart": Can(SubagentStart, context=True),
    "subagentStop": Can(SubagentStop, (_BLOCK,)),
    "preCompact": Can(PreCompact),
    "errorOccurred": Can(ErrorOccurred),
    "notification": Can(Notification, context=True),
    "sessionEnd": Can(SessionEnd),
}
CAN: Mapping[str, Can] = _CAMEL | {row.event.__name__: row for row in _CAMEL.values()}
PLACEMENT = Placement(
    user=".copilot/hooks/snaphook.json",
    project=".github/hooks/snaphook.json",
    home="COPILOT_HOME",
    shape=Shape.FLAT,
    timeout_key="timeoutSec",
    root={"version": 1},
    # The PascalCase names, which VS Code understands too: it reads the same folders.
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse"),
        Wired("PostToolUse"),
        Wired("PostToolUseFailure"),
        Wired("Stop", timeout=600),
        Wired("SubagentStart"),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("ErrorOccurred"),
        Wired("SessionEnd", timeout=10),
    ),
    program="copilot",
    signs=(".copilot",),
)
CONTEXT_LIMIT = 10_000
"""It cuts what all hooks add to one result at 10 KB."""


def decode(wire: bytes, call: Call) -> Event:
    """Return what Copilot tells, in either of its spellings."""
    payload = Payload.read(wire, NAME)
    if payload.whole.get("source") == "new":
        payload.fields["source"] = "startup"
    return read(payload, call, can=CAN, tools=TOOLS, root="COPILOT_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Copilot should hear: flat always, nested beside it where that is read."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    said = express(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    args = said.args
    if isinstance(event, ToolEvent) and args is not None:
        args = TOOLS.theirs(their_tool(event), args)
    body: dict[str, Any] = {}
    match event:
        case PreToolUse():
            body = _permission(said, args)
        case PermissionRequest() if said.verdict is not None:
            body = {"behavior": said.verdict.value, "message": said.reason}
        case PostToolUse():
            body = _replaced(said) or block(said)
        case UserPromptSubmit():
            body = block(said)
        case Stop() | SubagentStop():
            body = block(said)
            body |= nested(event.event_name, body)
    if said.context:
        body["additionalContext"] = clip(said.context, CONTEXT_LIMIT)
    return Reply(stdout=reply(body).stdout, stderr=said.note.encode())


def _permission(said: Said, args: dict[str, Any] | None) -> dict[str, Any]:
    inner = permission(said, args)
    flat = {key: value for key, value in inner.items() if key != "updatedInput"}
    if "updatedInput" in inner:
        flat["modifiedArgs"] = inner["updatedInput"]
    return flat | nested("PreToolUse", inner)


def _replaced(said: Said) -> dict[str, Any]:
    if said.result is UNSET:
        return {}
    return {"modifiedResult": {"resultType": "success", "textResultForLlm": replacement(said)}}
