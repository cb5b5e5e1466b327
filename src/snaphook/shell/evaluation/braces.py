"""Brace expansion: one word becomes several.

{a,b}/c  ->  a/c, b/c

Only unquoted braces count; what stands between them may be quoted, a variable, anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from snaphook.lazy import regex
from snaphook.shell.syntax.tree import Part, Text
from snaphook.shell.text import UNKNOWN

MOST = 128
LONGEST = 1_024
_RANGE = regex(r"(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?\d+)?")

Token = str | Part
"""One unquoted character, or a part that stays whole."""


def expand_braces(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """Return the words that *parts* become; too many of them end in one that is unknown."""
    if not any(isinstance(part, Text) and not part.quoted and "{" in part.value for part in parts):
        return [tuple(parts)]
    tokens: list[Token] = []
    for part in parts:
        if isinstance(part, Text) and not part.quoted:
            tokens.extend(part.value)
        else:
            tokens.append(part)
    if len(tokens) > LONGEST:
        return [(*parts, Text(UNKNOWN, quoted=True))]
    words = [_joined(word) for word in _expand(tokens)]
    return words if len(words) < MOST else [*words, (Text(UNKNOWN, quoted=True),)]


def _expand(tokens: list[Token]) -> list[list[Token]]:
    """Return what *tokens* become, first brace first; at most MOST words."""
    done: list[list[Token]] = []
    waiting = [tokens]
    while waiting and len(done) + len(waiting) <= MOST:
        word = waiting.pop(0)
        group = _first_group(word)
        if group is None:
            done.append(word)
            continue
        start, end, choices = group
        waiting = [[*word[:start], *choice, *word[end:]] for choice in choices[:MOST]] + waiting
    return [*done, *waiting][:MOST]


def _first_group(word: list[Token]) -> tuple[int, int, list[list[Token]]] | None:
    """Return the first group of braces that expands: where it stands, and its choices."""
    for start, token in enumerate(word):
        if token == "{":  # noqa: S105 - a brace, not a password
            found = _group(word, start)
            if found is not None:
                return start, found[0], found[1]
    return None


def _group(word: list[Token], start: int) -> tuple[int, list[list[Token]]] | None:
    depth = 0
    cuts = [start]
    for at in range(start, len(word)):
        match word[at]:
            case "{":
                depth += 1
            case ",":
                if depth == 1:
                    cuts.append(at)
            case "}":
                depth -= 1
                if not depth:
                    return _choices(word, [*cuts, at])
    return None


def _choices(word: list[Token], cuts: list[int]) -> tuple[int, list[list[Token]]] | None:
    if len(cuts) > 2:
        return cuts[-1] + 1, [word[first + 1 : last] for first, last in pairwise(cuts)]
    inside = word[cuts[0] + 1 : cuts[-1]]
    if not all(isinstance(token, str) for token in inside):
        return None
    numbers = _RANGE.fullmatch("".join(token for token in inside if isinstance(token, str)))
    if numbers is None:
        return None
    return cuts[-1] + 1, [list(text) for text in _range(numbers[1], numbers[2])]


def _range(first: str, last: str) -> list[str]:
    if first.isalpha() != last.isalpha():
        return [f"{{{first}..{last}}}".replace("{", "(").replace("}", ")")]
    if first.isalpha():
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)]
    step = 1 if int(last) >= int(first) else -1
    return [str(number) for number in range(int(first), int(last) + step, step)[:MOST]]


def _joined(word: list[Token]) -> tuple[Part, ...]:
    parts: list[Part] = []
    run: list[str] = []
    for token in word:
        if isinstance(token, str):
            run.append(token)
            continue
        if run:
            parts.append(Text("".join(run), quoted=False))
            run = []
        parts.append(token)
    if run or not parts:
        parts.append(Text("".join(run), quoted=False))
    return tuple(parts)
