"""Kiro, IDE 1.x and CLI v3.

PreToolUse(execute_bash)  ->  PreToolUse(Bash)  ->  exit 2, the reason on stderr

From its documents, not driven by our tests. Only exit 2 with text on stderr is heard; JSON is ignored.
What is printed at exit 0 is context for sessions and prompts. IDE 0.x never closes stdin and sends
nothing through it: it cannot be served.
"""

from collections.abc import Mapping

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PostToolUse,
    PreToolUse,
    SessionStart,
    Stop,
    UserPromptSubmit,
    Verdict,
)

from .exit_reply import by_exit_code
from .express import express
from .host import Call, Can, Reply
from .payload import Payload
from .placement import Placement, Shape, Wired
from .reading import EVENT_NAMES, read
from .tools import Tool, ToolNames

NAME = "kiro"
TITLE = "Kiro"
SILENCE = Reply()
_WRITE = {"path": "file_path", "text": "content"}
_EDIT = {"path": "file_path", "oldStr": "old_string", "newStr": "new_string"}
TOOLS = ToolNames(
    {
        "execute_bash": Tool("Bash"),
        "execute_pwsh": Tool("Bash"),
        "fs_read": Tool("Read", {"path": "file_path"}),
        "fs_write": Tool("Write", _WRITE),
        "fs_append": Tool("Edit", _WRITE),
        "str_replace": Tool("Edit", _EDIT),
    },
    mcp=("@", "/"),
)

_DENY = (Verdict.DENY,)
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, _DENY, context=True),
    "PreToolUse": Can(PreToolUse, _DENY),
    "PostToolUse": Can(PostToolUse),
    "Stop": Can(Stop),
}
PLACEMENT = Placement(
    user=".kiro/hooks/snaphook.json",
    project=".kiro/hooks/snaphook.json",
    shape=Shape.LIST,
    event_key="trigger",
    root={"version": "v1"},
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse", matcher=".*"),
        Wired("PostToolUse", matcher=".*"),
        Wired("Stop", timeout=600),
    ),
    program="kiro-cli",
    signs=(".kiro",),
)


def decode(wire: bytes, call: Call) -> Event:
    """Return what Kiro tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Kiro should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    return by_exit_code(express(event, output, CAN.get(name, Can(HostEvent)), TITLE))
