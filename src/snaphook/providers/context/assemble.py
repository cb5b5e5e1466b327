"""What is told, made to fit.

Parts  ->  one text of about so many tokens

Pure. Parts are given in order of importance; each takes what it needs of what is left, and drops its
oldest entries first, saying how many and where they are.
"""

from collections.abc import Iterable

from msgspec import Struct

CHARACTERS = 4
"""A token is about so many characters of English."""


class Part(Struct, frozen=True, kw_only=True):
    """A heading, and entries of which the last matter most."""

    title: str
    entries: tuple[str, ...]
    source: str = ""
    """Where the rest can be read."""
    best_first: bool = False
    """The first entries matter most instead."""


def assemble(parts: Iterable[Part], *, tokens: int) -> str | None:
    """Return *parts* as one text of at most about *tokens*; ``None`` where nothing is to be said."""
    left, told = tokens * CHARACTERS, []
    for part in parts:
        text = _fitted(part, left)
        if text:
            told.append(text)
            left -= len(text) + 2
    return "\n\n".join(told) or None


def _fitted(part: Part, room: int) -> str:
    """Return *part* within *room* characters, whole entries only; nothing where not one fits."""
    head = f"## {part.title}"
    room -= len(head) + 80  # the note about what was left out
    kept: list[str] = []
    ranked = part.entries if part.best_first else part.entries[::-1]
    for entry in ranked:
        room -= len(entry) + 1
        if room < 0:
            break
        kept.append(entry)
    if not kept:
        return ""
    if not part.best_first:
        kept.reverse()
    missing = len(part.entries) - len(kept)
    where = f"; see {part.source}" if part.source else ""
    note = [f"({missing} more left out{where})"] if missing else []
    return "\n".join([head, *note, *kept])
