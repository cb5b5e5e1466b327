"""Every recorded message decodes into its event, and every decision encodes into its reply."""

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from snaphook.canon import AnyEvent, AnyOutput, HostEvent
from snaphook.hosts import HOSTS, HostCall, Reply, host_named

WIRE = Path(__file__).parents[2] / "wire"
FILES = sorted(WIRE.glob("*/*.json"))
CASES = [pytest.param(file, id=f"{file.parent.name}/{file.stem}") for file in FILES]


def recorded(file: Path) -> tuple[Any, HostCall, dict[str, Any]]:
    case = json.loads(file.read_text())
    call = HostCall(cwd="/home/user/project", now=1767225600.0, **case["call"])
    return host_named(file.parent.name), call, case


def rendered(reply: Reply) -> dict[str, Any]:
    """Return *reply* as the files write it down: JSON unfolded, what is empty left out."""
    shown: dict[str, Any] = msgspec.to_builtins(reply, builtin_types=(bytes,))
    for stream in ("stdout", "stderr", "append"):
        if stream in shown:
            shown[stream] = shown[stream].decode()
    with contextlib.suppress(KeyError, ValueError):
        shown["stdout"] = json.loads(shown["stdout"])
    return shown


@pytest.mark.req("BB-1")
@pytest.mark.parametrize("file", CASES)
def test_a_recorded_message_becomes_its_event(file):
    host, call, case = recorded(file)

    for sample in case["samples"]:
        event = host.decode(json.dumps(sample["wire"]).encode(), call)

        assert msgspec.to_builtins(event) == sample["event"]
        assert msgspec.convert(sample["event"], AnyEvent) == event


@pytest.mark.parametrize("file", CASES)
def test_a_decision_becomes_what_the_host_honours(file):
    host, call, case = recorded(file)
    event = host.decode(json.dumps(case["samples"][0]["wire"]).encode(), call)

    replies = [
        rendered(host.encode(event, msgspec.convert(answer["decision"], AnyOutput)))
        for answer in case["answers"]
    ]

    assert replies == [answer["reply"] for answer in case["answers"]]


@pytest.mark.parametrize("name", HOSTS)
def test_every_host_has_recorded_messages(name):
    assert list((WIRE / name).glob("*.json"))


@pytest.mark.parametrize("name", HOSTS)
def test_an_unknown_event_is_carried_whole(name):
    host = host_named(name)
    names = ("hook_event_name", "event", "hook", "agent_action_name", "hookName")
    wire: dict[str, Any] = {**dict.fromkeys(names, "Surprise"), "deep": [{}]}

    event = host.decode(json.dumps(wire).encode(), HostCall(event="Surprise"))

    assert isinstance(event, HostEvent)
    assert (event.kind, event.payload) == ("Surprise", wire)
