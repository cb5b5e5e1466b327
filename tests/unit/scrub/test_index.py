"""index: no keyword that stands in a text is left out."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.scrub import RULES
from snaphook.scrub.index import IndexedText, places
from snaphook.scrub.secrets import ALWAYS, INSIDE, _index
from snaphook.testing.secrets import made_up_secret


def standing(text: IndexedText) -> set[str]:
    """Return the keywords of *text* that count, found by looking for each of them."""
    return {
        keyword
        for rule in RULES
        for keyword in rule.keywords
        for place in places(keyword, text.lower)
        if keyword in INSIDE or keyword in ALWAYS or text.begins_at(place)
    }


def test_what_gives_a_secret_away_is_found_for_every_rule():
    for rule in RULES:
        made = made_up_secret(rule, random.Random(rule.id))
        text = IndexedText(f"x {made.text} y".encode())

        assert not set(rule.keywords).isdisjoint(_index().occurring(text)), rule.id


WORDS = {word for rule in RULES for word in rule.keywords}
LONG = sorted(word for word in WORDS if len(word.strip("-")) > 3 and not word.startswith("-us"))
"""Shorter marks count only as words of their own, or at the head of a long one."""


@settings(max_examples=thorough(200, 40), deadline=None)
@given(
    st.lists(st.sampled_from(LONG) | st.text(max_size=6), max_size=12), st.sampled_from(" _\n-=")
)
def test_looking_at_words_finds_what_looking_for_each_keyword_finds(pieces, between):
    text = IndexedText(between.join(pieces).encode("utf-8", "surrogatepass"))

    found = _index().occurring(text)

    assert standing(text) & set(LONG) <= found


def test_a_word_begins_at_a_hump_too():
    text = IndexedText(b"myClientSecret HTTPServer a1B caf\xc3\xa9x")

    begins = [letter for place, letter in enumerate(text.letters) if text.begins_at(place)]

    assert "".join(begin for begin in begins if begin.isalnum() and begin.isascii()) == "mCSHaBcx"
