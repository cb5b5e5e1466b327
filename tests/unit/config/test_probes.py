"""The doctor's probes are known by their exact text and their mark."""

import pytest

from snaphook.config.probes import DANGEROUS, SESSION, is_probe


@pytest.mark.parametrize(
    ("command", "session", "env", "probe"),
    [
        pytest.param(DANGEROUS, SESSION, {}, True, id="by its session"),
        pytest.param(DANGEROUS, "", {"SNAPHOOK_PROBE": "1"}, True, id="by its variable"),
        pytest.param(DANGEROUS, "s1", {}, False, id="an agent's own call"),
        pytest.param("rm -rf ~", SESSION, {"SNAPHOOK_PROBE": "1"}, False, id="another command"),
    ],
)
def test_a_probe_is_the_doctors_own_call_and_no_other(command, session, env, probe):
    assert is_probe(command, session, env) is probe
