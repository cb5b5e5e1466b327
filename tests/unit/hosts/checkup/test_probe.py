"""Every host understands the probe made for it, and a refusal is recognised as one."""

import pytest

from snaphook.canon import PreToolUse, PreToolUseOutput, UserPromptSubmit, Verdict
from snaphook.hosts import HOSTS, HostCall, Reply, host_named
from snaphook.hosts.checkup import is_refusal, probe


@pytest.mark.parametrize("name", HOSTS)
def test_a_probe_is_a_message_of_its_host(name):
    host = host_named(name)

    for event, can in host.CAN.items():
        if can.event in (PreToolUse, UserPromptSubmit) and name != "generic":
            decoded = host.decode(probe(host, event, "ls -l", "/p"), HostCall(event=event))
            assert isinstance(decoded, can.event)


@pytest.mark.parametrize("name", HOSTS)
def test_a_refusal_of_any_host_is_recognised(name):
    host = host_named(name)
    event = next(event for event, can in host.CAN.items() if can.event is PreToolUse)
    decoded = host.decode(probe(host, event, "ls", "/p"), HostCall(event=event))

    assert is_refusal(host.encode(decoded, PreToolUseOutput(decision=Verdict.DENY, reason="no")))
    assert not is_refusal(host.encode(decoded, PreToolUseOutput(additional_context="x")))
    assert not is_refusal(host.SILENCE)


@pytest.mark.parametrize("reply", [Reply(exit_code=2), Reply(stdout=b"[]"), Reply(stdout=b"no")])
def test_what_hosts_let_pass_is_no_refusal(reply):
    assert not is_refusal(reply)
