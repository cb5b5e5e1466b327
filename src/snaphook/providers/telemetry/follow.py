"""New records of every stream, from where the last reading ended.

log folder + Cursors  ->  Records in the order of time + Cursors

The log is the spool: nothing is copied while a collector is away, and nothing is lost.
"""

import os
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.segment import segments
from snaphook.stores.eventlog.ship import Cursor, batches

BATCHES = 2
"""Batches taken of one stream before the others have their turn."""

Cursors = dict[str, Cursor]


def end_of(folder: Path) -> Cursors:
    """Return where every stream ends now: whoever begins to listen hears what comes after."""
    found: Cursors = {}
    for stream in streams(folder) if folder.is_dir() else ():
        if there := segments(stream):
            found[stream.name] = Cursor(there[-1].name[:8], there[-1].stat().st_size)
    return found


def fresh(folder: Path, after: Mapping[str, Cursor]) -> tuple[list[Record], Cursors]:
    """Return some of what came behind *after*, and how far that leads; nothing if all is read."""
    found: list[Record] = []
    reached = dict(after)
    for stream in streams(folder) if folder.is_dir() else ():
        for records, cursor in islice(batches(stream, after.get(stream.name, Cursor())), BATCHES):
            found += records
            reached[stream.name] = cursor
    return sorted(found, key=lambda record: record.time), reached


def write_whole(path: Path, content: bytes) -> None:
    """Put *content* at *path*, at once: after a crash it is the old or the new, never a half."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.draft")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
    draft.replace(path)
