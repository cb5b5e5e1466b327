"""Goose.

PreToolUse(developer__shell)  ->  PreToolUse(Bash)  ->  exit 2, the reason on stderr

From its documents, not driven by our tests. Only PreToolUse and Stop are heard. ``*`` is an invalid
matcher here and would switch the hook off in silence, so none is written.
"""

from collections.abc import Mapping

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stance,
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

NAME = "goose"
TITLE = "Goose"
SILENCE = Reply()
TOOLS = ToolNames(
    {
        "developer__shell": HostTool("Bash"),
        "developer__write": HostTool("Write", {"path": "file_path"}),
        "developer__edit": HostTool("Edit", {"path": "file_path"}),
        "developer__tree": HostTool("LS"),
    },
    mcp=("", "__"),
)

CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart),
    "UserPromptSubmit": Can(UserPromptSubmit),
    "PreToolUse": Can(PreToolUse, (Verdict.DENY,), crash=Stance.CLOSED, timeout=Stance.CLOSED),
    "PostToolUse": Can(PostToolUse),
    "PostToolUseFailure": Can(PostToolUseFailure),
    "Stop": Can(Stop, (Verdict.BLOCK,)),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".agents/plugins/snaphook/hooks/hooks.json",
    project=".agents/plugins/snaphook/hooks/hooks.json",
    shape=HooksFormat.NESTED,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse", extra={"on_failure": "block"}),
        Wired("PostToolUse"),
        Wired("PostToolUseFailure"),
        Wired("Stop", timeout=600),
        Wired("SessionEnd", timeout=10),
    ),
    program="goose",
    signs=(".config/goose",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Goose tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Goose should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    return by_exit_code(decision)
