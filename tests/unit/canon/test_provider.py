"""The contract: one method makes a provider."""

import pytest

from snaphook.canon import (
    EVENTS,
    METHODS,
    HookContext,
    HooksProvider,
    PreToolUse,
    PreToolUseOutput,
    Verdict,
    implemented,
    name_of,
    session_hooks,
)

NINE = {
    "on_pre_tool_use",
    "on_post_tool_use",
    "on_session_start",
    "on_user_prompt_submitted",
    "on_session_end",
    "on_error_occurred",
    "on_pre_compact",
    "on_subagent_start",
    "on_subagent_stop",
}


class Deny(HooksProvider):
    name = "deny"

    async def on_pre_tool_use(self, event, context):
        return PreToolUseOutput(decision=Verdict.DENY, reason=event.tool_name)


class Duck:
    def on_stop(self, event, context):
        return None


def call(session):
    return PreToolUse(
        context=HookContext(session_id=session), tool_name="Bash", tool_args={"command": "ls"}
    )


@pytest.mark.req("SQ-1")
def test_the_contract_has_the_nine_methods_and_more():
    assert set(METHODS) >= NINE
    assert all(hasattr(HooksProvider, method) for method in METHODS)


@pytest.mark.req("SQ-1")
async def test_a_method_left_alone_has_no_opinion():
    for spec in EVENTS:
        assert await getattr(HooksProvider(), spec.method)(None, None) is None


@pytest.mark.req("SQ-1")
@pytest.mark.parametrize(
    ("provider", "has", "name"),
    [
        pytest.param(Deny(), ["on_pre_tool_use"], "deny", id="derived"),
        pytest.param(Duck(), ["on_stop"], "Duck", id="not derived"),
        pytest.param({"on_stop": print}, ["on_stop"], "dict", id="a mapping of hooks"),
        pytest.param(HooksProvider(), [], "HooksProvider", id="nothing implemented"),
    ],
)
def test_a_provider_has_the_methods_it_implements(provider, has, name):
    assert [method for method, _ in implemented(provider)] == has
    assert name_of(provider) == name


@pytest.mark.req("SQ-8")
async def test_session_hooks_hear_their_own_session_and_no_other():
    hooks = Deny().as_session_hooks("mine")
    mine, theirs = call("mine"), call("theirs")

    said = await hooks["on_pre_tool_use"](mine, mine.context)  # type: ignore[misc]
    assert said == PreToolUseOutput(decision=Verdict.DENY, reason="Bash")
    assert hooks["on_pre_tool_use"](theirs, theirs.context) is None


@pytest.mark.req("SQ-8")
def test_session_hooks_of_any_session_are_the_methods_themselves():
    assert list(session_hooks(Duck())) == ["on_stop"]
