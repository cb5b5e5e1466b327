"""Where a text may hold something that must not be kept: one pass, whatever the number of rules.

hints  ->  one expression  ->  the places of a text at which one of them fits

The expression is RE2's, so a text is read once and no text makes it slow. Measured on 57 KB of source
with some 450 rules: 0.2 ms, where looking for each keyword takes 20 ms and an Aho-Corasick automaton,
which knows keywords but not what must follow them, hands twenty times as many places on to Python.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

_MEMORY = 64 << 20
"""Bytes RE2 may use. With its default of 8 MB it forgets its states and builds them again: 100 x slower."""


class Hint(Struct, frozen=True):
    """What must stand where a rule can match, in RE2's syntax: no look-around, no long repeats.

    Hints with the same tail share it, which keeps the expression small (7,000 instructions, not 97,000).
    """

    head: str
    tail: str = ""


COMMAND = r"(?:\b|\\[nrt])"
"""Before the name of a program: the beginning of a word, or the end of a line in a JSON string."""


def at_word(start: str) -> str:
    """Return what may stand before *start* where it begins a word: see ``begins_at``.

    It belongs to the match, so a place is up to two characters before the word. Without it a run of one
    letter would be a place at every letter.
    """
    before = "[^A-Z]" if start[:1].isupper() else r"[^A-Za-z0-9]|\\[nrt]"
    return rf"(?:\A|{before})" if start[:1].isalnum() else ""


_WINDOW = 16_384
"""Bytes handed to RE2 at a time: its binding copies the text for every match."""
_LONGEST = 512
"""Bytes of the longest hint."""
BEFORE = 2
"""How many characters before its word a place may be."""


def any_of(words: Iterable[str]) -> str:
    """Return the expression for one of *words*, in upper or lower case."""
    return f"(?i:{'|'.join(re.escape(word) for word in words)})"


class ScannedText:
    """A text, prepared: one character per byte, so that places mean the same everywhere."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.letters = raw.decode("latin-1")

    def begins_at(self, place: int) -> bool:
        """Say whether a word begins at *place*; ``Key`` in ``apiKey`` is one."""
        if place == 0:
            return True
        before, here = self.letters[place - 1], self.letters[place]
        if not before.isalnum() or not before.isascii() or not here.isalnum():
            return True
        if before in "nrt" and self.letters[place - 2 : place - 1] == "\\":
            return True
        return here.isupper() and not before.isupper()


class Scan:
    """Finds the places of a text at which any of its hints fits."""

    def __init__(self, hints: Iterable[Hint]) -> None:
        self._hints = tuple(hints)

    def places(self, raw: bytes) -> Iterator[int]:
        """Yield the places, from left to right."""
        search = self._compiled.search
        for base in range(0, len(raw), _WINDOW):
            begin = max(0, base - BEFORE)
            window = raw[begin : base + _WINDOW + _LONGEST]
            found = search(window, base - begin)
            while found is not None and (place := begin + found.start()) < base + _WINDOW:
                yield place
                # From the next byte, not from the end of the match: another hint may fit within it.
                found = search(window, place - begin + 1)

    @cached_property
    def _compiled(self) -> Any:
        import re2  # type: ignore[import-untyped, import-not-found, unused-ignore]  # C++, 4 ms

        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.never_capture = True
        options.max_mem = _MEMORY
        return re2.compile(self._expression().encode("latin-1"), options)

    def _expression(self) -> str:
        by_tail: dict[str, list[str]] = {}
        for hint in self._hints:
            by_tail.setdefault(hint.tail, []).append(hint.head)
        return "|".join(f"(?:{'|'.join(heads)}){tail}" for tail, heads in by_tail.items())
