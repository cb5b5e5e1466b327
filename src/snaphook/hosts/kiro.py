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
from .host import Can, HostCall, Reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "kiro"
TITLE = "Kiro"
SILENCE = Reply()
_WRITE = {"path": "file_path", "text": "content"}
_EDIT = {"path": "file_path", "oldStr": "old_string", "newStr": "new_string"}
TOOLS = ToolNames(
    {
        "execute_bash": HostTool("Bash"),
        "execute_pwsh": HostTool("Bash"),
        "fs_read": HostTool("Read", {"path": "file_path"}),
        "fs_write": HostTool("Write", _WRITE),
        "fs_append": HostTool("Edit", _WRITE),
        "str_replace": HostTool("Edit", _EDIT),
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
    shape=HooksFormat.LIST,
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


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Kiro tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Kiro should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    return by_exit_code(host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE))
