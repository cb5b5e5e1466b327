"""Wave.

PreToolUse(Bash)  ->  PreToolUse  ->  exit 2, the reason on stderr

The exit code is the answer: 0 goes on, 2 blocks and stderr tells why, anything else is shown to the
person. stdout is context for prompts, session starts and compactions, and nothing elsewhere.
"""

from collections.abc import Mapping

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PermissionRequest,
    PostToolUse,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    SessionStartOutput,
    Stop,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)

from .exit_reply import by_exit_code
from .host import Can, HostCall, Reply
from .json_reply import nested, reply, with_context
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import HostDecision, host_decision
from .tools import HostTool, ToolNames

NAME = "wave"
TITLE = "Wave"
SILENCE = Reply()
TOOLS = ToolNames({"Task": HostTool("Agent")})

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart, context=True),
    "UserPromptSubmit": Can(UserPromptSubmit, (_DENY,), context=True),
    "PreToolUse": Can(PreToolUse, (_DENY,)),
    "PermissionRequest": Can(PermissionRequest, (_DENY,)),
    "PostToolUse": Can(PostToolUse, (_BLOCK,)),
    "Stop": Can(Stop, (_BLOCK,)),
    "SubagentStop": Can(SubagentStop, (_BLOCK,)),
    "PreCompact": Can(PreCompact, context=True),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".wave/settings.json",
    project=".wave/settings.json",
    shape=HooksFormat.NESTED,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        # No matcher: Wave reads "*" as a glob, which holds for no tool with a "/" in its name.
        Wired("PreToolUse"),
        Wired("PermissionRequest"),
        Wired("PostToolUse"),
        Wired("Stop", timeout=600),
        Wired("SubagentStop", timeout=600),
        Wired("PreCompact"),
        Wired("SessionEnd", timeout=10),
    ),
    program="wave",
    signs=(".wave",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Wave tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS, root="WAVE_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Wave should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    if isinstance(output, SessionStartOutput):
        return _beginning(name, decision, output)
    return by_exit_code(decision)


def _beginning(name: str, decision: HostDecision, output: SessionStartOutput) -> Reply:
    """Return the one answer that Wave reads as JSON, the form that cannot be mistaken for text."""
    first = output.initial_user_message
    inner = with_context({"initialUserMessage": first} if first else {}, decision)
    return reply(nested(name, inner))
