"""Antigravity CLI.

PreToolUse(run_command)  ->  PreToolUse(Bash)  ->  {"decision": "deny", "reason": …}

From others' measurements, not driven by our tests. No decision, or a bad one, makes it ask a person;
an allow does not skip its own questions. So "no opinion" is an allow, the one answer that leaves it to
its own rules.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import (
    Event,
    HostEvent,
    Output,
    PostToolUse,
    PreToolUse,
    SessionStart,
    Stance,
    Stop,
    Verdict,
)

from .host import Can, HostCall, Reply
from .json_reply import reply
from .payload import Payload
from .placement import HooksFormat, Placement, Wired
from .reading import EVENT_NAMES, read
from .tighten import host_decision
from .tools import HostTool, ToolNames

NAME = "antigravity"
TITLE = "Antigravity"
SILENCE = Reply(stdout=b'{"decision":"allow"}\n')
TOOLS = ToolNames(
    {
        "run_command": HostTool("Bash", {"CommandLine": "command", "Cwd": "cwd"}),
        "view_file": HostTool("Read", {"AbsolutePath": "file_path"}),
        "write_to_file": HostTool("Write", {"TargetFile": "file_path", "CodeContent": "content"}),
        "replace_file_content": HostTool("Edit", {"TargetFile": "file_path"}),
    }
)

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict
CAN: Mapping[str, Can] = {
    "PreToolUse": Can(PreToolUse, (_ASK, _DENY), crash=Stance.CLOSED, timeout=Stance.CLOSED),
    "PostToolUse": Can(PostToolUse),
    "PreInvocation": Can(HostEvent),
    "SessionStart": Can(SessionStart),
    "Stop": Can(Stop),
}
PLACEMENT = Placement(
    user=".gemini/config/hooks.json",
    project=".agents/hooks.json",
    shape=HooksFormat.NAMED,
    wired=(
        Wired("SessionStart"),
        Wired("PreToolUse", matcher=".*"),
        Wired("PostToolUse", matcher=".*"),
        Wired("Stop", timeout=600),
    ),
    program="agy",
    signs=(".gemini/config",),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what Antigravity tells: its call is an object of its own."""
    payload = Payload.read(wire, NAME)
    told = payload.whole.get("toolCall")
    if isinstance(told, dict):
        inner = Payload(told, NAME)
        payload.fields["tool_name"] = inner.needed_text("name")
        payload.fields["tool_input"] = inner.needed_object("args")
        del payload.fields["toolCall"]
    roots = payload.whole.get("workspacePaths")
    if isinstance(roots, list) and roots and isinstance(roots[0], str):
        payload.fields.setdefault("cwd", roots[0])
    return read(payload, call, can=CAN, tools=TOOLS)


def encode(event: Event, output: Output) -> Reply:
    """Return what Antigravity should hear."""
    name = event.extra.get(EVENT_NAMES[0], event.event_name)
    decision = host_decision(event, output, CAN.get(name, Can(HostEvent)), TITLE)
    if not isinstance(event, PreToolUse) or decision.verdict not in (_ASK, _DENY):
        return Reply(stdout=SILENCE.stdout, stderr=decision.note.encode())
    word = "force_ask" if decision.verdict is _ASK else "deny"
    body: dict[str, Any] = {"decision": word, "reason": decision.reason}
    return reply(body)
