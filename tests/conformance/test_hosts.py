"""Every host through the suite that we ship for authors of hosts."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from snaphook.canon import PreToolUse, Verdict
from snaphook.hosts import HOSTS, HostCall, Reply, host_named
from snaphook.testing.hosts import check_host

WIRE = Path(__file__).parents[1] / "wire"


def samples(name: str) -> list[tuple[str, bytes]]:
    cases = [json.loads(file.read_text()) for file in sorted((WIRE / name).glob("*.json"))]
    return [
        (case["call"]["event"], json.dumps(sample["wire"]).encode())
        for case in cases
        for sample in case["samples"]
    ]


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_keeps_every_promise(name):
    assert check_host(host_named(name), samples=samples(name)) == []


def broken(**changes: Any) -> Any:
    """Return Claude Code's module with something wrong about it."""
    claude = host_named("claude-code")
    return SimpleNamespace(**{key: getattr(claude, key) for key in dir(claude)} | changes)


@pytest.mark.parametrize(
    ("changes", "promise"),
    [
        ({"encode": lambda _event, _output: Reply()}, "a refusal has a reason"),
        ({"encode": lambda _event, _output: Reply()}, "a failure is refused where it can be"),
        ({"SILENCE": Reply(exit_code=2, stderr=b"x")}, "no opinion stops nothing"),
        (
            {"decode": lambda wire, _call: host_named("codex").decode(wire, HostCall())},
            "an event names its host",
        ),
    ],
)
def test_a_host_that_breaks_a_promise_is_told(changes, promise):
    faults = check_host(broken(**changes), samples=samples("claude-code"))

    assert promise in {fault.promise for fault in faults}


def test_the_suite_sees_tool_calls_of_every_host():
    """Without one it could not check that a refusal is a refusal."""
    for name in HOSTS:
        host = host_named(name)
        events = [host.decode(wire, HostCall(event=event)) for event, wire in samples(name)]
        denied = [e for e in host.CAN if Verdict.DENY in host.CAN[e].say]
        assert any(isinstance(event, PreToolUse) for event in events), name
        assert denied, name
