"""Where the meter's tables are: a file of this machine, or a database of the fleet.

SQL with ``?``  ->  rows, all of a transaction or nothing

Every transaction is alone: SQLite's write lock and an advisory lock of PostgreSQL see to it. There, where
a whole fleet asks, who only reads waits for nobody, and who spends for others of the same session.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from snaphook.errors import StoreError
from snaphook.storage import sqlite

Rows: TypeAlias = list[tuple[Any, ...]]

TABLES = (
    """CREATE TABLE IF NOT EXISTS budget_account (
        kind TEXT NOT NULL, name TEXT NOT NULL, micros BIGINT NOT NULL DEFAULT 0,
        tokens BIGINT NOT NULL DEFAULT 0, held BIGINT NOT NULL DEFAULT 0,
        told INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (kind, name))""",
    """CREATE TABLE IF NOT EXISTS budget_charge (
        id TEXT PRIMARY KEY, time DOUBLE PRECISION NOT NULL, session TEXT NOT NULL,
        tree TEXT NOT NULL, project TEXT NOT NULL, tenant TEXT NOT NULL, model TEXT NOT NULL,
        input BIGINT NOT NULL, output BIGINT NOT NULL, cache_read BIGINT NOT NULL,
        cache_write BIGINT NOT NULL, micros BIGINT NOT NULL, estimated INTEGER NOT NULL,
        host TEXT NOT NULL DEFAULT '', agent TEXT NOT NULL DEFAULT '')""",
    "CREATE INDEX IF NOT EXISTS budget_charge_tree ON budget_charge (tree, time)",
    "CREATE INDEX IF NOT EXISTS budget_charge_session ON budget_charge (session)",
    """CREATE TABLE IF NOT EXISTS budget_reading (
        path TEXT PRIMARY KEY, at BIGINT NOT NULL, state TEXT NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS budget_family (session TEXT PRIMARY KEY, tree TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS budget_repeat (
        session TEXT PRIMARY KEY, digest TEXT NOT NULL, times INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS budget_hold (
        id TEXT PRIMARY KEY, micros BIGINT NOT NULL, accounts TEXT NOT NULL,
        until DOUBLE PRECISION NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS budget_fact (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
ADDED = ("host", "agent")
"""Columns of ``budget_charge`` that a database of an earlier version lacks."""
PATIENCE = 5.0
"""Seconds to wait for another writer."""


class RunStatement(Protocol):
    """Run one statement inside a transaction."""

    def __call__(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Return its rows."""


class Database(Protocol):
    """Tables that many processes change, one transaction after the other."""

    remote: bool
    """Whether asking means waiting for a network."""

    def transaction(self, of: str = "") -> contextlib.AbstractContextManager[RunStatement]:
        """Return a transaction; raising inside takes everything back.

        No other runs beside it; where it is *of* a session, none of that session does.
        """

    def reading(self) -> contextlib.AbstractContextManager[RunStatement]:
        """Return what reads, without keeping anybody from writing."""

    def close(self) -> None:
        """Let go."""


class SqliteDatabase:
    """One file, shared by every process of this machine."""

    remote = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite.Connection | None = None

    @contextlib.contextmanager
    def transaction(self, of: str = "") -> Iterator[RunStatement]:
        """Return a transaction; a file that is no database any more is moved aside first."""
        db = sqlite.ours(self._db) or self._opened()
        try:
            db.execute("BEGIN IMMEDIATE")
            yield lambda sql, values=(): db.execute(sql, values).fetchall()
            db.execute("COMMIT")
        except BaseException as error:
            if db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            if sqlite.is_damaged(error):
                self._set_aside(str(error))
            if isinstance(error, sqlite3.Error):
                raise self._unusable(error) from error
            raise

    def reading(self) -> contextlib.AbstractContextManager[RunStatement]:
        """Return a transaction: a file's lock is had in microseconds."""
        return self.transaction()

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _opened(self) -> sqlite3.Connection:
        try:
            try:
                self._db = _connect(self._path)
            except sqlite3.DatabaseError as error:
                if not sqlite.is_damaged(error):
                    raise
                self._set_aside(str(error))
                self._db = _connect(self._path)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error
        return self._db

    def _set_aside(self, why: str) -> None:
        """Move a damaged file away, unless another process has just done so."""
        self.close()
        try:
            aside = sqlite.set_aside(self._path, patience=PATIENCE, check=_prepare)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error
        if aside is not None:
            with contextlib.closing(_connect(self._path)) as fresh:
                told = f"{aside} ({why})"
                fresh.execute("INSERT OR REPLACE INTO budget_fact VALUES ('damaged', ?)", (told,))

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(
            where=str(self._path),
            what=f"spending cannot be read: {error}",
            fix='Make the file usable, or set stance = "open" in [budget] to work without it.',
        )


_ADD_COLUMN = "ALTER TABLE budget_charge ADD COLUMN {} TEXT NOT NULL DEFAULT ''"


def _connect(path: Path) -> sqlite.Connection:
    return sqlite.connect(path, patience=PATIENCE, prepare=_prepare)


def _prepare(db: sqlite3.Connection) -> None:
    for table in TABLES:
        db.execute(table)
    there = {name for _, name, *_ in db.execute("PRAGMA table_info(budget_charge)")}
    for column in ADDED:
        if column not in there:
            _add(db, column)
    db.execute("SELECT * FROM budget_account LIMIT 1").fetchall()  # damage shows here
    db.execute("SELECT * FROM budget_charge LIMIT 1").fetchall()


def _add(db: sqlite3.Connection, column: str) -> None:
    try:
        db.execute(_ADD_COLUMN.format(column))
    except sqlite3.OperationalError as error:
        if "duplicate column" not in str(error):  # another process was faster
            raise
