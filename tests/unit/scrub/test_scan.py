"""scan: no place at which a rule fits is left out, wherever in a text it is."""

import json
import random

import pytest

from snaphook.scrub import RULES, Scrubber, SecretRule
from snaphook.scrub.scan import BEFORE, Hint, Scan, ScannedText
from snaphook.scrub.secrets import secrets_in
from snaphook.testing.secrets import made_up_secret

WINDOW = 16_384


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_a_rule_fits_its_hint_fits_too(rule: SecretRule):
    scan = Scan(rule.where)
    for seed in range(8):
        made = made_up_secret(rule, random.Random(f"{rule.id}/{seed}"))
        text = f"x {made.text} y"
        places = [
            at
            for at in range(len(text))
            if any(text.lower().startswith(w, at) for w in rule.keywords)
        ]
        fitting = [
            at for at in places if rule.at(text, at)[0] and ScannedText(text.encode()).begins_at(at)
        ]

        hinted = set(scan.places(text.encode()))

        assert not fitting or {at - back for at in fitting for back in range(BEFORE + 1)} & hinted


@pytest.mark.parametrize("before", range(WINDOW - 80, WINDOW + 4, 7))
def test_a_secret_across_two_windows_is_found(before: int):
    token = "ghp_" + "a1B2" * 9
    text = "x" * (before - 1) + " " + token + " mysql -pHunter2xyz " + "y " * 9_000

    found = {finding.kind for finding in secrets_in(ScannedText(text.encode()))}

    assert found == {"github-pat", "database-password"}


def test_a_token_behind_the_escapes_of_a_json_string_is_found():
    tokens = ["ghp_" + "a1B2" * 9, "AKIA" + "Z7Q3" * 4, "xoxb-1234567890-abcdefGHIJ"]
    text = json.dumps("a\n" + "\n".join(tokens) + "\t" + tokens[0])

    assert [token for token in tokens if token in Scrubber().text(text)] == []


def test_hints_that_overlap_are_all_found():
    scan = Scan([Hint("abc"), Hint("bcd"), Hint("cde")])

    assert list(scan.places(b"abcde")) == [0, 1, 2]


def test_a_word_begins_at_a_hump_too():
    text = ScannedText(b"myClientSecret HTTPServer a1B caf\xc3\xa9x")

    begins = [letter for place, letter in enumerate(text.letters) if text.begins_at(place)]

    assert "".join(begin for begin in begins if begin.isalnum() and begin.isascii()) == "mCSHaBcx"
