"""Walk the chain from its first line to its last.

segments + checkpoints  ->  ChainReport: intact, complete up to a checkpoint, or the first bad line

"Intact" is what a chain can prove of what is here. That nothing is missing at its end it cannot: a
cut tail looks like a shorter record. For that there are checkpoints, best kept elsewhere.
"""

from binascii import b2a_hex
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path

from msgspec import Struct

from .chain import GENESIS, REDACTED, follows, take_apart, whole
from .checkpoint import Checkpoint, checkpoints
from .segment import last_whole, lines, segments

BATCH = 500
"""Lines looked at together."""


class Bad(Struct, frozen=True, kw_only=True):
    """The first line that does not hold, and what is wrong with it."""

    file: str
    line: int
    what: str


class ChainReport(Struct, frozen=True, kw_only=True):
    """What a walk over one stream found."""

    stream: str
    records: int
    head: str
    redacted: int = 0
    checkpoints: int = 0
    """How many of the noted points were met on the way."""
    complete_at: float | None = None
    """When the last of them was noted: up to then nothing is missing."""
    bad: Bad | None = None


def streams(folder: Path) -> list[Path]:
    """Return the streams below *folder*, in the order of their names."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir() and segments(path))


def verify(
    folder: Path, elsewhere: Mapping[str, Sequence[Checkpoint]] | None = None
) -> list[ChainReport]:
    """Return a report for each stream under *folder*; *elsewhere* are checkpoints kept apart."""
    apart = elsewhere or {}
    found = {path.name: path for path in streams(folder)}
    reports = [
        _Walk(path, [*checkpoints(path), *apart.get(name, ())]).report()
        for name, path in found.items()
    ]
    gone = [name for name in apart if name not in found]
    return reports + [_all_missing(folder / name) for name in gone]


def look(stream: Path, now: float) -> Checkpoint | None:
    """Return how far *stream* has come, without its writer."""
    paths = segments(stream)
    if not paths or paths[-1].suffix == ".gz":
        return None
    end, line = last_whole(paths[-1])
    if line is None:
        return None
    return Checkpoint(segment=paths[-1].name[:8], size=end, head=line.chain.decode(), time=now)


class _Walk:
    """One way through a stream."""

    def __init__(self, stream: Path, points: Sequence[Checkpoint]) -> None:
        self._stream = stream
        self._paths = segments(stream)
        first = self._paths[0].name[:8]
        self._head = _before(first, points)
        self._points = [point for point in points if point.segment >= first]
        self._records = self._redacted = self._size = self._number = 0
        self._met: list[Checkpoint] = []

    def report(self) -> ChainReport:
        """Return what was found on the way to the end, or to the first line that does not hold."""
        for path in self._paths:
            wanted = {p.size: p for p in self._points if p.segment == path.name[:8]}
            if bad := self._through(path, wanted):
                return self._found(bad)
        return self._found(self._missing())

    def _through(self, path: Path, wanted: Mapping[int, Checkpoint]) -> Bad | None:
        """Go through a segment, many lines at once where they hold, else one by one."""
        self._size = self._number = 0
        source = lines(path)
        while batch := list(islice(source, BATCH)):
            end = self._size + sum(map(len, batch))
            noted = any(self._size < size <= end for size in wanted)
            if not noted and all_hold(batch, self._head):
                self._head, self._size = batch[-1][:64], end
                self._number += len(batch)
            elif bad := self._step(path, batch, wanted):
                self._records += max(0, self._number - 2)
                return bad
        self._records += max(0, self._number - 1)
        return None

    def _step(
        self, path: Path, batch: Sequence[bytes], wanted: Mapping[int, Checkpoint]
    ) -> Bad | None:
        """Go through *batch* line by line: to find the one that does not hold, or a checkpoint."""
        for line in batch:
            if not all_hold([line], self._head):
                if path is self._paths[-1] and not line.endswith(b"\n"):
                    return None  # still being written, or torn by a power cut: never promised
                self._number += 1
                if problem := _problem(line.rstrip(b"\n"), self._head):
                    return Bad(file=str(path), line=self._number, what=problem)
                self._redacted += 1
            else:
                self._number += 1
            self._head = line[:64]
            self._size += len(line)
            if self._size in wanted:
                if wanted[self._size].head.encode() != self._head:
                    what = "is not the line recorded by the checkpoint"
                    return Bad(file=str(path), line=self._number, what=what)
                self._met.append(wanted[self._size])
        return None

    def _missing(self) -> Bad | None:
        """Return the first checkpoint that the chain never came to."""
        for point in self._points:
            if point not in self._met:
                path = self._stream / f"{point.segment}.log"
                what = f"ends before the checkpoint at byte {point.size}: it was truncated"
                return Bad(file=str(path), line=0, what=what)
        return None

    def _found(self, bad: Bad | None) -> ChainReport:
        return ChainReport(
            stream=self._stream.name,
            records=self._records,
            head=self._head.decode(),
            redacted=self._redacted,
            checkpoints=len(self._met),
            complete_at=max((point.time for point in self._met), default=None),
            bad=bad,
        )


def all_hold(batch: Sequence[bytes], head: bytes) -> bool:
    """Say whether every line of *batch* is what was written and follows the one before it.

    The same as ``whole`` and ``follows`` for each of them, with two comparisons for all: this is the
    whole cost of an audit.
    """
    digests = [line[65:129] for line in batch]
    chains = [line[:64] for line in batch]
    bodies = b"".join([sha256(line[130:-1]).digest() for line in batch])
    links = b"".join(
        [sha256(a + b).digest() for a, b in zip((head, *chains), digests, strict=False)]
    )
    return b2a_hex(bodies) == b"".join(digests) and b2a_hex(links) == b"".join(chains)


def _before(first: str, points: Sequence[Checkpoint]) -> bytes:
    """Return the head that the first segment goes on from."""
    above = f"{int(first) - 1:08}"
    retired = [point for point in points if point.retired and point.segment == above]
    return retired[-1].head.encode() if retired else GENESIS


def _all_missing(stream: Path) -> ChainReport:
    bad = Bad(file=str(stream), line=0, what="is missing, but a checkpoint covers it")
    return ChainReport(stream=stream.name, records=0, head=GENESIS.decode(), bad=bad)


def _problem(raw: bytes, head: bytes) -> str | None:
    """Return what is wrong with a line; nothing if its body was redacted in the open."""
    line = take_apart(raw)
    if line is None:
        return "is not a line of the record"
    if not follows(line, head):
        return "does not follow the line before it"
    if not whole(line) and not line.body.startswith(REDACTED):
        return "was changed"
    return None
