"""How many steps Python's engine may take for an expression, whatever it reads.

expression  ->  repeats that may share a text among them, and ways to read it without them

Pure. A proof, not a guess: the engine tries each way to read a text at most once, so what is bounded here
cannot be slow; what cannot be bounded (a repeat of something that can itself be read in two ways, a
back-reference) counts as slow.
"""

from importlib import import_module
from typing import Any

from msgspec import Struct

MOST_WAYS = 64
"""Alternatives and short repeats, multiplied."""
_ONE = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "AT", "RANGE", "CATEGORY"})
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_STARTS = frozenset({"AT_BEGINNING_STRING", "AT_BEGINNING"})


class _Unbounded(Exception):  # noqa: N818 - it ends the search for a bound
    pass


class Steps(Struct, frozen=True):
    """What a part of an expression may cost."""

    ways: int = 1
    """In how many ways it reads one text, open-ended repeats aside."""
    repeats: int = 0
    """Open-ended repeats, one behind the other: each adds a power of the text's length."""


def is_bounded(source: str, flags: int, *, anchored: bool, repeats: int) -> bool:
    """Say whether matching *source* surely takes no more than the length of a text to the power *repeats*.

    Unless *anchored* by its user or by itself, it is tried at every place of the text, which is a power more.
    """
    parser = import_module(
        "re._parser"
    )  # private, and where the engine has its own idea of a pattern
    try:
        parsed = parser.parse(source, flags)
        steps = _sequence(parsed)
    except (_Unbounded, RecursionError):
        return False
    starts = 0 if anchored or _is_anchored(parsed) else 1
    return steps.ways <= MOST_WAYS and steps.repeats + starts <= repeats


def _sequence(parts: Any) -> Steps:
    ways, repeats = 1, 0
    for op, value in parts:
        step = _step(str(op), value)
        ways, repeats = ways * step.ways, repeats + step.repeats
        if ways > MOST_WAYS:
            raise _Unbounded
    return Steps(ways, repeats)


def _step(op: str, value: Any) -> Steps:
    if op in _ONE:
        return Steps()
    if op in _REPEATS:
        return _repeat(*value)
    match op:
        case "BRANCH":
            each = [_sequence(part) for part in value[1]]
            return Steps(sum(one.ways for one in each), max(one.repeats for one in each))
        case "SUBPATTERN":
            return _sequence(value[3])
        case "ASSERT" | "ASSERT_NOT":
            return _sequence(value[1])
        case "ATOMIC_GROUP":
            return _sequence(value)
        case _:
            raise _Unbounded  # a back-reference, or what a later Python knows


def _repeat(least: int, most: int, part: Any) -> Steps:
    inner = _sequence(part)
    if most == 1:
        return Steps(inner.ways + 1, inner.repeats)
    if inner != Steps():
        raise _Unbounded  # each round may be read in several ways: their number is a power
    if most - least >= MOST_WAYS:
        return Steps(1, 1)
    return Steps(most - least + 1, 0)


def _is_anchored(parsed: Any) -> bool:
    if not len(parsed):
        return False
    op, value = parsed[0]
    if str(op) == "BRANCH":
        return all(_is_anchored(part) for part in value[1])
    if str(op) == "SUBPATTERN":
        return _is_anchored(value[3])
    return str(op) == "AT" and str(value) in _STARTS
