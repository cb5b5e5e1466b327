"""doctor --live, on the real agents: every promise of the tables, in one run each."""

import pytest
from tests.hosts import observed

from snaphook.cli.live import promised
from snaphook.hosts import host_named
from snaphook.testing.agents import AGENTS
from snaphook.testing.agents.observe import observe

from .conftest import PROGRAMS, each_agent

pytestmark = pytest.mark.timeout(400)  # a whole agent starts, on a busy machine too


@pytest.mark.req("BB-1")
@pytest.mark.parametrize("host", each_agent())
def test_every_promise_holds(host):
    agent = AGENTS[host]
    seen = observe(agent, PROGRAMS[host])

    kept = promised(agent, seen)
    assert kept == dict.fromkeys(kept, True)
    assert [tool for tool in seen.tools if not host_named(host).TOOLS.knows(tool)] == []
    observed.check(
        host,
        refused=seen.refused,
        reason=seen.reason,
        question=seen.question,
        own_hooks=seen.own_hooks,
        session=seen.session,
        prompt=seen.prompt,
        result=seen.result,
        stop=seen.stop,
    )
