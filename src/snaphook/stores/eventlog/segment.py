"""One file of the record, append-only.

bodies  ->  lines, each chained to the one before

The first line is about the segment itself; its chain goes on from the segment before. Whatever a
power cut left half-written at the end is moved aside on opening, and never a line before it.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from snaphook.errors import StoreError

from .chain import GENESIS, Line, follows, link, take_apart

VERSION = 1


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The first body of every segment."""

    segment: int
    stream: str
    opened: float
    version: int = VERSION


class Segment:
    """A segment open for writing; one writer at a time, who holds the stream's lock."""

    def __init__(self, path: Path, *, head: bytes) -> None:
        self.path = path
        self.head = head
        """The chain after the last line."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._fd = os.open(path, flags, 0o600)
        self.size = os.fstat(self._fd).st_size

    @classmethod
    def create(cls, path: Path, about: About, *, before: bytes = GENESIS) -> "Segment":
        """Return a new segment that goes on from *before*."""
        segment = cls(path, head=before)
        segment.append([msgspec.json.encode(about)])
        return segment

    @classmethod
    def reopen(cls, path: Path) -> "Segment":
        """Return the segment at *path*, its torn tail cut if it has one."""
        last = _mend(path)
        if last is None:
            raise StoreError(
                where=str(path),
                what="has no whole line, so it cannot be gone on with",
                fix="Move it away; 'snaphook audit verify' tells what is missing.",
            )
        return cls(path, head=last.chain)

    def append(self, bodies: Iterable[bytes]) -> None:
        """Write *bodies* as lines, in one call to the system."""
        lines = []
        head = self.head
        for body in bodies:
            head, line = link(head, body)
            lines.append(line)
        chunk = memoryview(b"".join(lines))
        while chunk:
            written = os.write(self._fd, chunk)
            self.size += written
            chunk = chunk[written:]
        self.head = head

    def sync(self) -> None:
        """Return once everything written is on the disk."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def lines(path: Path) -> Iterator[bytes]:
    """Yield every line of the segment at *path*, compressed or not, without its newline."""
    if path.suffix == ".gz":
        import gzip

        with gzip.open(path, "rb") as packed:
            yield from (line.rstrip(b"\n") for line in packed)
    else:
        with path.open("rb") as plain:
            yield from (line.rstrip(b"\n") for line in plain)


def _mend(path: Path) -> Line | None:
    """Cut what follows the last whole line into ``<name>.torn`` and return that line."""
    raw = path.read_bytes()
    end, last = _last_whole(raw)
    if last is not None and end < len(raw):
        with path.with_suffix(".torn").open("ab") as aside:
            aside.write(raw[end:])
        os.truncate(path, end)
    return last


def _last_whole(raw: bytes) -> tuple[int, Line | None]:
    """Return where the last whole line of *raw* ends, and the line."""
    end = raw.rfind(b"\n") + 1
    while end:
        start = raw.rfind(b"\n", 0, end - 1) + 1
        line = take_apart(raw[start : end - 1])
        if line is not None and _sits(raw, start, line):
            return end, line
        end = start
    return 0, None


def _sits(raw: bytes, start: int, line: Line) -> bool:
    """Say whether *line* follows the one before it; the first line's past is in another file."""
    if start == 0:
        return True
    before = take_apart(raw[raw.rfind(b"\n", 0, start - 1) + 1 : start - 1])
    return before is not None and follows(line, before.chain)
