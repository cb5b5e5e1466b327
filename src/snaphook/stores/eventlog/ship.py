"""Copy the record into a database, at least once and without doubles.

segments + cursor  ->  batches of records  ->  RecordStore

The cursor moves in the same transaction as the records it stands for, so a crash between the two
cannot happen; a record that was shipped before is recognised by its id. A database that is away
costs nothing but delay: the segments are the spool.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from .chain import REDACTED, take_apart
from .record import Record
from .redaction import JOURNAL
from .segment import lines, segments

BATCH = 500


class ShipCursor(NamedTuple):
    """How far a stream has been shipped: the segment's name, and the bytes read of it."""

    segment: str = ""
    offset: int = 0


class RecordStore(Protocol):
    """A database that keeps records and remembers how far it got."""

    def cursor(self, stream: str) -> ShipCursor:
        """Return how far *stream* has been shipped."""

    def keep(self, stream: str, records: Sequence[Record], cursor: ShipCursor) -> None:
        """Store *records* and the *cursor* behind them, both or neither; take out what they redact."""


def ship(folder: Path, store: RecordStore, *, batch: int = BATCH) -> int:
    """Copy what *store* has not got yet, a *batch* at a time; return how many records that was.

    The journal goes last: what it says was redacted is there by then.
    """
    shipped = 0
    found = [path for path in folder.iterdir() if path.is_dir()]
    for stream in sorted(found, key=lambda path: (path.name == JOURNAL, path.name)):
        for records, cursor in batches(stream, store.cursor(stream.name), batch):
            store.keep(stream.name, records, cursor)
            shipped += len(records)
    return shipped


def batches(
    stream: Path, after: ShipCursor, most: int = BATCH
) -> Iterator[tuple[list[Record], ShipCursor]]:
    """Yield what *stream* holds behind *after*, some at a time, and how far that leads."""
    decode = msgspec.json.Decoder(Record).decode
    for path in segments(stream):
        name = path.name[:8]
        if name < after.segment:
            continue
        batch: list[Record] = []
        offset = after.offset if name == after.segment else 0
        for raw in lines(path, offset):
            if not raw.endswith(b"\n"):
                break  # still being written
            line = take_apart(raw.rstrip(b"\n"))
            if line is not None and offset and not line.body.startswith(REDACTED):
                batch.append(decode(line.body))
            offset += len(raw)
            if len(batch) >= most:
                yield batch, ShipCursor(name, offset)
                batch = []
        if batch:
            yield batch, ShipCursor(name, offset)
