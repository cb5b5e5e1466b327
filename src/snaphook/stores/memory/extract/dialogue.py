"""Conversations that were written down: somebody's name, a colon, what they said.

**Caroline:** Hey Mel!   ->  Caroline: Hey Mel!

Every turn is kept, short ones and questions too: what a turn means is often in the one before it.
"""

import re

from snaphook.stores.memory.values import MemoryKind

from .document import Draft
from .judge import certainty, is_noted

_TURN = re.compile(
    r"[ \t]*(?:[-*+>]\s+|\d{1,4}[.)]\s+)?(?:\[[^\]]{1,40}\]\s*)?(?:\*\*|"
    r"__)?(?P<who>[A-Z][\w.'-]{0,24}(?: [A-Z][\w.'-]{0,24})?)"
    r"(?:\*\*|__)?(?:\s*\([^)]{1,40}\))?:(?:\*\*|__)?\s+(?P<said>\S.*)"
)
FEWEST = 6
MOSTLY = 0.6
"""A document of which so many lines are turns is a conversation."""
MOST_SPEAKERS = 12


def dialogue(text: str) -> list[Draft]:
    """Return the turns of *text*, in order; nothing where it is not a conversation.

    A line without a name goes on with the turn before it.
    """
    turns: list[tuple[int, str, str, str]] = []
    section, lines = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if line.lstrip().startswith("#"):
            section = line.strip("# \t")
            continue
        lines += 1
        if found := _TURN.fullmatch(line.rstrip()):
            turns.append((number, found["who"], found["said"], section))
        elif turns and turns[-1][3] == section:
            number_before, who, said, _ = turns[-1]
            turns[-1] = (number_before, who, f"{said} {line.strip()}", section)
    return [_draft(*turn) for turn in turns] if _is_conversation(turns, lines) else []


def _is_conversation(turns: list[tuple[int, str, str, str]], lines: int) -> bool:
    speakers = [who for _, who, _, _ in turns]
    often = [who for who in set(speakers) if speakers.count(who) > 1]
    fields = sum(is_noted(who) for who in speakers)
    return (
        len(turns) >= FEWEST
        and len(turns) >= MOSTLY * lines
        and 2 <= len(often) <= MOST_SPEAKERS
        and sum(speakers.count(who) for who in often) >= 0.8 * len(turns)
        and fields == 0
    )


def _draft(line: int, who: str, said: str, section: str) -> Draft:
    text = f"{who}: {said}"
    kind = MemoryKind.EXPERIENCE
    return Draft(kind=kind, text=text, line=line, section=section, certainty=certainty(kind, text))
