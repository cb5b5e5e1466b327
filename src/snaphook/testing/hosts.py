"""The promises every host makes, held against one.

a host's module  ->  Fault, Fault, …  (none, if it keeps them all)

In a test of your own:

    def test_it_keeps_every_promise_of_a_host():
        assert check_host(my_host, samples=[("PreToolUse", wire), …]) == []
"""

import json
from collections.abc import Iterable, Iterator

from snaphook.canon import Event, HostEvent, PreToolUse, PreToolUseOutput, Verdict
from snaphook.errors import WireError
from snaphook.hosts import Host, HostCall
from snaphook.hosts.checkup import is_refusal
from snaphook.hosts.refusal import refuse

from .conformance import Fault

BROKEN = (b"", b"hello", b"[]", b"null", b'{"a": ', b'"\xff"', b'{"a":' * 5000)
_NAMES = ("hook_event_name", "hookEventName", "event", "hook", "hookName", "agent_action_name")


def check_host(host: Host, *, samples: Iterable[tuple[str, bytes]]) -> list[Fault]:
    """Return every promise of a host that *host* breaks.

    *samples* are messages as the host sends them, each with the event's name as it would stand on
    our command line; without one of a tool call, the promises about refusals cannot be checked.
    """
    messages = list(samples)
    return [
        *_reads(host, messages),
        *_refuses_what_it_cannot_read(host),
        *_carries_what_it_does_not_know(host),
        *_is_never_milder(host, messages),
        *_is_silent(host),
    ]


def _reads(host: Host, messages: list[tuple[str, bytes]]) -> Iterator[Fault]:
    for name, wire in messages:
        event = host.decode(wire, HostCall(event=name))
        row = host.CAN.get(name)
        if event.context.host != host.NAME:
            yield _fault("an event names its host", name, f"says {event.context.host!r}")
        if row is not None and not isinstance(event, row.event | HostEvent):
            yield _fault("an event is what CAN says", name, f"is a {type(event).__name__}")


def _refuses_what_it_cannot_read(host: Host) -> Iterator[Fault]:
    for name, can in host.CAN.items():
        for wire in BROKEN:
            try:
                host.decode(wire, HostCall(event=name))
            except WireError:
                continue
            except Exception as error:  # noqa: BLE001 - whatever else it raises is the finding
                yield _fault("what cannot be read is a WireError", name, repr(error))
            else:
                yield _fault("what cannot be read is a WireError", name, f"took {wire[:20]!r}")
        reply = refuse(host, HostCall(event=name), "broken")
        if Verdict.DENY in can.say and not is_refusal(reply):
            yield _fault("a failure is refused where it can be", name, f"replied {reply!r}")


def _carries_what_it_does_not_know(host: Host) -> Iterator[Fault]:
    wire = dict.fromkeys(_NAMES, "NobodyKnows")
    event = host.decode(json.dumps(wire).encode(), HostCall(event="NobodyKnows"))
    if not isinstance(event, HostEvent) or event.payload != wire:
        yield _fault("an unknown event is carried whole", "NobodyKnows", f"became {event!r:.80}")


def _is_never_milder(host: Host, messages: list[tuple[str, bytes]]) -> Iterator[Fault]:
    for name, wire in messages:
        event: Event = host.decode(wire, HostCall(event=name))
        if not isinstance(event, PreToolUse) or Verdict.DENY not in host.CAN[name].say:
            continue
        for verdict in (Verdict.DENY, Verdict.ASK, Verdict.MODIFY):
            output = PreToolUseOutput(decision=verdict, reason="no", modified_args={"x": 1})
            stops = is_refusal(host.encode(event, output))
            heard = verdict in host.CAN[name].say and verdict is not Verdict.DENY
            if not stops and not heard and Verdict.ASK not in host.CAN[name].say:
                yield _fault("a verdict is never made milder", name, f"{verdict} let it run")
        reply = host.encode(event, PreToolUseOutput(decision=Verdict.DENY))
        if not is_refusal(reply) or b"reason" not in reply.stdout + reply.stderr:
            yield _fault("a refusal has a reason", name, f"replied {reply!r:.80}")


def _is_silent(host: Host) -> Iterator[Fault]:
    if is_refusal(host.SILENCE) or host.SILENCE.exit_code:
        yield _fault("no opinion stops nothing", "", f"silence is {host.SILENCE!r}")


def _fault(promise: str, event: str, what: str) -> Fault:
    return Fault(promise=promise, method=event, what=what)
