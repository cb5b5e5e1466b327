"""rules: each finds what it describes, and none of it survives."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.scrub import RULES, Scrubber, SecretRule, reference
from snaphook.testing.secrets import made_up_secret

SCRUBBER = Scrubber(salt=b"salt")
AROUND = [
    "{}",
    "before {} after",
    'key = "{}"',
    "{{'value': '{}'}}",
    "line one\n{}\nline three",
    "ünïcödé → {} ←",
    "https://example.com/?q={} ok",
    "({})",
]


def test_there_are_at_least_200_kinds_each_with_its_own_name():
    assert len(RULES) >= 200
    assert [name for name, times in Counter(rule.id for rule in RULES).items() if times > 1] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_it_is_and_what_gives_it_away(rule: SecretRule):
    assert rule.what
    assert rule.keywords
    assert all(word == word.lower() and word for word in rule.keywords)
    assert re.compile(rule.regex).groups <= 2


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_positive_example_of_a_rule_survives(rule: SecretRule):
    for seed in range(4):
        dice = random.Random(f"{rule.id}{seed}")
        made = made_up_secret(rule, dice)
        around = dice.choice(AROUND) if not set("\"'`") & set(made.text) else "{}"

        scrubbed = SCRUBBER.text(around.format(made.text))

        assert made.secret not in scrubbed, made.text
        assert "[REDACTED:" in scrubbed


@settings(max_examples=thorough(150, 40), deadline=None)
@given(data=st.data())
def test_several_secrets_in_any_text_are_all_gone_and_stay_gone(data: st.DataObject):
    chosen = data.draw(st.lists(st.sampled_from(RULES), min_size=1, max_size=4))
    dice = random.Random(data.draw(st.integers(0, 1_000)))
    found = [made_up_secret(rule, dice) for rule in chosen]
    between = [data.draw(st.text(max_size=20)) for _ in range(len(found) + 1)]
    text = between[0] + "".join(
        f"\n{made.text}\n{after}" for made, after in zip(found, between[1:], strict=True)
    )

    once = SCRUBBER.text(text)

    assert [made for made in found if made.secret in once] == []
    assert SCRUBBER.text(once) == once


def test_the_reference_lists_every_rule():
    page = reference()

    assert [rule.id for rule in RULES if f"| `{rule.id}` |" not in page] == []
