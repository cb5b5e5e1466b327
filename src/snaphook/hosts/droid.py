"""Factory Droid.

PreToolUse(Execute)  ->  PreToolUse(Bash)  ->  {"hookSpecificOutput": {"permissionDecision": …}}

Read from its package, not driven by our tests. Claude Code's shape, with two differences: the first
hook with a decision wins, and rewritten input is merged key by key.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    Event,
    HostEvent,
    Notification,
    Output,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import as_claude, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "droid"
TITLE = "Factory Droid"
SILENCE = Reply()
TOOLS = ToolNames(
    {
        "Execute": HostTool("Bash"),
        "Create": HostTool("Write"),
        "ApplyPatch": HostTool("Edit", {"input": "patch"}, patch=True),
        "Task": HostTool("Agent"),
    },
    mcp=("", "___"),
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, (_MODIFY, _DENY), context=True, replace=True),
    "PreToolUse": Can(PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), context=True),
    "PostToolUse": Can(PostToolUse, (_BLOCK,), context=True),
    "Stop": Can(Stop, (_BLOCK,)),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".factory/hooks.json",
    project=".factory/hooks.json",
    shape=HooksFormat.NESTED,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse", matcher=".*"),
        Wired("PostToolUse", matcher=".*"),
        Wired("Stop", timeout=600),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("Notification"),
        Wired("SessionEnd", timeout=10),
    ),
    program="droid",
    signs=(".factory",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Droid tells; the variables it makes of its fields are not looked at."""
    payload = Payload.read(wire, NAME)
    return read(payload, call, can=CAN, tools=TOOLS, root="FACTORY_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Droid should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = as_claude(event, decision, name, TOOLS)
    if decision.prompt is not None and decision.verdict is Verdict.MODIFY:
        inner = body.get("hookSpecificOutput", {"hookEventName": name})
        body["hookSpecificOutput"] = inner | {"updatedInput": {"prompt": decision.prompt}}
    return reply(body)
