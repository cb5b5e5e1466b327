"""VS Code's own agent (session target "Local").

PreToolUse(run_in_terminal)  ->  PreToolUse(Bash)  ->  {"permissionDecision": …}

It ignores matchers: every hook fires for every tool. A Stop is blocked by a nested decision, which
Claude and Copilot want flat; both are sent. Its other session targets run the hooks of Copilot CLI,
Claude Code and Codex. https://code.visualstudio.com/docs/copilot/customization/hooks
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import block, nested, noted, permission, reply, with_context
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "vscode"
TITLE = "VS Code"
SILENCE = Reply()

_FILE = {"filePath": "file_path"}
_EDIT = {"filePath": "file_path", "oldString": "old_string", "newString": "new_string"}
TOOLS = ToolNames(
    {
        "run_in_terminal": HostTool("Bash"),
        "runTerminalCommand": HostTool("Bash"),
        "read_file": HostTool("Read", _FILE),
        "create_file": HostTool("Write", _FILE),
        "replace_string_in_file": HostTool("Edit", _EDIT),
        "multi_replace_string_in_file": HostTool("MultiEdit", _FILE),
        "editFiles": HostTool("Edit", _EDIT),
        "apply_patch": HostTool("Edit", {"input": "patch"}, patch=True),
        "file_search": HostTool("Glob", {"query": "pattern"}),
        "grep_search": HostTool("Grep", {"query": "pattern"}),
        "list_dir": HostTool("LS"),
        "fetch_webpage": HostTool("WebFetch"),
        "runSubagent": HostTool("Agent", {"agentName": "subagent_type"}),
        "manage_todo_list": HostTool("TodoWrite"),
    },
    mcp=("mcp_", "_"),
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, (_DENY,)),
    "PreToolUse": Can(PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), context=True),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True),
    "Stop": Can(Stop, (_BLOCK,)),
    "SubagentStart": Can(SubagentStart, context=True),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact),
}
PLACEMENT = Placement(
    user=".copilot/hooks/snaphook.json",
    project=".github/hooks/snaphook.json",
    shape=HooksFormat.FLAT,
    root={"version": 1},
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse"),
        Wired("PostToolUse"),
        Wired("Stop", timeout=600),
        Wired("SubagentStart"),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
    ),
    program="code",
    signs=(".vscode", ".config/Code"),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what VS Code tells."""
    payload = Payload.read(wire, NAME)
    if payload.whole.get("source") == "new":
        payload.fields["source"] = "startup"
    return read(payload, call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what VS Code should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = noted(event, decision)
    inner: dict[str, Any] = {}
    match event:
        case PreToolUse():
            args = None if decision.args is None else TOOLS.theirs(their_tool(event), decision.args)
            inner = permission(decision, args)
        case PostToolUse():
            body |= block(decision)
        case Stop() | SubagentStop():
            inner = block(decision)
            body |= inner
        case UserPromptSubmit() if decision.verdict is Verdict.DENY:
            # The flat block is for Copilot's cloud agent, which may look like VS Code from here.
            body |= {"continue": False, "stopReason": decision.reason} | block(decision)
    return reply(body | nested(name, with_context(inner, decision)))
