"""What a host hears when we have no answer: its message cannot be read, or we failed ourselves.

Host + HostCall + why  ->  Reply

Closed where something could be forbidden, in the form that this host obeys for that event; where
there is nothing left to forbid (a result, a stop, a notice), silence and a word on stderr. Pure.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import (
    Event,
    HookContext,
    Output,
    PermissionRequest,
    PermissionRequestOutput,
    PreToolUse,
    PreToolUseOutput,
    SubagentStart,
    SubagentStartOutput,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)

from .host import Can, Host, HostCall, Reply

_NOWHERE = HookContext(session_id="")
_DENIALS: Mapping[type[Event], tuple[Event, type[Output]]] = {
    PreToolUse: (PreToolUse(context=_NOWHERE, tool_name="", tool_args={}), PreToolUseOutput),
    PermissionRequest: (
        PermissionRequest(context=_NOWHERE, tool_name="", tool_args={}),
        PermissionRequestOutput,
    ),
    UserPromptSubmit: (UserPromptSubmit(context=_NOWHERE, prompt=""), UserPromptOutput),
    SubagentStart: (SubagentStart(context=_NOWHERE, agent_name=""), SubagentStartOutput),
}


class Refusal(Struct, frozen=True, kw_only=True):
    """A message that became no event: whose, what it was, why, and what its host hears."""

    host: str
    call: HostCall
    wire: bytes
    why: str
    reply: Reply
    stops: bool
    """Whether something was forbidden; else there was nothing left to forbid."""


def refused(host: Host, call: HostCall, why: str, wire: bytes = b"") -> Refusal:
    """Return what becomes of *wire*, which *host* sent and nobody could answer, and why."""
    reply, silence = refuse(host, call, why), host.SILENCE
    stops = (reply.exit_code, reply.stdout) != (silence.exit_code, silence.stdout)
    return Refusal(host=host.NAME, call=call, wire=wire, why=why, reply=reply, stops=stops)


def refuse(host: Host, call: HostCall, why: str) -> Reply:
    """Return the strictest thing *host* takes about the event of *call*.

    Where the command line does not name the event, nobody knows what would be let through: exit 2
    with a reason is the block that most hosts understand.
    """
    reason = f"snaphook: {why}"
    can = host.CAN.get(call.event)
    if can is None and call.event:
        return replace(host.SILENCE, stderr=reason.encode() + b"\n")
    if can is None:
        return Reply(stderr=reason.encode() + b"\n", exit_code=2)
    return _deny(host, call.event, can, reason)


def _deny(host: Host, name: str, can: Can, reason: str) -> Reply:
    if can.event not in _DENIALS or Verdict.DENY not in can.say:
        return replace(host.SILENCE, stderr=reason.encode() + b"\n")
    blank, kind = _DENIALS[can.event]
    event = replace(blank, extra={"hook_event_name": name})
    denial = kind(decision=Verdict.DENY, reason=reason)  # type: ignore[call-arg]  # all four take it
    return host.encode(event, denial)
