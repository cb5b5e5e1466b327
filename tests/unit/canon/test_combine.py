"""combine: the laws every answer relies on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snaphook.canon import (
    ErrorRecoveryOutput,
    Message,
    PreToolUseOutput,
    SessionStartOutput,
    UserPromptOutput,
    Verdict,
)
from snaphook.canon.combine import JOIN, combine
from snaphook.canon.outputs import as_texts
from snaphook.canon.table import EVENTS

texts = st.text("abc", min_size=1, max_size=3)
args = st.dictionaries(st.sampled_from(["command", "path"]), texts, min_size=1)


@st.composite
def answers(draw):
    decision = draw(
        st.sampled_from([None, Verdict.ALLOW, Verdict.MODIFY, Verdict.ASK, Verdict.DENY])
    )
    return PreToolUseOutput(
        decision=decision,
        reason=draw(st.none() | texts),
        by=draw(texts),
        modified_args=draw(args) if decision is Verdict.MODIFY else None,
        additional_context=draw(st.none() | texts | st.tuples(texts, texts)),
        messages=tuple(draw(st.lists(texts.map(Message), max_size=2))),
    )


maybe = st.none() | answers()


@given(maybe, maybe, maybe)
def test_grouping_does_not_matter(a, b, c):
    left = combine([combine([a, b]), c])
    right = combine([a, combine([b, c])])

    assert left == right == combine([a, b, c])


@given(maybe)
def test_none_is_neutral(answer):
    assert combine([None, answer]) == combine([answer, None]) == combine([answer]) == answer


@given(st.lists(maybe, max_size=6))
def test_a_deny_is_never_lost(given_answers):
    combined = combine(given_answers)
    denied = any(a is not None and a.decision is Verdict.DENY for a in given_answers)

    assert (combined is not None and combined.decision is Verdict.DENY) == denied


@given(st.lists(answers(), min_size=1, max_size=6))
def test_the_first_of_the_severest_speaks_for_all(given_answers):
    combined = combine(given_answers)
    assert combined is not None
    severest = max(a.decision.severity if a.decision else 0 for a in given_answers)
    first = next(a for a in given_answers if (a.decision.severity if a.decision else 0) == severest)

    assert (combined.decision, combined.reason, combined.by) == (
        first.decision,
        first.reason,
        first.by,
    )


@given(st.lists(answers(), min_size=1, max_size=6))
def test_contexts_and_messages_keep_their_order(given_answers):
    combined = combine(given_answers)
    assert combined is not None

    assert as_texts(combined.additional_context) == sum(
        (as_texts(a.additional_context) for a in given_answers), ()
    )
    assert combined.messages == sum((a.messages for a in given_answers), ())


def test_every_field_of_every_output_knows_how_to_join():
    fields = {name for spec in EVENTS for name in spec.output.__struct_fields__}

    assert fields - {"decision", "reason", "by", "rule"} == set(JOIN)


def test_a_stop_leaves_no_changed_call_behind():
    combined = combine(
        [
            PreToolUseOutput(decision=Verdict.MODIFY, modified_args={"command": "ls"}),
            PreToolUseOutput(decision=Verdict.DENY, reason="no"),
        ]
    )

    assert combined == PreToolUseOutput(decision=Verdict.DENY, reason="no")


def test_an_ask_is_about_the_changed_call():
    combined = combine(
        [
            PreToolUseOutput(decision=Verdict.ASK, reason="sure?"),
            PreToolUseOutput(decision=Verdict.MODIFY, modified_args={"command": "ls"}),
        ]
    )

    assert combined == PreToolUseOutput(
        decision=Verdict.ASK, reason="sure?", modified_args={"command": "ls"}
    )


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        pytest.param(
            SessionStartOutput(environment={"A": "1", "B": "1"}, modified_config={"model": "x"}),
            SessionStartOutput(environment={"B": "2"}),
            SessionStartOutput(environment={"A": "1", "B": "2"}, modified_config={"model": "x"}),
            id="environments merge, the later value wins",
        ),
        pytest.param(
            UserPromptOutput(modified_prompt="one", captured_directives=("a",)),
            UserPromptOutput(modified_prompt="two", captured_directives=("b",)),
            UserPromptOutput(modified_prompt="two", captured_directives=("a", "b")),
            id="prompts chain, directives add up",
        ),
        pytest.param(
            ErrorRecoveryOutput(retry=True, fallback_model="small", backoff_ms=100),
            ErrorRecoveryOutput(retry=False, fallback_model="other", backoff_ms=900),
            ErrorRecoveryOutput(retry=False, fallback_model="small", backoff_ms=900),
            id="one provider that gives up ends the retries",
        ),
        pytest.param(
            ErrorRecoveryOutput(retry=True),
            ErrorRecoveryOutput(fallback_model="other"),
            ErrorRecoveryOutput(retry=True, fallback_model="other"),
            id="one that leaves the retry to others does not end it",
        ),
    ],
)
def test_two_answers_become_one(first, second, together):
    assert combine([first, second]) == together
