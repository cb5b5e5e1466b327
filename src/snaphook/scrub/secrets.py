"""Secrets in a text.

ScannedText  ->  places where a hint fits  ->  rules whose keyword stands there  ->  Findings

Pure, and linear in the length of the text: every expression starts at a keyword and ends within a
bound, and no rule looks at the same characters of a command twice.
"""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from .finding import Finding
from .rule import SecretRule
from .rules import RULES
from .scan import BEFORE, Scan, ScannedText

INSIDE = ("password", "passwd", "passphrase", "pwd", "secret", "apikey", "token")
"""Names that count in the middle of a longer word too, as in ``dbpassword``."""


class _Entry(Struct, frozen=True):
    """A rule under one of its keywords."""

    keyword: str
    anywhere: bool
    """The keyword counts within a word too."""
    rank: int
    rule: SecretRule


def secrets_in(text: ScannedText) -> Iterator[Finding]:
    """Yield every secret of *text*, overlaps included."""
    looked: dict[int, int] = {}
    reached = 0
    for hinted in _scan().places(text.raw):
        for place in range(max(reached, hinted), hinted + BEFORE + 1):
            yield from _at(text, place, looked)
        reached = hinted + BEFORE + 1


def _at(text: ScannedText, place: int, looked: dict[int, int]) -> Iterator[Finding]:
    """Yield what the rules find whose keyword stands at *place*; *looked* is how far each has looked."""
    table, letters = _by_beginning(), text.letters
    here = letters[place : place + _LONGEST].lower()
    entries = (*table.get(here[:2], ()), *table.get(here[:1], ()))
    if not entries:
        return
    begins = text.begins_at(place)
    for entry in entries:
        if (
            here.startswith(entry.keyword)
            and (begins or entry.anywhere)
            and place >= looked.get(entry.rank, 0)
        ):
            spans, looked[entry.rank] = entry.rule.at(letters, place)
            for span in spans:
                yield Finding(*span, entry.rule.id, rank=entry.rank)


_LONGEST = 32
"""Characters of the longest keyword."""


@cache
def _by_beginning() -> dict[str, tuple[_Entry, ...]]:
    """Return the rules by the first two letters of their keywords; ``-`` is one by itself."""
    table: dict[str, list[_Entry]] = {}
    for rank, rule in enumerate(RULES):
        for keyword in rule.keywords:
            assert len(keyword) <= _LONGEST, keyword
            anywhere = keyword in INSIDE or not keyword[0].isalnum() or rule.lead > 0
            table.setdefault(keyword[:2], []).append(_Entry(keyword, anywhere, rank, rule))
    return {beginning: tuple(entries) for beginning, entries in table.items()}


@cache
def _scan() -> Scan:
    return Scan(hint for rule in RULES for hint in rule.where)
