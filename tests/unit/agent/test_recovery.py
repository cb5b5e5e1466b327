"""What becomes of a model or a tool that failed."""

import pytest
from msgspec import Struct

from snaphook.agent import ErrorBlock, TurnStatus
from snaphook.agent.tools import Tool, ToolResult
from snaphook.canon import (
    ErrorRecoveryOutput,
)
from snaphook.testing import Call, Failure, ScriptedModel, ScriptedProvider, say

from .conftest import shown

RETRY = ErrorRecoveryOutput(retry=True, backoff_ms=0)


@pytest.mark.parametrize(
    ("answers", "script", "status", "models"),
    [
        pytest.param(
            [], "turn\n fail 529\nturn\n say ok", "done", ["m", "m"], id="silence: what passes"
        ),
        pytest.param([], "turn\n fail 401 bad key", "failed", ["m"], id="silence: what does not"),
        pytest.param(
            [ErrorRecoveryOutput(retry=False)],
            "turn\n fail 529\nturn\n say ok",
            "failed",
            ["m"],
            id="a hook says no",
        ),
        pytest.param(
            [ErrorRecoveryOutput(retry=True, fallback_model="other")],
            "turn\n fail 400 bad\nturn\n say ok",
            "done",
            ["m", "other"],
            id="a hook names another model",
        ),
        pytest.param(
            [RETRY] * 20,
            "otherwise\n fail 500",
            "failed",
            ["m"] * 5,
            id="a hook cannot keep it asking for ever",
        ),
        pytest.param(
            [], "turn\n say hal\n drop\nturn\n say ok", "done", ["m", "m"], id="broken connection"
        ),
        pytest.param([], "turn\n garble\nturn\n say ok", "done", ["m", "m"], id="malformed chunk"),
    ],
)
async def test_what_happens_after_the_model_failed(make, answers, script, status, models):
    model = ScriptedModel(script)
    agent = make(model, ScriptedProvider("on_error_occurred", *answers), options={"model": "m"})

    result = await agent.send_message("go")

    assert str(result.status) == status
    assert [asked.model for asked in model.asked] == models


async def test_a_recovery_can_reword_the_prompt(make):
    other = ErrorRecoveryOutput(retry=True, modified_prompt="in other words", backoff_ms=0)
    model = ScriptedModel([Failure(status=400, message="content_filter"), say("ok")])
    agent = make(model, ScriptedProvider("on_error_occurred", other))

    await agent.send_message("in these words")

    assert [line.text for line in model.asked[1].lines] == ["in other words"]
    assert shown(agent.messages)[0] == ("user", "TextBlock", "in other words")


async def test_the_error_hook_is_told_what_a_recovery_needs(make):
    hook = ScriptedProvider("on_error_occurred")
    agent = make([Failure(status=429, retry_after=0.001), say("ok")], hook, options={"model": "m"})

    await agent.send_message("go")

    event = hook.events[0]
    assert (event.error_class, str(event.error_type), event.current_model) == (
        "rate_limit",
        "network",
        "m",
    )
    assert (event.attempt, event.retry_after_ms) == (1, 1)


async def test_a_model_failure_ends_in_a_state_from_which_the_session_goes_on(make):
    model = ScriptedModel([Failure(status=401, message="bad key"), say("Hello again.")])
    agent = make(model)

    failed = await agent.send_message("hello")
    assert failed.status is TurnStatus.FAILED
    assert failed.error is not None
    assert "answered 401: bad key" in failed.error
    assert isinstance(agent.messages[-1].blocks[-1], ErrorBlock)

    result = await agent.send_message("still there?")
    assert result.text == "Hello again."
    assert [line.text for line in model.asked[1].lines] == ["hello", "still there?"]


class NoArgs(Struct, frozen=True):
    """Nothing to say."""


@pytest.mark.parametrize(
    ("answers", "runs", "success"),
    [
        pytest.param([], 1, False, id="silence"),
        pytest.param([RETRY], 2, True, id="a hook says so"),
    ],
)
async def test_a_tool_that_breaks_is_tried_again_only_if_a_hook_says_so(
    make, answers, runs, success
):
    tries = 0

    async def shaky(args, context):
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ZeroDivisionError("oh")
        return ToolResult(text="fine")

    tool = Tool(name="Shaky", description="", args=NoArgs, run=shaky, harmless=True)
    hook = ScriptedProvider("on_error_occurred", *answers)
    agent = make([say("", Call("Shaky")), say("ok")], hook, options={"tools": (tool,)})

    await agent.send_message("go")

    assert (tries, agent.messages[1].tools[0].success) == (runs, success)
    assert hook.events[0].error == "Shaky: failed with ZeroDivisionError: oh"
