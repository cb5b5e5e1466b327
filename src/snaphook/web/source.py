"""Where a page's figures come from: a file of this machine, or a database of the fleet.

SQL with ``?``  ->  rows

Read only: nobody who records or decides ever waits for a page.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from snaphook.errors import MissingExtra, StoreError
from snaphook.storage import postgres, sqlite

Rows: TypeAlias = list[tuple[Any, ...]]
KEPT = 4
"""Connections kept for the next page."""
PATIENCE = 2.0
"""Seconds to wait for a database before the page says that it is away."""
LONGEST_MS = 10_000
"""No query of a page may take longer."""
POSTGRES = ("postgresql://", "postgres://")


class FigureSource(Protocol):
    """Tables to read from."""

    prefix: str
    """What the names of its tables begin with."""
    machine: str
    """The expression for the machine that a record came from."""
    where: str
    """Its address, as it may be shown."""

    def rows(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Return the rows of *sql*; raise StoreError where the database is away."""

    def close(self) -> None:
        """Let go."""


class SqliteSource:
    """A file, read while others write it; one that is not there yet is empty."""

    prefix = ""
    machine = "''"

    def __init__(self, path: Path) -> None:
        self._path = path
        self.where = str(path)
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue(KEPT)

    def rows(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Return the rows of *sql*."""
        if not self._path.exists():
            return []
        try:
            with self._connection() as db:
                return db.execute(sql.replace("{p}", ""), values).fetchall()
        except sqlite3.Error as error:
            if "no such table" in str(error):
                return []  # being made this moment
            raise StoreError(
                where=self.where,
                what=f"cannot be read: {error}",
                fix="The page tries again by itself; 'snaphook log' reads the record without it.",
            ) from error

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(Empty):
            while True:
                self._idle.get_nowait().close()

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            db = self._idle.get_nowait()
        except Empty:
            db = sqlite.connect_readonly(self._path, patience=PATIENCE)
        try:
            yield db
        except BaseException:
            db.close()
            raise
        _put_back(self._idle, db)


class PostgresSource:
    """The database that many machines ship to."""

    prefix = "snaphook_"
    machine = "machine"

    def __init__(self, url: str) -> None:
        self._url = url
        parts = urlsplit(url)
        self.where = f"{parts.scheme}://{parts.hostname or ''}{parts.path}"
        self._idle: LifoQueue[Any] = LifoQueue(KEPT)

    def rows(self, sql: str, values: Sequence[object] = ()) -> Rows:
        """Return the rows of *sql*."""
        try:
            import psycopg
        except ModuleNotFoundError as missing:
            raise MissingExtra.named("postgres", wanted_by="the fleet's database") from missing
        asked = sql.replace("{p}", self.prefix).replace("%", "%%").replace("?", "%s")
        try:
            with self._connection() as db:
                rows: Rows = db.execute(asked.encode(), values).fetchall()
                return rows
        except psycopg.errors.UndefinedTable:
            return []
        except psycopg.Error as error:
            raise StoreError(
                where=self.where,
                what=f"cannot be asked: {str(error).strip()}",
                fix="The page tries again by itself; agents' calls are still evaluated.",
            ) from error

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(Empty):
            while True:
                self._idle.get_nowait().close()

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Any]:
        try:
            db = self._idle.get_nowait()
        except Empty:
            limits = f"-c statement_timeout={LONGEST_MS} -c default_transaction_read_only=on"
            db = postgres.connect(
                self._url, wanted_by="the fleet's database", patience=PATIENCE, options=limits
            )
        try:
            yield db
        except BaseException:
            db.close()
            raise
        _put_back(self._idle, db)


def open_source(address: str | Path) -> FigureSource:
    """Return the source at *address*: a URL of PostgreSQL, or a file."""
    if isinstance(address, str) and address.startswith(POSTGRES):
        return PostgresSource(address)
    return SqliteSource(Path(address).expanduser())


def _put_back(idle: "LifoQueue[Any]", db: Any) -> None:
    try:
        idle.put_nowait(db)
    except Exception:  # noqa: BLE001 - enough are kept
        db.close()
