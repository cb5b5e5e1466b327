"""The record in SQLite: what one machine's statistics, dashboard and budget read."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import msgspec

from snaphook.errors import StoreError
from snaphook.storage import sqlite

from .record import Record
from .redaction import Taken, action_in, left_of, taken_out
from .ship import ShipCursor
from .tally_tables import in_batches, redacting, statements, tables

SCHEMA = """
CREATE TABLE IF NOT EXISTS record (
    id TEXT PRIMARY KEY, time REAL NOT NULL, event TEXT NOT NULL, session TEXT NOT NULL,
    host TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL, tool TEXT NOT NULL,
    verdict TEXT, reason TEXT, decided_by TEXT NOT NULL, duration_ms REAL NOT NULL,
    body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS record_time ON record (time);
CREATE INDEX IF NOT EXISTS record_session ON record (session, time);
CREATE INDEX IF NOT EXISTS record_verdict ON record (verdict, time) WHERE verdict IS NOT NULL;
CREATE INDEX IF NOT EXISTS record_redaction
    ON record (json_extract(CAST(body AS TEXT), '$.input.id')) WHERE event = 'AuditRedaction';
CREATE TABLE IF NOT EXISTS cursor (
    stream TEXT PRIMARY KEY, segment TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
"""
_KNOWN = """
SELECT body FROM record WHERE event = 'AuditRedaction' AND host = ''
AND json_extract(CAST(body AS TEXT), '$.input.id') IN ({marks}) ORDER BY time
"""
_WAITING = """
SELECT deed.body FROM record deed
    JOIN record r ON r.id = json_extract(CAST(deed.body AS TEXT), '$.input.id')
WHERE deed.event = 'AuditRedaction' AND deed.host = ''
    AND json_extract(CAST(r.body AS TEXT), '$.redacted') IS NULL ORDER BY deed.time
"""
_TAKE_OUT = """
UPDATE record SET agent = ?, project = ?, tool = ?, reason = ?, body = ? WHERE id = ?
"""


class SqliteRecordStore:
    """Keeps records in one file, readable while it is written."""

    def __init__(self, path: Path) -> None:
        try:
            self._db = sqlite.connect(path, patience=10, prepare=_prepare)
            self._begin_counting()
            self._redact_what_waits()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                where=str(path),
                what=f"cannot be opened: {error}",
                fix="Move it away, or repair it.",
            ) from error
        self._encode = msgspec.json.Encoder().encode

    def cursor(self, stream: str) -> ShipCursor:
        """Return how far *stream* has been shipped."""
        row = self._db.execute(
            "SELECT segment, at FROM cursor WHERE stream = ?", (stream,)
        ).fetchone()
        return ShipCursor(*row) if row else ShipCursor()

    def keep(self, stream: str, records: Sequence[Record], cursor: ShipCursor) -> None:
        """Store *records* and the *cursor* behind them, both or neither; take out what they redact."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            fresh = self._unknown(records)
            self._count(fresh)
            self._db.executemany(
                "INSERT OR IGNORE INTO record VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                [self._row(record) for record in records],
            )
            self._db.execute(
                "INSERT INTO cursor VALUES (?,?,?) "
                "ON CONFLICT (stream) DO UPDATE SET segment = excluded.segment, at = excluded.at",
                (stream, *cursor),
            )
            gone = self._take_out([*taken_out(stream, records), *self._redacted(fresh)])
        if gone:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def tidied(self) -> int:
        """Write the file anew, so that what was taken out is in no page of it; nothing waits here."""
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return 0

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _begin_counting(self) -> None:
        """Make the tables of counts where they are not, and count what is there already."""
        there = "SELECT 1 FROM sqlite_master WHERE name = 'tally'"
        if self._db.execute(there).fetchone():
            return
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            if self._db.execute(there).fetchone():
                return  # somebody else was faster
            for statement in tables():
                self._db.execute(statement)
            decode = msgspec.json.Decoder(Record).decode
            bodies = self._db.execute("SELECT body FROM record ORDER BY id")
            for batch in in_batches(decode(body) for (body,) in bodies):
                self._count(batch)

    def _unknown(self, records: Sequence[Record]) -> list[Record]:
        """Return those of *records* that were not shipped before, each once."""
        by_id = {record.id: record for record in records}
        marks = ",".join("?" * len(by_id))
        known = self._db.execute(f"SELECT id FROM record WHERE id IN ({marks})", [*by_id])  # noqa: S608
        for (each,) in known:
            del by_id[each]
        return [*by_id.values()]

    def _redact_what_waits(self) -> None:
        """Take out what an earlier version knew of and left here."""
        if waiting := [action_in(body) for (body,) in self._db.execute(_WAITING)]:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._take_out(waiting)

    def _redacted(self, records: Sequence[Record]) -> list[Taken]:
        """Return what was taken out of *records* while they were on their way here."""
        marks = ",".join("?" * len(records))
        rows = self._db.execute(_KNOWN.format(marks=marks), [record.id for record in records])
        return [action_in(body) for (body,) in rows]

    def _take_out(self, taken: Sequence[Taken]) -> int:
        """Take *taken* out of the records that are here; return how many those are."""
        found = 0
        for each in taken:
            row = self._db.execute("SELECT body FROM record WHERE id = ?", (each.id,)).fetchone()
            if row:
                before, after, body = left_of(row[0], each.fields)
                told = (after.agent, after.project, after.tool, after.reason, body, after.id)
                self._db.execute(_TAKE_OUT, told)
                for statement, rows in redacting(before, after):
                    self._db.executemany(statement, rows)
                found += 1
        return found

    def _count(self, records: Sequence[Record]) -> None:
        for statement, rows in statements(records):
            self._db.executemany(statement, rows)

    def _row(self, record: Record) -> tuple[object, ...]:
        return (
            record.id,
            record.time,
            record.event,
            record.session,
            record.host,
            record.agent,
            record.project,
            record.tool,
            record.verdict,
            record.reason,
            record.by,
            record.duration_ms,
            self._encode(record),
        )


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA secure_delete = ON")  # what is redacted is written over
    db.executescript(SCHEMA)
