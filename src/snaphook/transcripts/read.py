"""Read a transcript of any agent, whole or from where the last reading ended.

path  ->  Entries

The agent writes while we read: a line without its end is left for the next time. A line that is no
JSON, or not of the agent's making, is passed over; what somebody wrote is never a reason to fail.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import msgspec

from . import claude, codex, gemini, qwen
from .entries import TranscriptEntry, UsageReported
from .lines import Line

FORMATS: tuple[ModuleType, ...] = (gemini, codex, qwen, claude)
"""The most particular first: who is asked later would claim more."""
Reader: TypeAlias = gemini.Reader | codex.Reader | qwen.Reader | claude.Reader
"""One agent's way of writing things down, and what must be known of the lines before."""
LONGEST = 64 << 20
"""Bytes of one line beyond which it is no line of a conversation."""
_MARKS = (b"_tokens", b'"tokens"', b"TokenCount", b'"turn_context"')
"""A line without one of these says nothing about usage, and need not be decoded for it."""


class TranscriptReading:
    """A transcript that is read bit by bit as it grows.

    It goes on at *offset*, in another process if need be, with the *state* of the reader that came
    so far. A transcript shorter than that was begun anew, and so is its reading; likewise where the
    state is none we know.
    """

    def __init__(self, path: Path | str, *, offset: int = 0, state: str = "") -> None:
        self.path = path
        self.offset = offset
        """Where the next line begins."""
        self.line = 0
        """The number of the last line read, counted from where this reading began."""
        self.passed_over = 0
        """Lines that could not be read."""
        self._reader: Reader | None = None
        if state:
            try:
                self._reader = msgspec.json.decode(state, type=Reader)
            except msgspec.DecodeError:
                self.offset = 0

    @property
    def state(self) -> str:
        """Return what the reader must know to go on at the offset."""
        return msgspec.json.encode(self._reader).decode() if self._reader else ""

    @property
    def grown(self) -> bool:
        """Say whether there is anything that was not read yet."""
        try:
            return os.stat(self.path).st_size != self.offset  # noqa: PTH116 - on every tool call
        except OSError:
            return False

    def more(self) -> Iterator[TranscriptEntry]:
        """Yield what was added since the last call."""
        for raw in self._lines():
            for reader, line in self._understood(raw):
                yield from reader.entries(line)

    def used(self, most: int = LONGEST) -> Iterator[UsageReported]:
        """Yield what was used since the last call, as far as *most* bytes tell; the rest waits.

        Cheaper than all there is: a line that says nothing of it is not even decoded.
        """
        until = self.offset + most
        for raw in self._lines():
            if any(mark in raw for mark in _MARKS):
                for reader, line in self._understood(raw):
                    yield from reader.used(line)
            if self.offset >= until:
                return

    def _lines(self) -> Iterator[bytes]:
        with open(self.path, "rb") as file:  # noqa: PTH123 - on every tool call
            if os.fstat(file.fileno()).st_size < self.offset:
                self.offset, self.line, self._reader = 0, 0, None
            file.seek(self.offset)
            while raw := file.readline(LONGEST):
                if not raw.endswith(b"\n") and _line(raw) is None:
                    return  # being written, or the end of an older kind of file
                self.offset += len(raw)
                self.line += 1
                yield raw

    def _understood(self, raw: bytes) -> Iterator[tuple[Reader, Line]]:
        line = _line(raw)
        if line is None:
            self.passed_over += 1
            return
        self._reader = self._reader or _reader_of(line)
        if self._reader is not None:
            yield self._reader, line


def read(path: Path) -> Iterator[TranscriptEntry]:
    """Yield everything that the transcript at *path* tells."""
    whole = _document(path)
    if whole is None:
        yield from TranscriptReading(path).more()
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
