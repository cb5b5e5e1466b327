"""Kimi Code.

PreToolUse(Bash)  ->  PreToolUse  ->  exit 2, the reason on stderr

Hooks are ``[[hooks]]`` tables in its config.toml, with strict keys: one it does not know loses the file.
"""

from collections.abc import Mapping

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

from .exit_reply import by_exit_code
from .host import Can, HostCall, Reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "kimi"
TITLE = "Kimi Code"
SILENCE = Reply()
_FILE = {"path": "file_path"}
_OTHERS = frozenset(
    {
        "AgentSwarm", "CreateGoal", "CronCreate", "CronDelete", "CronList", "GetGoal",
        "SetGoalBudget", "TaskList", "UpdateGoal", "WaitFor",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "Read": HostTool("Read", _FILE),
        "ReadMediaFile": HostTool("Read", _FILE),
        "Write": HostTool("Write", _FILE),
        "Edit": HostTool("Edit", _FILE),
        "FetchURL": HostTool("WebFetch"),
        "TodoList": HostTool("TodoWrite"),
        # What earlier versions called them.
        "Shell": HostTool("Bash"),
        "ReadFile": HostTool("Read", _FILE),
        "WriteFile": HostTool("Write", _FILE),
        "StrReplaceFile": HostTool("Edit", _FILE),
        "Task": HostTool("Agent"),
    },
    others=_OTHERS,
)

CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart),
    "UserPromptSubmit": Can(UserPromptSubmit),
    "PreToolUse": Can(PreToolUse, (Verdict.DENY,)),
    "PostToolUse": Can(PostToolUse),
    "PostToolUseFailure": Can(PostToolUseFailure),
    "Stop": Can(Stop),
    "SubagentStart": Can(SubagentStart),
    "SubagentStop": Can(SubagentStop),
    "PreCompact": Can(PreCompact),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".kimi-code/config.toml",
    project=None,
    home="KIMI_CODE_HOME",
    shape=HooksFormat.TABLES,
    typed=False,
    wired=(
        Wired("SessionStart"),
        Wired("UserPromptSubmit"),
        Wired("PreToolUse"),
        Wired("PostToolUse"),
        Wired("PostToolUseFailure"),
        Wired("Stop", timeout=600),
        Wired("SubagentStart"),
        Wired("SubagentStop", timeout=600),
        Wired("SessionEnd", timeout=10),
    ),
    program="kimi",
    signs=(".kimi-code",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Kimi Code tells."""
    return read(Payload.read(wire, NAME), call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Kimi Code should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    return by_exit_code(host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE))
