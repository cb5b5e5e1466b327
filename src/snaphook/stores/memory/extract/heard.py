"""Whose words a session's words are.

entries, in order  ->  Heard  ->  is this sentence copied?  did the agent write this line?

Word triples are compared, so that a changed word or a changed quotation mark does not hide a copy.
What the agent or the person said first stays theirs when a tool prints it back.
"""

import re
from collections.abc import Iterable, Iterator

from snaphook.transcripts import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    UserPrompt,
)
from snaphook.transcripts.person import typed

COPIED = 0.5
"""A sentence of which so many word triples stood in a text of somebody else is a copy of it."""
WROTE = 0.6
"""A line of which the agent wrote so many word triples is the agent's."""
MOST = 2_000_000
"""Word triples that are remembered of one session; some 150 MB of memory in the worst case."""
LONGEST = 400_000
"""Characters of one text that are looked at."""
_WORD = re.compile(r"\w+")


class Heard:
    """What was read, and what was written, in one session so far."""

    def __init__(self) -> None:
        self._outside: set[int] = set()
        self._own: set[int] = set()

    def add(self, entry: TranscriptEntry) -> None:
        """Take *entry* in, after everything before it."""
        match entry:
            case UserPrompt(text=text, by_person=person):
                own = typed(text) if person and not entry.subagent else ""
                self._own.update(triples(own))
                self._heard(text)
            case AssistantText(text=text):
                self._own.update(each for each in triples(text) if each not in self._outside)
            case ToolCalled(args=args):
                for text in _strings(args):
                    self._own.update(each for each in triples(text) if each not in self._outside)
            case ToolReturned(text=text):
                self._heard(text)

    def _heard(self, text: str) -> None:
        if len(self._outside) < MOST:
            self._outside.update(each for each in triples(text) if each not in self._own)

    def copied(self, text: str) -> bool:
        """Say whether *text* repeats what somebody else wrote."""
        said = list(triples(text))
        return bool(said) and sum(each in self._outside for each in said) >= COPIED * len(said)

    def wrote(self, text: str) -> bool:
        """Say whether the agent or the person wrote *text* in this session."""
        said = list(triples(text))
        return bool(said) and sum(each in self._own for each in said) >= WROTE * len(said)


def triples(text: str) -> Iterator[int]:
    """Yield the word triples of *text* as numbers; of a shorter one, what it has."""
    words = [found[0].casefold() for found in _WORD.finditer(text[:LONGEST])]
    if 0 < len(words) < 3:
        yield hash(" ".join(words))
    for at in range(len(words) - 2):
        yield hash((words[at], words[at + 1], words[at + 2]))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def heard(entries: Iterable[TranscriptEntry]) -> Heard:
    """Return what was read and written in *entries*."""
    all_of_it = Heard()
    for entry in entries:
        all_of_it.add(entry)
    return all_of_it
