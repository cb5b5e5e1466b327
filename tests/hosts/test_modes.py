"""A question in each permission mode of each agent that can be asked: nobody answers, nothing runs."""

import pytest

from snaphook.canon import PreToolUse, Verdict
from snaphook.hosts import host_named
from snaphook.testing import say
from snaphook.testing.agents import AGENTS

from .conftest import HERE

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

ASKS = r"""
[[hooks.PreToolUse]]
matcher = "Bash"
command = '''echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse",
  "permissionDecision": "ask", "permissionDecisionReason": "QUESTION-MARK"}}' '''
"""


def asking() -> list[object]:
    """Return the agents whose table says that a question may be put, with each of their modes."""
    return [
        pytest.param(name, mode, marks=pytest.mark.needs(name), id=f"{name}, {mode}")
        for name in HERE
        for mode in AGENTS[name].modes
        if any(
            can.event is PreToolUse and Verdict.ASK in can.say
            for can in host_named(name).CAN.values()
        )
    ]


@pytest.mark.parametrize(("host", "mode"), asking())
def test_a_question_that_nobody_answers_is_a_refusal(host, mode, bench):
    here = bench(host)
    here.script(say("", here.agent.runs("echo x > asked.txt")), say("done"))
    here.ruled(ASKS)
    here.wired()

    here.run(mode=mode)

    assert here.asked, "the shell was there to be called"
    assert here.made() == set()
