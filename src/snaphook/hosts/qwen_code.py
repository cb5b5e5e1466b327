"""Qwen Code.

PreToolUse(run_shell_command)  ->  PreToolUse(Bash)  ->  {"permissionDecision": …}

A fork of Gemini CLI with Claude's events and answers, but not all of their effects: rewritten input
is not applied, context before a tool is lost, and a block after one does nothing.
"""

from collections.abc import Mapping

from snaphook.canon import (
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
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from . import gemini_cli
from .host import Can, HostCall, Reply
from .json_reply import as_claude, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, context_from, host_event, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "qwen-code"
TITLE = "Qwen Code"
SILENCE = Reply()
_OTHERS = frozenset(
    {
        "ask_user_question", "exit_plan_mode", "get_goal", "list_agents", "save_memory",
        "tool_call", "tool_search", "update_goal",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        **gemini_cli.TOOLS.tools,
        "todo_write": HostTool("TodoWrite"),
        "run_shell_command": HostTool("Bash", {"directory": "cwd"}),
        "notebook_edit": HostTool("NotebookEdit"),
        "skill": HostTool("Skill"),
    },
    others=_OTHERS,
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, (_DENY,), context=True),
    "PreToolUse": Can(PreToolUse, (_ALLOW, _ASK, _DENY)),
    "PermissionRequest": Can(PermissionRequest, (_ALLOW, _MODIFY, _DENY)),
    "PostToolUse": Can(PostToolUse, context=True),
    "PostToolUseFailure": Can(PostToolUseFailure, context=True),
    "Stop": Can(Stop, (_BLOCK,)),
    "SubagentStart": Can(SubagentStart, context=True),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".qwen/settings.json",
    project=".qwen/settings.json",
    shape=HooksFormat.NESTED,
    # Seconds, as long as they stay below 1000: from there on Qwen Code reads milliseconds.
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse", matcher="*"),
        # Its prompt comes before PreToolUse and heeds this event alone.
        Wired("PermissionRequest", matcher="*"),
        Wired("PostToolUse", matcher="*"),
        Wired("PostToolUseFailure", matcher="*"),
        Wired("Stop", timeout=600),
        Wired("SubagentStart"),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("Notification"),
        Wired("SessionEnd", timeout=10),
    ),
    program="qwen",
    signs=(".qwen",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Qwen Code tells.

    UserPromptSubmit fires again with an empty prompt after each batch of tools. Nobody submitted
    anything then, so it is recorded and not put to anyone.
    """
    payload = Payload.read(wire, NAME)
    kind = str(payload.whole.get(EVENT_NAMES[0], call.event))
    repeated = payload.whole.get("prompt") == "" and "submitted_prompt" not in payload.whole
    if kind == "UserPromptSubmit" and repeated:
        return host_event(payload, kind, context_from(payload, call, "QWEN_PROJECT_DIR"))
    return read(payload, call, can=CAN, tools=TOOLS, root="QWEN_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Qwen Code should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    return reply(as_claude(event, decision, name, TOOLS))
