"""Auggie, the command line of Augment.

PreToolUse(launch-process)  ->  PreToolUse(Bash)  ->  {"hookSpecificOutput": {"permissionDecision": …}}

Claude Code's shape, with time limits in milliseconds. Whether hooks run at all is decided by the vendor's
server for each customer. Text at the start of a session and a Stop that is sent back had no effect when
the program was run.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from snaphook.canon import (
    Event,
    HostEvent,
    Notification,
    Output,
    PostToolUse,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import as_claude, reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "auggie"
TITLE = "Auggie"
SILENCE = Reply()
_FILE = {"path": "file_path"}
_OTHERS = frozenset(
    {
        "add_tasks", "codebase-retrieval", "kill-process", "list-processes", "read-process",
        "reorganize_tasklist", "search-untruncated", "update_tasks", "view-range-untruncated",
        "view-session", "view_tasklist", "write-process",
    }
)  # fmt: skip
TOOLS = ToolNames(
    {
        "launch-process": HostTool("Bash"),
        "save-file": HostTool("Write", {"path": "file_path", "file_content": "content"}),
        "str-replace-editor": HostTool("Edit", _FILE),
        "apply_patch": HostTool("Edit", {"input": "patch"}, patch=True),
        "remove-files": HostTool("delete_files", {"file_paths": "paths"}),
        "view": HostTool("Read", _FILE),
        "web-fetch": HostTool("WebFetch"),
    },
    others=_OTHERS,
)

CAN: Mapping[str, Can] = {
    "SessionStart": Can(SessionStart),
    "PreToolUse": Can(PreToolUse, (Verdict.DENY,), context=True),
    "PostToolUse": Can(PostToolUse, context=True),
    "Stop": Can(Stop),
    "Notification": Can(Notification),
    "SessionEnd": Can(SessionEnd),
}
PLACEMENT = Placement(
    user=".augment/settings.json",
    project=".augment/settings.json",
    shape=HooksFormat.NESTED,
    timeout_factor=1000,
    wired=(
        Wired("SessionStart"),
        Wired("PreToolUse", matcher=".*"),
        Wired("PostToolUse", matcher=".*"),
        Wired("Stop", timeout=600),
        Wired("SessionEnd", timeout=10),
    ),
    program="auggie",
    signs=(".augment",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Auggie tells; the folder is the first of its workspace's roots."""
    payload = Payload.read(wire, NAME)
    roots = [root for root in payload.items("workspace_roots") if isinstance(root, str)]
    event = read(payload, call, can=CAN, tools=TOOLS, root="AUGMENT_PROJECT_DIR")
    if not roots:
        return event
    context = replace(event.context, cwd=roots[0], team_root=roots[0])
    return replace(event, context=context)


def encode(event: Event, output: Output) -> Reply:
    """Return what Auggie should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    return reply(as_claude(event, decision, name, TOOLS))
