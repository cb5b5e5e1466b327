"""Crush.

PreToolUse(bash)  ->  PreToolUse(Bash)  ->  {"decision": "deny", "reason": …}

From its own manual, not driven by our tests. An allow skips its question; a rewrite is merged into the
input; the calls of subagents are not seen.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import Event, HostEvent, Output, PreToolUse, Verdict

from .express import express, their_tool
from .host import Call, Can, Reply
from .json_reply import reply
from .payload import Payload
from .placement import Placement, Shape, Wired
from .reading import EVENT_NAMES, read
from .tools import Tool, ToolNames

NAME = "crush"
TITLE = "Crush"
SILENCE = Reply()
TOOLS = ToolNames(
    {
        "bash": Tool("Bash"),
        "view": Tool("Read"),
        "write": Tool("Write"),
        "edit": Tool("Edit"),
        "multiedit": Tool("MultiEdit"),
        "grep": Tool("Grep"),
        "glob": Tool("Glob"),
        "ls": Tool("LS"),
        "fetch": Tool("WebFetch"),
        "agent": Tool("Agent"),
    }
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {"PreToolUse": Can(PreToolUse, (_ALLOW, _MODIFY, _DENY), context=True)}
PLACEMENT = Placement(
    user=".config/crush/crush.json",
    project="crush.json",
    home="XDG_CONFIG_HOME",
    shape=Shape.FLAT,
    typed=False,
    wired=(Wired("PreToolUse"),),
    program="crush",
    signs=(".config/crush",),
)


def decode(wire: bytes, call: Call) -> Event:
    """Return what Crush tells."""
    payload = Payload.read(wire, NAME)
    return read(payload, call, can=CAN, tools=TOOLS, root="CRUSH_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Crush should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    said = express(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = {}
    if isinstance(event, PreToolUse) and said.verdict in (_ALLOW, _DENY):
        body = {"decision": said.verdict.value, "reason": said.reason}
    if isinstance(event, PreToolUse) and said.verdict is _MODIFY and said.args is not None:
        body["updated_input"] = TOOLS.theirs(their_tool(event), said.args)
    if said.context:
        body["context"] = said.context
    return Reply(stdout=reply(body).stdout, stderr=said.note.encode())
