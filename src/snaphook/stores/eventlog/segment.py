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
from snaphook.storage.appending import AppendOnly
from snaphook.storage.files import append

from .chain import GENESIS, REDACTED, ChainLine, follows, link, take_apart, whole

VERSION = 1
TAIL = 1 << 16
"""Bytes from the end in which the last line is looked for first."""


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
        self._file = AppendOnly(path)

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
                what="has no complete line, so it cannot be continued",
                fix="Move it away; 'snaphook audit verify' shows what is missing.",
            )
        return cls(path, head=last.chain)

    def append(self, bodies: Iterable[bytes]) -> None:
        """Write *bodies* as lines, in one call to the system; all of them or none."""
        lines = []
        head = self.head
        for body in bodies:
            head, line = link(head, body)
            lines.append(line)
        self._file.append(b"".join(lines))
        self.head = head

    @property
    def size(self) -> int:
        """Return how many bytes it has."""
        return self._file.size

    def sync(self) -> None:
        """Return once everything written is on the disk."""
        self._file.sync()

    def harm(self) -> str:
        """Return what somebody else did to the file while it was open; empty where nothing."""
        return self._file.harm()

    def restore(self) -> None:
        """Put the file back where it was, from what the open file still holds."""
        self._file = self._file.restored()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def segments(stream: Path) -> list[Path]:
    """Return the segments of *stream*, oldest first, packed or not."""
    found = {path.name[:8]: path for path in stream.glob("*.log.gz")}
    found |= {path.name[:8]: path for path in stream.glob("*.log")}  # being packed: not yet gone
    return [found[number] for number in sorted(found)]


def lines(path: Path, offset: int = 0) -> Iterator[bytes]:
    """Yield every line of the segment at *path* after *offset*, packed or not, with its newline."""
    if path.suffix == ".gz":
        import gzip

        with gzip.open(path, "rb") as packed:
            packed.seek(offset)
            yield from packed
    else:
        with path.open("rb") as plain:
            plain.seek(offset)
            yield from plain


def last_whole(path: Path) -> tuple[int, ChainLine | None]:
    """Return where the last whole line of the segment at *path* ends, and the line."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        window = TAIL
        while True:
            start = max(0, size - window)
            file.seek(start)
            end, line = _last_whole(file.read(size - start), whole_file=start == 0)
            if line is not None or start == 0:
                return start + end, line
            window *= 8


def _mend(path: Path) -> ChainLine | None:
    """Cut what follows the last whole line into ``<name>.torn`` and return that line."""
    end, last = last_whole(path)
    if last is not None and end < path.stat().st_size:
        with path.open("rb") as file:
            file.seek(end)
            # On disk before it is cut off here: a power cut in between leaves it twice, not never.
            append(path.with_suffix(".torn"), file.read(), durable=True)
        os.truncate(path, end)
    return last


def _last_whole(raw: bytes, *, whole_file: bool) -> tuple[int, ChainLine | None]:
    """Return the same for the last bytes of a segment, *raw*."""
    end = raw.rfind(b"\n") + 1
    while end:
        start = raw.rfind(b"\n", 0, end - 1) + 1
        if start == 0 and not whole_file:
            break  # the line, or the one before it, begins further up
        line = take_apart(raw[start : end - 1])
        if line is not None and _sits(raw, start, line, whole_file=whole_file):
            return end, line
        end = start
    return 0, None


def _sits(raw: bytes, start: int, line: ChainLine, *, whole_file: bool) -> bool:
    """Say whether *line* is what it was and follows the one before it."""
    if not whole(line) and not line.body.startswith(REDACTED):
        return False
    if start == 0:
        return True  # the first line's past is in another file
    above = raw.rfind(b"\n", 0, start - 1) + 1
    if above == 0 and not whole_file:
        return False
    before = take_apart(raw[above : start - 1])
    return before is not None and follows(line, before.chain)
