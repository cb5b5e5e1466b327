"""Read a transcript of any agent, whole or from where the last reading ended.

path  ->  Entries

The agent writes while we read: a line without its end is left for the next time. A line that is no
JSON, or not of the agent's making, is passed over; what somebody wrote is never a reason to fail.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Protocol

import msgspec

from . import claude, codex, gemini
from .entries import Entry
from .lines import Line

FORMATS: tuple[ModuleType, ...] = (gemini, codex, claude)
"""The most particular first: who is asked later would claim more."""
LONGEST = 64 << 20
"""Bytes of one line beyond which it is no line of a conversation."""


class Reader(Protocol):
    """One agent's way of writing things down."""

    def entries(self, line: Line) -> Iterator[Entry]:
        """Yield what *line* tells."""


class Reading:
    """A transcript that is read bit by bit as it grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.offset = 0
        """Where the next line begins."""
        self.passed_over = 0
        """Lines that could not be read."""
        self._reader: Reader | None = None

    def more(self) -> Iterator[Entry]:
        """Yield what was added since the last call."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            while raw := file.readline(LONGEST):
                whole = raw.endswith(b"\n")
                line = _line(raw)
                if line is None and not whole:
                    return  # being written, or the end of an older kind of file
                self.offset += len(raw)
                yield from self._entries(line)

    def _entries(self, line: Line | None) -> Iterator[Entry]:
        if line is None:
            self.passed_over += 1
            return
        self._reader = self._reader or _reader_of(line)
        if self._reader is not None:
            yield from self._reader.entries(line)


def reading(path: Path) -> Reading:
    """Return the reading of *path*, at its beginning."""
    return Reading(path)


def read(path: Path) -> Iterator[Entry]:
    """Yield everything that the transcript at *path* tells."""
    whole = _document(path)
    if whole is None:
        yield from Reading(path).more()
    elif reader := _reader_of(whole):
        yield from reader.entries(whole)


def _document(path: Path) -> Line | None:
    """Return the one JSON document that *path* is; ``None`` where it has lines."""
    with path.open("rb") as file:
        if _line(file.readline(LONGEST)) is not None:
            return None
        file.seek(0)
        return _line(file.read(LONGEST))


def _line(raw: bytes) -> Line | None:
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


def _reader_of(line: Line) -> Reader | None:
    """Return a reader for whoever wrote *line*; ``None`` while that cannot be told."""
    for form in FORMATS:
        if form.knows(line):
            made: Reader = form.Reader()
            return made
    return None
