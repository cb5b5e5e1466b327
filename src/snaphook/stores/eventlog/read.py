"""The record, read back: every stream at once, in the order of time.

folder + RecordQuery  ->  Records
"""

import heapq
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from .audit import streams
from .chain import REDACTED, take_apart
from .record import Record
from .segment import lines, segments


class RecordQuery(Struct, frozen=True, kw_only=True):
    """Which records somebody asks for; what is left alone lets everything through."""

    since: float = 0.0
    session: str = ""
    verdict: str = ""
    event: str = ""
    tool: str = ""

    def takes(self, record: Record) -> bool:
        """Say whether *record* is one of them."""
        return (
            record.time >= self.since
            and record.session.startswith(self.session)
            and (not self.verdict or record.verdict == self.verdict)
            and (not self.event or record.event == self.event)
            and (not self.tool or record.tool == self.tool)
        )


def records(folder: Path, wanted: RecordQuery | None = None) -> Iterator[Record]:
    """Yield the records below *folder* that are *wanted*, oldest first."""
    wanted = wanted or RecordQuery()
    each = [_stream(stream, wanted) for stream in streams(folder)]
    return heapq.merge(*each, key=lambda record: record.time)


def latest(found: Iterable[Record], limit: int) -> list[Record]:
    """Return the last *limit* of *found*; all of them for 0."""
    return list(deque(found, maxlen=limit or None))


def _stream(stream: Path, wanted: RecordQuery) -> Iterator[Record]:
    for path in segments(stream):
        if path.stat().st_mtime >= wanted.since:
            yield from filter(wanted.takes, decoded(lines(path)))


def decoded(found: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records of whole lines; what a segment says about itself is none."""
    decode = msgspec.json.Decoder(Record).decode
    for raw in found:
        line = take_apart(raw[:-1]) if raw.endswith(b"\n") else None
        if line is None or line.body.startswith((REDACTED, b'{"segment":')):
            continue
        try:
            yield decode(line.body)
        except msgspec.DecodeError:
            continue  # 'audit verify' says what happened to it


class Follower:
    """What is appended to any stream from now on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reached = {path: path.stat().st_size for path in self._open()}

    def more(self) -> list[Record]:
        """Return what has come since the last call, in the order of time."""
        found: list[Record] = []
        for path in self._open():
            start = self._reached.get(path, 0)
            fresh = [raw for raw in lines(path, start) if raw.endswith(b"\n")]
            self._reached[path] = start + sum(map(len, fresh))
            found += decoded(fresh)
        return sorted(found, key=lambda record: record.time)

    def _open(self) -> list[Path]:
        """Return the segments that may grow, and those just closed that we have not read to the end."""
        return [
            path for stream in streams(self._folder) for path in sorted(stream.glob("*.log"))[-2:]
        ]
