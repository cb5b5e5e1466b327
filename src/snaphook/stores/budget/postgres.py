"""The meter's tables in a database that many machines share.

SQL with ``?``  ->  rows, or a StoreError after PATIENCE

A tool call may be waiting for the answer, so nothing here waits for long: a server that is silent in
the middle of a question is hung up on.
"""

import contextlib
import os
import socket
from collections.abc import Iterator, Sequence
from threading import Timer
from typing import Any

from snaphook.errors import MissingExtra, StoreError
from snaphook.storage import postgres

from .database import _ADD_COLUMN, ADDED, TABLES, Rows, RunStatement

PATIENCE = 2.0
"""Seconds that a server may take to answer."""
LOCK = 0x534E4142
"""The advisory lock that lets one transaction at a time set room aside, or make the tables."""
_COLUMNS = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('budget_charge')"


class PostgresDatabase:
    """One database for many machines; a connection that broke is made anew by the next question."""

    remote = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._db: Any = None

    @contextlib.contextmanager
    def transaction(self, of: str = "") -> Iterator[RunStatement]:
        """Return a transaction that no other of the same session runs beside, or none at all."""
        with self._asked() as db, db.transaction(), db.cursor() as cursor:
            if of:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, %s))", (of, LOCK))
            else:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            yield _run_on(cursor)

    @contextlib.contextmanager
    def reading(self) -> Iterator[RunStatement]:
        """Return what reads, beside whoever writes."""
        with self._asked() as db, db.cursor() as cursor:
            yield _run_on(cursor)

    def close(self) -> None:
        """Hang up."""
        db, self._db = self._db, None
        if db is not None:
            db.close()

    @contextlib.contextmanager
    def _asked(self) -> Iterator[Any]:
        try:
            import psycopg
        except ModuleNotFoundError as missing:
            raise MissingExtra.named("postgres", wanted_by="the budget's database") from missing
        try:
            db = self._db = self._db or self._opened()
            with _hung_up_on(db, after=PATIENCE):
                yield db
        except psycopg.Error as error:
            self.close()
            raise StoreError(
                where="the budget's database",
                what=f"cannot be reached: {' '.join(str(error).split())}",
                fix='Start it, or set stance = "open" in [budget] to work without it.',
            ) from error

    def _opened(self) -> Any:
        db = postgres.connect(self._url, wanted_by="the budget's database", patience=PATIENCE)
        with _hung_up_on(db, after=2 * PATIENCE):
            there = {name for (name,) in db.execute(_COLUMNS)}
            if not there.issuperset(ADDED):  # who uses the tables need not be able to make them
                with db.transaction():
                    db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
                    _make(db)
        return db


def _make(db: Any) -> None:
    for table in TABLES:
        db.execute(table)
    there = {name for (name,) in db.execute(_COLUMNS)}
    for column in ADDED:
        if column not in there:
            db.execute(_ADD_COLUMN.format(column))


def _run_on(cursor: Any) -> RunStatement:
    def run(sql: str, values: Sequence[object] = ()) -> Rows:
        cursor.execute(sql.replace("?", "%s"), values)
        rows: Rows = cursor.fetchall() if cursor.description else []
        return rows

    return run


@contextlib.contextmanager
def _hung_up_on(db: Any, *, after: float) -> Iterator[None]:
    """End *db*'s connection if the block takes longer: no other way ends a wait for a silent server."""
    line = socket.socket(fileno=os.dup(db.fileno()))

    def hang_up() -> None:
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = Timer(after, hang_up)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        line.close()
