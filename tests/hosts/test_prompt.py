"""A prompt that must not be sent is not sent, in each real agent."""

import pytest

from snaphook.testing import say

from .conftest import each_main_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too


@pytest.mark.parametrize("host", each_main_agent())
def test_a_blocked_prompt_never_reaches_the_model(host, bench):
    here = bench(host, say("I have seen it"))
    here.ruled()
    here.wired()

    here.run("my SECRET is 1234")

    assert not any(asked.heard("1234") for asked in here.asked)
