"""doctor --live, on the real agents."""

import pytest

from snaphook.cli.live import promises
from snaphook.testing.agents import AGENTS

from .conftest import PROGRAMS, each_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too


@pytest.mark.parametrize("host", each_agent())
def test_every_promise_holds(host):
    kept = promises(AGENTS[host], str(PROGRAMS[host]))

    assert kept == dict.fromkeys(kept, True)
