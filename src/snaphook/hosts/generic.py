"""Any agent that speaks our own words: canonical events in, canonical outputs out, as JSON.

{"event": "PreToolUse", …}  ->  PreToolUse  ->  {"event": "PreToolUse", "decision": "deny", …}

The schemas are in ``schemas/``. ``{}`` means that nobody has an opinion.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from snaphook.canon import (
    EVENTS,
    AnyEvent,
    Event,
    HookContext,
    HostEvent,
    Output,
    reason,
    verdict,
)
from snaphook.errors import WireError

from .host import Can, HostCall, Reply
from .payload import Payload
from .tools import ToolNames

NAME = "generic"
TITLE = "Any agent"
SILENCE = Reply(stdout=b"{}\n")
TOOLS = ToolNames()
PLACEMENT = None
CAN: Mapping[str, Can] = {
    spec.name: Can(spec.event, spec.may_say, context=True, replace=True)
    for spec in EVENTS
    if spec.event is not HostEvent
}
_EVENT = msgspec.json.Decoder(AnyEvent)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return the event in *wire*; a name we do not know is carried whole."""
    payload = Payload.read(wire, NAME)
    name = payload.text("event", default=call.event)
    if name not in CAN and name != "HostEvent":
        session = payload.text("session_id")
        context = HookContext(session_id=session, host=NAME, cwd=call.cwd, timestamp=call.now)
        return HostEvent(context=context, kind=name or "unknown", payload=payload.whole)
    try:
        event: Event = _EVENT.decode(wire) if "event" in payload.whole else _named(wire, name)
    except (msgspec.ValidationError, RecursionError) as problem:
        raise WireError(
            where=NAME,
            what=f"not a legal {name} ({problem})",
            fix="schemas/events.schema.json says what belongs in it.",
        ) from None
    context, cwd = event.context, event.context.cwd or call.cwd
    told = payload.whole.get("context")
    dated = isinstance(told, dict) and told.get("timestamp")
    now = context.timestamp if dated else call.now  # its own default is another clock's
    return replace(event, context=replace(context, timestamp=now, cwd=cwd, host=NAME))


def encode(event: Event, output: Output) -> Reply:  # noqa: ARG001 - as every host
    """Return *output* as it is; only a refusal without a reason is given one, as everywhere."""
    decision = verdict(output)
    if decision is not None and decision.stops and not reason(output):
        output = replace(output, reason=f"{output.by or 'A hook'} gave no reason.")
    return Reply(stdout=msgspec.json.encode(output) + b"\n")


def _named(wire: bytes, name: str) -> Event:
    fields = msgspec.json.decode(wire) | {"event": name}
    event: Event = msgspec.convert(fields, AnyEvent)
    return event
