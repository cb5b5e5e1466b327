"""told: the right words reach the right ears."""

import pytest

from snaphook.canon import (
    HookContext,
    Message,
    PostToolUse,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
    Recipient,
    SessionStart,
    SessionStartOutput,
    Stop,
    StopOutput,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)
from snaphook.canon.delivery import Delivery, deliver

HERE = HookContext(session_id="s")
CALL = PreToolUse(context=HERE, tool_name="Bash", tool_args={})


@pytest.mark.parametrize(
    ("event", "output", "heard"),
    [
        pytest.param(CALL, None, Delivery(), id="silence"),
        pytest.param(
            CALL,
            PreToolUseOutput(decision=Verdict.DENY, reason="no"),
            Delivery(verdict=Verdict.DENY, to_agent=("no",)),
            id="a denied call is explained to the agent",
            marks=pytest.mark.req("WX-6"),
        ),
        pytest.param(
            CALL,
            PreToolUseOutput(decision=Verdict.ASK, reason="sure?"),
            Delivery(verdict=Verdict.ASK, to_user=("sure?",)),
            id="a question is put to the person",
        ),
        pytest.param(
            PostToolUse(context=HERE, tool_name="Edit", tool_args={}),
            PostToolUseOutput(decision=Verdict.BLOCK, reason="lint"),
            Delivery(verdict=Verdict.BLOCK, to_agent=("lint",)),
            id="feedback on a result goes to the agent",
            marks=pytest.mark.req("WX-8"),
        ),
        pytest.param(
            UserPromptSubmit(context=HERE, prompt="p"),
            UserPromptOutput(decision=Verdict.DENY, reason="not this"),
            Delivery(verdict=Verdict.DENY, to_user=("not this",), prompt_erased=True),
            id="an erased prompt is explained to the person alone",
            marks=pytest.mark.req("WX-9"),
        ),
        pytest.param(
            Stop(context=HERE),
            StopOutput(decision=Verdict.BLOCK, reason="tests fail"),
            Delivery(verdict=Verdict.BLOCK, to_agent=("tests fail",)),
            id="an agent sent back hears why",
            marks=pytest.mark.req("WX-12"),
        ),
        pytest.param(
            SessionStart(context=HERE),
            SessionStartOutput(
                additional_context=("a", "b"),
                messages=(Message("note"), Message("both", Recipient.BOTH)),
            ),
            Delivery(to_agent=("both",), to_user=("note", "both"), context=("a", "b")),
            id="messages name their own recipient",
        ),
    ],
)
def test_the_right_words_reach_the_right_ears(event, output, heard):
    assert deliver(event, output) == heard
