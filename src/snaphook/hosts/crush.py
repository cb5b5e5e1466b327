"""Crush.

PreToolUse(bash)  ->  PreToolUse(Bash)  ->  {"decision": "deny", "reason": …}

From its own manual, not driven by our tests. An allow skips its question; a rewrite is merged into the
input; the calls of subagents are not seen.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import Event, HostEvent, Output, PreToolUse, Verdict

from .host import Can, HostCall, Reply
from .json_reply import reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision, their_tool
from .tools import HostTool, ToolNames

NAME = "crush"
TITLE = "Crush"
SILENCE = Reply()
TOOLS = ToolNames(
    {
        "bash": HostTool("Bash"),
        "view": HostTool("Read"),
        "write": HostTool("Write"),
        "edit": HostTool("Edit"),
        "multiedit": HostTool("MultiEdit"),
        "grep": HostTool("Grep"),
        "glob": HostTool("Glob"),
        "ls": HostTool("LS"),
        "fetch": HostTool("WebFetch"),
        "agent": HostTool("Agent"),
    }
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {"PreToolUse": Can(PreToolUse, (_ALLOW, _MODIFY, _DENY), context=True)}
PLACEMENT = Placement(
    user=".config/crush/crush.json",
    project="crush.json",
    home="XDG_CONFIG_HOME",
    shape=HooksFormat.FLAT,
    typed=False,
    wired=(Wired("PreToolUse"),),
    program="crush",
    signs=(".config/crush",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Crush tells."""
    payload = Payload.read(wire, NAME)
    return read(payload, call, can=CAN, tools=TOOLS, root="CRUSH_PROJECT_DIR")


def encode(event: Event, output: Output) -> Reply:
    """Return what Crush should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    body: dict[str, Any] = {}
    if isinstance(event, PreToolUse) and decision.verdict in (_ALLOW, _DENY):
        body = {"decision": decision.verdict.value, "reason": decision.reason}
    if isinstance(event, PreToolUse) and decision.verdict is _MODIFY and decision.args is not None:
        body["updated_input"] = TOOLS.theirs(their_tool(event), decision.args)
    if decision.context:
        body["context"] = decision.context
    return Reply(stdout=reply(body).stdout, stderr=decision.note.encode())
