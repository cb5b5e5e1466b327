"""The record of a fleet, in PostgreSQL: many machines, one store."""

import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec

from snaphook.errors import MissingExtra, StoreError
from snaphook.storage import postgres

from .record import Record
from .redaction import taken_out
from .ship import ShipCursor
from .tally_tables import in_batches, statements, tables

try:
    import psycopg
except ModuleNotFoundError as missing:
    raise MissingExtra.named("postgres", wanted_by="the event log's database") from missing

from .postgres_redaction import INDEX, PREFIX, Redactor

SCHEMA = """
CREATE TABLE IF NOT EXISTS snaphook_record (
    id text PRIMARY KEY, time double precision NOT NULL, machine text NOT NULL,
    event text NOT NULL, session text NOT NULL, host text NOT NULL, agent text NOT NULL,
    project text NOT NULL, tool text NOT NULL, verdict text, reason text,
    decided_by text NOT NULL, duration_ms double precision NOT NULL, body jsonb NOT NULL
);
CREATE INDEX IF NOT EXISTS snaphook_record_time ON snaphook_record (time);
CREATE INDEX IF NOT EXISTS snaphook_record_session ON snaphook_record (session, time);
CREATE INDEX IF NOT EXISTS snaphook_record_verdict
    ON snaphook_record (verdict, time) WHERE verdict IS NOT NULL;
CREATE TABLE IF NOT EXISTS snaphook_cursor (
    machine text, stream text, segment text NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (machine, stream)
);
"""
_INDEXES = {
    "snaphook_record_machine": (
        "CREATE INDEX IF NOT EXISTS snaphook_record_machine ON snaphook_record (machine, time)"
    ),
    "snaphook_record_redaction": INDEX,
}
"""What earlier versions did not make."""
_INSERT = """
INSERT INTO snaphook_record VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING RETURNING id
"""
_MOVE = """
INSERT INTO snaphook_cursor VALUES (%s, %s, %s, %s)
ON CONFLICT (machine, stream) DO UPDATE SET segment = excluded.segment, at = excluded.at
"""
_LOCK = 0x534E4150
"""An advisory lock, so that two machines do not create the tables at once."""


class PostgresRecordStore:
    """Keeps the records of one *machine* beside everybody else's."""

    def __init__(self, url: str, *, machine: str) -> None:
        self._machine = machine
        self._encode = msgspec.json.Encoder().encode
        try:
            self._db = postgres.connect(url, wanted_by="the event log's database", patience=5)
            with self._db.transaction():
                self._db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                if not self._is_made():  # who may only add need not be allowed to make
                    self._db.execute(SCHEMA)
                    self._begin_counting()
                for name, index in _INDEXES.items():
                    self._index(name, index)
            self._redactor = Redactor(self._db, machine)
            self._redactor.take_out(self._redactor.waiting())
        except psycopg.Error as error:
            raise StoreError(
                where="the event log's database",
                what=f"cannot be reached: {str(error).strip()}",
                fix="Nothing is lost: records stay on this machine's disk.",
            ) from error

    def cursor(self, stream: str) -> ShipCursor:
        """Return how far *stream* has been shipped."""
        row = self._db.execute(
            "SELECT segment, at FROM snaphook_cursor WHERE machine = %s AND stream = %s",
            (self._machine, stream),
        ).fetchone()
        return ShipCursor(*row) if row else ShipCursor()

    def keep(self, stream: str, records: Sequence[Record], cursor: ShipCursor) -> None:
        """Store *records* and the *cursor* behind them, both or neither; take out what they redact."""
        with self._db.transaction(), self._db.cursor() as batch:
            batch.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCK, self._machine))
            fresh = self._inserted(batch, records)
            self._count(batch, self._machine, fresh)
            batch.execute(_MOVE, (self._machine, stream, *cursor))
            late = self._redactor.of_these(batch, fresh)
        self._redactor.take_out([*taken_out(stream, records), *late])

    def tidied(self) -> int:
        """Return how many redactions wait for somebody who is allowed to make them."""
        return len(self._redactor.waiting())

    def close(self) -> None:
        """Hang up."""
        self._db.close()

    def _is_made(self) -> bool:
        """Say whether every table is there: those of the counts are made last."""
        [there] = self._db.execute("SELECT to_regclass('snaphook_tally')").fetchone() or (None,)
        return there is not None

    def _index(self, name: str, made_by: str) -> None:
        """Make an index that is not there, also in a database of an earlier version."""
        [there] = self._db.execute("SELECT to_regclass(%s)", (name,)).fetchone() or (None,)
        if there is None:
            with contextlib.suppress(psycopg.errors.InsufficientPrivilege), self._db.transaction():
                self._db.execute(made_by.encode())

    def _begin_counting(self) -> None:
        """Make the tables of counts, and count what is there already."""
        self._db.execute("LOCK TABLE snaphook_record IN SHARE MODE")  # nobody ships meanwhile
        for statement in tables(PREFIX):
            self._db.execute(statement.encode())
        machines = self._db.execute("SELECT DISTINCT machine FROM snaphook_record").fetchall()
        decode = msgspec.json.Decoder(Record).decode
        for (machine,) in machines:
            with self._db.cursor("counting") as stored, self._db.cursor() as writer:
                stored.execute(
                    "SELECT body::text FROM snaphook_record WHERE machine = %s", (machine,)
                )
                for batch in in_batches(decode(body) for (body,) in stored):
                    self._count(writer, machine, batch)

    def _inserted(
        self, batch: "psycopg.Cursor[tuple[Any, ...]]", records: Sequence[Record]
    ) -> list[Record]:
        """Store *records* and return those that were not there before."""
        by_id = {record.id: record for record in records}
        if not by_id:
            return []
        batch.executemany(_INSERT, [self._row(one) for one in by_id.values()], returning=True)
        fresh: list[Record] = []
        more: bool | None = True
        while more:
            fresh += [by_id[each] for (each,) in batch.fetchall()]
            more = batch.nextset()
        return fresh

    def _count(
        self, batch: "psycopg.Cursor[tuple[Any, ...]]", machine: str, records: Sequence[Record]
    ) -> None:
        for statement, rows in statements(records, prefix=PREFIX, machine=machine):
            batch.executemany(statement.replace("?", "%s").encode(), rows)

    def _row(self, record: Record) -> tuple[object, ...]:
        return (
            record.id,
            record.time,
            self._machine,
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
            self._encode(record).decode(),
        )
