"""New records of every stream, from where the last reading ended.

log folder + Cursors  ->  Records in the order of time + Cursors

The log is the spool: nothing is copied while a collector is away, and nothing is lost.
"""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.storage.files import replace
from snaphook.storage.folders import make_private
from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.chain import take_apart
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.segment import lines, segments
from snaphook.stores.eventlog.ship import ShipCursor, batches

BATCHES = 2
"""Batches taken of one stream before the others have their turn."""

Cursors = dict[str, ShipCursor]


class _Dated(Struct):
    """As much of a record as tells when it was."""

    time: float = 0.0


def end_of(folder: Path) -> Cursors:
    """Return where every stream ends now: whoever begins to listen hears what comes after."""
    found: Cursors = {}
    for stream in streams(folder) if folder.is_dir() else ():
        if there := segments(stream):
            found[stream.name] = ShipCursor(there[-1].name[:8], there[-1].stat().st_size)
    return found


def just_before(folder: Path, moment: float) -> Cursors:
    """Return where every stream was at *moment*, which is not long ago: in its newest segment."""
    found = end_of(folder)
    for name, end in found.items():
        path, offset = segments(folder / name)[-1], 0
        for raw in lines(path):
            line = take_apart(raw.rstrip(b"\n"))
            if offset and line and _time(line.body) >= moment:
                found[name] = ShipCursor(end.segment, offset)
                break
            offset += len(raw)
    return found


def fresh(folder: Path, after: Mapping[str, ShipCursor]) -> tuple[list[Record], Cursors]:
    """Return some of what came behind *after*, and how far that leads; nothing if all is read."""
    found: list[Record] = []
    reached = dict(after)
    for stream in streams(folder) if folder.is_dir() else ():
        for records, cursor in islice(
            batches(stream, after.get(stream.name, ShipCursor())), BATCHES
        ):
            found += records
            reached[stream.name] = cursor
    return sorted(found, key=lambda record: record.time), reached


def _time(body: bytes) -> float:
    try:
        return msgspec.json.decode(body, type=_Dated).time
    except msgspec.DecodeError:
        return 0.0


def keep_position(path: Path, content: bytes) -> None:
    """Put *content* at *path*: after a crash it is the old or the new, never a half."""
    make_private(path.parent)
    replace(path, content)
