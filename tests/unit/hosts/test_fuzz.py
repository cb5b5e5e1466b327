"""Whatever arrives on the wire, there is a clear answer, closed where it can block."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.canon import Event, PreToolUse, UserPromptSubmit, Verdict
from snaphook.errors import WireError
from snaphook.hosts import HOSTS, HostCall, Reply, host_named
from snaphook.hosts.refusal import refuse

WIRE = Path(__file__).parents[2] / "wire"
BROKEN = {
    "nothing": b"",
    "not JSON": b"hello",
    "cut short": b'{"hook_event_name": "PreToolUse", "tool_na',
    "not UTF-8": b'{"hook_event_name": "PreToolUse", "tool_name": "\xff\xfe"}',
    "half a surrogate": b'{"tool_name": "\\ud800"}',
    "a list": b"[]",
    "a number": b"42",
    "null": b"null",
    "two documents": b"{} {}",
    "deep": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "a number too large": b'{"a": 1e999}',
}
SAID = r"echo (?:hello|hi)\b"
"""What the recorded shell calls print."""


def blocking_events(name: str) -> list[str]:
    host = host_named(name)
    return [event for event, can in host.CAN.items() if Verdict.DENY in can.say]


def blocks(reply: Reply) -> bool:
    """Say whether any host would take *reply* for a refusal."""
    words = (b'"deny"', b'"block"', b'"continue":false', b'{"deny":', b'"cancel":true')
    return reply.exit_code == 2 or any(word in reply.stdout for word in words)


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("name", HOSTS)
def test_a_message_nobody_can_read_is_refused_where_it_can_be(name, broken):
    host = host_named(name)

    for event in blocking_events(name):
        with pytest.raises(WireError) as told:
            host.decode(BROKEN[broken], HostCall(event=event))
        reply = refuse(host, HostCall(event=event), str(told.value))
        assert blocks(reply), event
        assert name.encode() in reply.stdout + reply.stderr


@pytest.mark.parametrize("name", HOSTS)
def test_an_event_that_cannot_block_fails_open_with_a_word_on_stderr(name):
    host = host_named(name)

    for event, can in host.CAN.items():
        if Verdict.DENY not in can.say:
            reply = refuse(host, HostCall(event=event), "it broke")
            assert (reply.stdout, reply.exit_code) == (host.SILENCE.stdout, 0)
            assert reply.stderr == b"snaphook: it broke\n"


@pytest.mark.parametrize("name", HOSTS)
def test_without_an_event_on_the_command_line_the_common_block_is_sent(name):
    assert refuse(host_named(name), HostCall(), "it broke") == Reply(
        stderr=b"snaphook: it broke\n", exit_code=2
    )


@pytest.mark.parametrize("name", HOSTS)
@settings(max_examples=thorough(50, 15))
@given(data=st.binary(max_size=200))
def test_any_bytes_are_an_event_or_a_wire_error(name, data):
    host = host_named(name)
    with contextlib.suppress(WireError):
        assert isinstance(host.decode(data, HostCall(event=next(iter(host.CAN)))), Event)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
SAMPLES: dict[str, list[tuple[HostCall, dict[str, Any]]]] = {}
for _file in sorted(WIRE.glob("*/*.json")):
    _case = json.loads(_file.read_text())
    SAMPLES.setdefault(_file.parent.name, []).extend(
        (HostCall(**_case["call"]), sample["wire"]) for sample in _case["samples"]
    )


@pytest.mark.parametrize("name", HOSTS)
@settings(max_examples=thorough(80, 20))
@given(data=st.data())
def test_a_real_message_with_fields_missing_or_of_the_wrong_type(name, data):
    """What a decision rests on is there in the event, or the message is refused."""
    host = host_named(name)
    call, wire = data.draw(st.sampled_from(SAMPLES[name]))
    changed = dict(wire)
    for key in data.draw(st.sets(st.sampled_from(sorted(wire)), min_size=1, max_size=3)):
        if data.draw(st.booleans()):
            del changed[key]
        else:
            changed[key] = data.draw(JUNK)
    try:
        event = host.decode(json.dumps(changed).encode(), call)
    except WireError:
        return
    assert isinstance(event, Event)
    if isinstance(event, PreToolUse):
        assert isinstance(event.tool_name, str)
        assert isinstance(event.tool_args, dict)
    if isinstance(event, UserPromptSubmit):
        assert isinstance(event.prompt, str)


@pytest.mark.parametrize("name", HOSTS)
def test_a_huge_command_is_still_a_command(name):
    host = host_named(name)
    call, wire = next(
        (call, wire)
        for call, wire in SAMPLES[name]
        if isinstance(host.decode(json.dumps(wire).encode(), call), PreToolUse)
        and re.search(SAID, json.dumps(wire))
    )
    text = re.sub(SAID, "echo " + "x" * 5_000_000, json.dumps(wire))

    event = host.decode(text.encode(), call)

    assert isinstance(event, PreToolUse)
    assert len(event.tool_args["command"]) > 5_000_000
