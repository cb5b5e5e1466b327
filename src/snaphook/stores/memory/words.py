"""Text as a store matches it: words taken apart and stemmed.

"readFile in src/io_utils.py failed"  ->  readfile read file src io_utils io util py fail

Names in code are kept whole and in parts, so that ``readFile`` is found by "read file" and the
other way round. Pure, and the same for every store.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from .stem import stem
from .values import Memory

_WORD = re.compile(r"\w+(?:'\w+)*")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LONGEST = 64
"""A word beyond this is cut: it is a digest, a blob, a line of dashes."""

STOP = (
    "a about after all also am an and any are as at be because been before being but by can could "
    "did do does doing for from had has have having he her here hers him his how i if in into is "
    "it its just let me more most my no nor not now of off on once only or other our out over own "
    "same she should so some such than that the their them then there these they this those "
    "through to too up us very was we were what when where which while who whom why will with "
    "would you your"
)
"""Words that a question is full of and that say nothing about what it asks."""


def bag(memory: Memory) -> str:
    """Return the words of *memory* as a store indexes them, with single spaces between them."""
    return " ".join(_terms(f"{memory.text} {memory.quote}" if memory.quote else memory.text))


def terms(text: str) -> tuple[str, ...]:
    """Return what to look for when *text* is asked: each word once, those that say nothing left out.

    Where there are no others, those are kept: something is better than nothing.
    """
    found = tuple(dict.fromkeys(_terms(text)))
    telling = tuple(term for term in found if term not in _STOP_STEMS)
    return telling or found


def _terms(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        yield from _split(match.group()[:_LONGEST])


def _split(word: str) -> Iterator[str]:
    if _WIDE.search(word):
        yield from _pairs(word)
        return
    word = word.removesuffix("'s").replace("'", "")
    lower = word.casefold()
    if lower.isalpha() and word[1:].islower():
        yield stem(lower)
        return
    lower = lower.strip("_")
    if not lower:
        return
    yield stem(lower)
    parts = _PARTS.findall(word)
    if len(parts) > 1:
        yield from (stem(part.casefold()) for part in parts)


def _pairs(word: str) -> Iterator[str]:
    """Yield pairs of characters for scripts that put no spaces between words."""
    if len(word) == 1:
        yield word
    for left, right in pairwise(word):
        yield (left + right).casefold()


_STOP_STEMS = frozenset(stem(word) for word in STOP.split())
