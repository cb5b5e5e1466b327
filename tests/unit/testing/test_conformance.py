"""conformance: the suite finds each broken promise, and nothing else."""

import asyncio

import pytest

from snaphook.canon import (
    HooksProvider,
    PreToolUseOutput,
    StopOutput,
    UserPromptOutput,
    Verdict,
)
from snaphook.engine import CompositeHooksProvider
from snaphook.providers.policies import DefaultHooksProvider, PolicyConfig
from snaphook.testing.conformance import Fault, check_provider
from snaphook.testing.providers import Recorder, ScriptedProvider


class Mutates(HooksProvider):
    async def on_pre_tool_use(self, event, context):
        event.tool_args["touched"] = True


class Raises(HooksProvider):
    def on_stop(self, event, context):
        raise ZeroDivisionError("by zero")


class SaysTooMuch(HooksProvider):
    async def on_stop(self, event, context):
        return StopOutput(decision=Verdict.ALLOW)


class AnswersOutOfTurn(HooksProvider):
    async def on_user_prompt_submitted(self, event, context):
        return StopOutput(decision=Verdict.BLOCK, reason="no")


class Sleeps(HooksProvider):
    async def on_session_end(self, event, context):
        await asyncio.sleep(60)


class Leaks(HooksProvider):
    def __init__(self):
        self.last = None

    async def on_user_prompt_submitted(self, event, context):
        seen, self.last = self.last, context.session_id
        return UserPromptOutput(additional_context=seen) if seen else None


class Typo(HooksProvider):
    async def on_pre_tool_used(self, event, context):
        return None

    async def on_stop(self, event, context):
        return None


class Deaf:
    name = "deaf"


class BadStance(HooksProvider):
    stance = "ajar"  # type: ignore[assignment]
    timeout = -1

    async def on_stop(self, event, context):
        return None


def promises(provider, **options):
    return {(fault.promise, fault.method) for fault in check_provider(provider, **options)}


@pytest.mark.parametrize(
    ("provider", "broken"),
    [
        (Mutates, {("leaves events as they are", "on_pre_tool_use")}),
        (Raises, {("does not raise", "on_stop")}),
        (SaysTooMuch, {("answers are legal", "on_stop")}),
        (AnswersOutOfTurn, {("answers are legal", "on_user_prompt_submitted")}),
        (Leaks, {("sessions do not learn of each other", "on_user_prompt_submitted")}),
        (Typo, {("its methods are known", "on_pre_tool_used")}),
        (Deaf, {("hears something", "")}),
        (BadStance, {("its stance is known", ""), ("its timeout is a time", "")}),
    ],
)
def test_a_broken_promise_is_found(provider, broken):
    assert promises(provider) == broken


def test_an_answer_that_takes_too_long_is_found():
    assert promises(Sleeps, within=0.01) == {("answers in time", "on_session_end")}


def test_a_fault_says_what_to_do():
    assert check_provider(SaysTooMuch) == [
        Fault(
            promise="answers are legal",
            method="on_stop",
            what="said 'allow'. Stop takes block.",
        )
    ]


def test_a_provider_may_mean_to_connect_sessions():
    assert check_provider(Leaks, isolated=False) == []


@pytest.mark.req("SQ-1")
@pytest.mark.parametrize(
    "provider",
    [
        pytest.param(Recorder, id="a recorder"),
        pytest.param(DefaultHooksProvider, id="the default provider"),
        pytest.param(
            lambda: DefaultHooksProvider(
                PolicyConfig(
                    allowed_write_paths=("src/**",),
                    max_ask_user_per_session=1,
                    scrub_pii=True,
                    scrub_secrets=True,
                    reviewer_lockout=True,
                )
            ),
            id="every policy on",
        ),
        pytest.param(lambda: CompositeHooksProvider([Recorder(), Recorder()]), id="a composite"),
        pytest.param(
            ScriptedProvider("on_pre_tool_use", PreToolUseOutput()), id="one already made"
        ),
        pytest.param({"on_stop": lambda event, context: None}, id="a mapping"),
    ],
)
def test_our_own_providers_keep_their_promises(provider):
    assert check_provider(provider) == []
