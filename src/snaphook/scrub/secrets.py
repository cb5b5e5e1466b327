"""Secrets in a text.

IndexedText  ->  keywords that occur  ->  rules at those places  ->  Findings

Pure, and linear in the length of the text: every expression starts at a keyword and ends within a
bound.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from .finding import Finding
from .index import IndexedText, KeywordIndex, places
from .rule import SecretRule
from .rules import RULES

INSIDE = ("password", "passwd", "passphrase", "pwd", "secret", "apikey", "token")
"""Names that count in the middle of a longer word too, as in ``dbpassword``."""

ALWAYS = frozenset(("://", ":aa", "q~", "<<<"))
"""Keywords that no word gives away; they are looked for in every text."""


def secrets_in(text: IndexedText) -> Iterator[Finding]:
    """Yield every secret of *text*, overlaps included."""
    rules = _by_keyword()
    for keyword in _index().occurring(text):
        anywhere = keyword in INSIDE or keyword in ALWAYS or not keyword[0].isalnum()
        end = 0
        for place in places(keyword, text.lower):
            if place >= end and (anywhere or text.begins_at(place)):
                for finding in _at(text.letters, place, rules[keyword]):
                    end = finding.end
                    yield finding


def _at(letters: str, place: int, rules: Mapping[int, SecretRule]) -> Iterator[Finding]:
    for rank, rule in rules.items():
        span = rule.at(letters, place)
        if span is not None:
            yield Finding(*span, rule.id, rank=rank)


@cache
def _by_keyword() -> Mapping[str, Mapping[int, SecretRule]]:
    table: dict[str, dict[int, SecretRule]] = {}
    for rank, rule in enumerate(RULES):
        for keyword in rule.keywords:
            table.setdefault(keyword, {})[rank] = rule
    return table


@cache
def _index() -> KeywordIndex:
    return KeywordIndex(_by_keyword(), inside=INSIDE, always=ALWAYS)
