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

from .host import Can, HostCall, Reply
from .json_reply import block, nested, permission, replacement, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import HostDecision, clip, host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "copilot-cli"
TITLE = "Copilot CLI"
SILENCE = Reply()

_FILE = {"path": "file_path"}
_WRITE = {"path": "file_path", "file_text": "content"}
_EDIT = {"path": "file_path", "old_str": "old_string", "new_str": "new_string"}
_OTHERS = frozenset(
    {
        "fetch_copilot_cli_documentation", "list_agents", "list_bash", "read_agent", "read_bash",
        "report_intent", "session_store_sql", "sql", "stop_bash", "write_agent", "write_bash",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "bash": HostTool("Bash"),
        "powershell": HostTool("Bash"),
        "view": HostTool("Read", _FILE),
        "create": HostTool("Write", _WRITE),
        "edit": HostTool("Edit", _EDIT),
        "str_replace_editor": HostTool("Edit", _EDIT),
        "apply_patch": HostTool("Edit", {"input": "patch"}, patch=True),
        "grep": HostTool("Grep"),
        "rg": HostTool("Grep"),
        "glob": HostTool("Glob"),
        "web_fetch": HostTool("WebFetch"),
        "web_search": HostTool("WebSearch"),
        "ask_user": HostTool("AskUserQuestion"),
        "update_todo": HostTool("TodoWrite"),
        "task": HostTool("Agent", {"agent_type": "subagent_type"}),
        # The PascalCase dialect says our names, with Copilot's arguments.
        "Read": HostTool("Read", _FILE),
        "Write": HostTool("Write", _WRITE),
        "Edit": HostTool("Edit", _EDIT),
        "Task": HostTool("Agent", {"agent_type": "subagent_type"}),
        "skill": HostTool("Skill"),
    },
    others=_OTHERS,
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
    shape=HooksFormat.FLAT,
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


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Copilot tells, in either of its spellings."""
    payload = Payload.read(wire, NAME)
    if payload.whole.get("source") == "new":
        payload.fields["source"] = "startup"
    return read(payload, call, can=CAN, tools=TOOLS, root="COPILOT_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Copilot should hear: flat always, nested beside it where that is read."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    args = decision.args
    if isinstance(event, ToolEvent) and args is not None:
        args = TOOLS.theirs(their_tool(event), args)
    body: dict[str, Any] = {}
    match event:
        case PreToolUse():
            body = _permission(decision, args)
        case PermissionRequest() if decision.verdict is not None:
            body = {"behavior": decision.verdict.value, "message": decision.reason}
        case PostToolUse():
            body = _replaced(decision) or block(decision)
        case UserPromptSubmit():
            body = block(decision)
        case Stop() | SubagentStop():
            body = block(decision)
            body |= nested(event.event_name, body)
    if decision.context:
        body["additionalContext"] = clip(decision.context, CONTEXT_LIMIT)
    return Reply(stdout=reply(body).stdout, stderr=decision.note.encode())


def _permission(decision: HostDecision, args: dict[str, Any] | None) -> dict[str, Any]:
    inner = permission(decision, args)
    flat = {key: value for key, value in inner.items() if key != "updatedInput"}
    if "updatedInput" in inner:
        flat["modifiedArgs"] = inner["updatedInput"]
    return flat | nested("PreToolUse", inner)


def _replaced(decision: HostDecision) -> dict[str, Any]:
    if decision.result is UNSET:
        return {}
    return {"modifiedResult": {"resultType": "success", "textResultForLlm": replacement(decision)}}
