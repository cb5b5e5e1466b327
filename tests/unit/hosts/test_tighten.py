"""A host that lacks a verdict hears the next stricter one, never a milder one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snaphook.canon import (
    HookContext,
    Message,
    PermissionRequest,
    PermissionRequestOutput,
    PreToolUse,
    PreToolUseOutput,
    Recipient,
    Stop,
    StopOutput,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)
from snaphook.hosts.host import Can
from snaphook.hosts.tighten import HostDecision, clip, host_decision, tighten

ALLOW, MODIFY, ASK, DENY, BLOCK = Verdict
HERE = HookContext(session_id="s")
CALL = PreToolUse(context=HERE, tool_name="Bash", tool_args={"command": "rm x"})


@pytest.mark.parametrize(
    ("wanted", "able", "said"),
    [
        pytest.param(DENY, (DENY,), DENY, id="what it knows, it hears"),
        pytest.param(MODIFY, (ALLOW, ASK, DENY), ASK, id="cannot rewrite, so ask"),
        pytest.param(MODIFY, (ALLOW, DENY), DENY, id="cannot rewrite nor ask, so refuse"),
        pytest.param(ASK, (ALLOW, DENY), DENY, id="no way to ask, so refuse"),
        pytest.param(ALLOW, (DENY,), None, id="cannot allow, so its own rules decide"),
        pytest.param(DENY, (), None, id="no way to refuse at all"),
        pytest.param(BLOCK, (), None, id="no way to block at all"),
        pytest.param(None, (ALLOW, DENY), None, id="no opinion stays none"),
    ],
)
def test_a_verdict_is_never_made_milder(wanted, able, said):
    assert tighten(wanted, able) == said


@given(wanted=st.sampled_from(Verdict), able=st.sets(st.sampled_from(Verdict)))
def test_no_set_of_abilities_makes_a_verdict_milder(wanted, able):
    said = tighten(wanted, tuple(able))

    assert said is None or said.severity >= wanted.severity
    if wanted in (MODIFY, ASK) and able & {ASK, DENY}:
        assert said is not None


def test_a_rewrite_the_host_cannot_do_is_proposed_in_the_reason():
    output = PreToolUseOutput(decision=MODIFY, modified_args={"command": "rm -i x"}, reason="Ask.")

    said = host_decision(CALL, output, Can(PreToolUse, (DENY,)), "Wave")

    assert said == HostDecision(
        verdict=DENY,
        reason="Ask. (Wave does not support changing this, so it was denied.) Instead: rm -i x",
    )


def test_arguments_changed_without_a_verdict_count_as_a_rewrite():
    output = PreToolUseOutput(decision=ALLOW, modified_args={"command": "rm -i x"})

    said = host_decision(CALL, output, Can(PreToolUse, (ALLOW, MODIFY)), "Gemini CLI")

    assert said == HostDecision(verdict=MODIFY, args={"command": "rm -i x"})


def test_a_permission_for_other_arguments_is_none_where_they_cannot_be_changed():
    asked = PermissionRequest(context=HERE, tool_name="Bash", tool_args={"command": "rm x"})
    output = PermissionRequestOutput(decision=ALLOW, modified_args={"command": "rm -i x"})

    said = host_decision(asked, output, Can(PermissionRequest, (ALLOW, DENY)), "Codex")

    assert said == HostDecision()


def test_a_refusal_always_has_a_reason():
    said = host_decision(
        CALL, PreToolUseOutput(decision=DENY, by="guard"), Can(PreToolUse, (DENY,)), "X"
    )

    assert said == HostDecision(verdict=DENY, reason="guard gave no reason.")


def test_asking_with_nobody_there_is_refusing_where_the_host_would_hang():
    can = Can(PreToolUse, (ASK, DENY), unattended=(DENY,))
    alone = PreToolUse(
        context=HookContext(session_id="s", headless=True), tool_name="Bash", tool_args={}
    )
    output = PreToolUseOutput(decision=ASK, reason="Sure?")

    assert host_decision(CALL, output, can, "Gemini CLI").verdict is ASK
    assert host_decision(alone, output, can, "Gemini CLI").verdict is DENY


def test_context_the_host_would_lose_goes_to_the_person():
    output = PreToolUseOutput(
        additional_context=("one", "two"), messages=(Message("three", Recipient.BOTH),)
    )

    assert host_decision(CALL, output, Can(PreToolUse), "X") == HostDecision(
        note="three\none\ntwo\nthree"
    )
    assert host_decision(CALL, output, Can(PreToolUse, context=True), "X") == HostDecision(
        context="one\n\ntwo\n\nthree", note="three"
    )


def test_a_block_the_host_does_not_know_becomes_context():
    stop = Stop(context=HERE)

    said = host_decision(
        stop, StopOutput(decision=BLOCK, reason="Red."), Can(Stop, context=True), "X"
    )

    assert said == HostDecision(reason="Red.", context="Red. (X does not support blocking this.)")


def test_a_prompt_that_cannot_be_rewritten_is_not_let_through_as_it_was():
    prompt = UserPromptSubmit(context=HERE, prompt="my key is 123")
    output = UserPromptOutput(modified_prompt="my key is …")

    said = host_decision(prompt, output, Can(UserPromptSubmit, (DENY,)), "Codex")

    assert said == HostDecision(
        verdict=DENY,
        reason="(Codex does not support changing this, so it was denied.) Instead: my key is …",
    )


def test_long_text_is_cut_with_a_word_about_the_rest():
    assert clip("a" * 50, 50) == "a" * 50
    assert len(clip("a" * 90, 50)) == 50
    assert clip("a" * 90, 50).endswith("… [40 more characters]")
