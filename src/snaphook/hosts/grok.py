"""Grok Build.

PreToolUse(run_terminal_command)  ->  PreToolUse(Bash)  ->  {"decision": "deny", "reason": …}

A deny counts at any exit code; an allow does not skip its own question; what a prompt or session hook
adds is thrown away.
"""

from collections.abc import Mapping
from typing import Any

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
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import block, nested, permission, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, context_from, host_event, read
from .tighten import clip, host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "grok"
TITLE = "Grok Build"
SILENCE = Reply()
_OTHERS = frozenset(
    {
        "enter_plan_mode", "exit_plan_mode", "get_command_or_subagent_output", "image_edit",
        "image_gen", "image_to_video", "kill_command_or_subagent", "reference_to_video",
        "scheduler_create", "scheduler_delete", "scheduler_list", "search_tool", "send_feedback",
        "use_tool", "workflow",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "run_terminal_command": HostTool("Bash"),
        "monitor": HostTool("Bash"),
        "read_file": HostTool("Read", {"target_file": "file_path"}),
        "write": HostTool("Write"),
        "search_replace": HostTool("Edit"),
        "list_dir": HostTool("LS", {"target_directory": "path"}),
        "grep": HostTool("Grep"),
        "web_search": HostTool("WebSearch"),
        "web_fetch": HostTool("WebFetch"),
        "todo_write": HostTool("TodoWrite"),
        "ask_user_question": HostTool("AskUserQuestion"),
        "spawn_subagent": HostTool("Agent"),
    },
    mcp=("", "__"),
    others=_OTHERS,
)

_UNASKED = frozenset({"auto", "bypassPermissions", "dontAsk"})
_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart),
    "UserPromptSubmit": Can(UserPromptSubmit, (_DENY,)),
    "PreToolUse": Can(PreToolUse, (_MODIFY, _ASK, _DENY), context=True, unasked=_UNASKED),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True),
    "PostToolUseFailure": Can(PostToolUseFailure, context=True),
    "Stop": Can(Stop, (_BLOCK,), context=True),
    "SubagentStart": Can(SubagentStart),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".grok/hooks/snaphook.json",
    project=".grok/hooks/snaphook.json",
    shape=HooksFormat.NESTED,
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
        Wired("SessionEnd", timeout=10),
    ),
    program="grok",
    signs=(".grok",),
)
CONTEXT_LIMIT = 10_000


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Grok tells; the Stop it fires once more at the session's end is only recorded."""
    payload = Payload.read(wire, NAME)
    kind = payload.whole.get("hook_event_name")
    if kind == "Stop" and payload.whole.get("reason", "end_turn") != "end_turn":
        return host_event(payload, kind, context_from(payload, call, "GROK_WORKSPACE_ROOT"))
    return read(payload, call, can=CAN, tools=TOOLS, root="GROK_WORKSPACE_ROOT")


def encode(event: Event, output: Output) -> Reply:
    """Return what Grok should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = {}
    inner: dict[str, Any] = {}
    match event:
        case PreToolUse():
            args = None if decision.args is None else TOOLS.theirs(their_tool(event), decision.args)
            inner = permission(decision, args)
            if decision.verdict is Verdict.DENY:
                body = {"decision": "deny", "reason": decision.reason}
        case PostToolUse() | UserPromptSubmit() | Stop() | SubagentStop():
            body = block(decision)
    if decision.context:
        inner["additionalContext"] = clip(decision.context, CONTEXT_LIMIT)
    return Reply(stdout=reply(body | nested(name, inner)).stdout, stderr=decision.note.encode())
