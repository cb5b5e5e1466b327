"""SQLite databases that several processes and threads share.

path  ->  Connection, in WAL mode, its files readable for their owner alone

The file of a database is opened by SQLite and by nobody else. SQLite's locks are those of ``fcntl``,
which the kernel drops as soon as *any* descriptor of the file is closed in the process
(https://www.sqlite.org/howtocorrupt.html, 2.2): one ``open`` and ``close`` by hand while another
connection is at work, and two processes write at once. So the file is created under another name,
and its permissions are changed by path.

Each connection holds a shared lock beside the file. Whoever wants to move a damaged file away needs
that lock alone, so a database in use is never renamed: its last user would delete the write-ahead
log of the new file, which has the old name.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any, Literal, TypeAlias

from .folders import PRIVATE_FILE, make_private
from .lock import Held, take

Sync: TypeAlias = Literal["OFF", "NORMAL", "FULL"]
PAUSE = 0.005
TAILS = ("-wal", "-shm", "-journal")
_inherited: "list[Connection]" = []
"""Connections of our parent process: closing one here would act on the parent's files."""


class Connection(sqlite3.Connection):
    """A connection that says on disk that it is there, and knows which process opened it."""

    in_use: Held | None = None
    pid: int = 0

    def close(self) -> None:
        """Close the database, then let others move it."""
        super().close()
        if self.in_use is not None:
            self.in_use.release()


def connect(
    path: Path,
    *,
    patience: float,
    sync: Sync = "NORMAL",
    prepare: Callable[[sqlite3.Connection], object] = lambda _: None,
) -> Connection:
    """Return the database at *path*, made if it is missing and handed to *prepare*.

    *patience* is how many seconds a statement waits for another writer. A commit survives the death of
    the process; with *sync* FULL that of the machine too, with NORMAL all but the last moment of it.
    Raises ``OSError`` and ``sqlite3.Error``.
    """
    make_private(path.parent)
    in_use = take(lock_of(path), patience=patience, shared=True)
    if in_use is None:
        raise sqlite3.OperationalError("is being replaced by another process")
    try:
        db = _open(path, patience=patience, sync=sync, prepare=prepare)
    except BaseException:
        in_use.release()
        raise
    db.in_use = in_use
    return db


def connect_readonly(path: Path, *, patience: float) -> Connection:
    """Return the database at *path* for reading alone; one that is missing is an error."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    db = _connection(uri, patience=patience, uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
    except BaseException:
        db.close()
        raise
    return db


def ours(db: Connection | None) -> Connection | None:
    """Return *db*, or ``None`` where it must be opened: it is not, or by a parent that forked us.

    SQLite forbids a connection to cross a fork: the child has none of the locks that it believes to hold.
    """
    if db is not None and db.pid != os.getpid():
        _inherited.append(db)  # kept alive: its destructor would close it
        return None
    return db


def lock_of(path: Path) -> Path:
    """Return the file by whose lock a database's users are known."""
    return path.with_name(f"{path.name}.lock")


def is_damaged(error: BaseException) -> bool:
    """Say whether the file itself is broken; one that is locked, full or unreadable is not."""
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(
        error,
        sqlite3.OperationalError
        | sqlite3.IntegrityError
        | sqlite3.ProgrammingError
        | sqlite3.InterfaceError
        | sqlite3.NotSupportedError,
    )


def set_aside(
    path: Path,
    *,
    patience: float,
    check: Callable[[sqlite3.Connection], object],
    before: Callable[[], object] = lambda: None,
) -> Path | None:
    """Move the damaged database at *path* away with its log; return where it is.

    ``None`` if *check* finds nothing wrong: another process was faster. *before* is called when something
    is, before the move: whoever saves what can be read does it here, alone with the file. The caller has
    closed its own connection. Raises ``sqlite3.OperationalError`` while others still use the file.
    """
    alone = take(lock_of(path), patience=patience)
    if alone is None:
        raise sqlite3.OperationalError("is damaged, and other processes still use it")
    with alone:
        try:
            _open(path, patience=patience, sync="OFF", prepare=check).close()
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
        else:
            return None
        before()
        aside = path.with_name(f"{path.name}.damaged-{time():.3f}")
        path.replace(aside)
        for tail in TAILS:
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + tail).replace(aside.with_name(aside.name + tail))
        return aside


def problems(path: Path, *, patience: float = 5.0) -> list[str]:
    """Return what SQLite finds wrong with the database at *path*; empty if it is sound or missing."""
    if not path.exists():
        return []
    try:
        with contextlib.closing(connect(path, patience=patience)) as db:
            found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(10)")]
    except (OSError, sqlite3.Error) as error:
        return [str(error)]
    return [] if found == ["ok"] else found


def _open(
    path: Path, *, patience: float, sync: Sync, prepare: Callable[[sqlite3.Connection], object]
) -> Connection:
    _create(path)
    db = _connection(str(path), patience=patience)
    try:
        db.execute(f"PRAGMA synchronous = {sync}")
        _use_wal(db, until=monotonic() + patience)
        prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def _connection(database: str, *, patience: float, **more: Any) -> Connection:
    db: Connection = sqlite3.connect(
        database,
        isolation_level=None,
        timeout=patience,
        check_same_thread=False,
        factory=Connection,
        **more,
    )
    db.pid = os.getpid()
    return db


def _create(path: Path) -> None:
    """Make an empty file at *path* for the owner alone, or take others' rights to one that is there.

    Made and closed under another name, then linked: a connection to the new name cannot exist before
    our descriptor is gone. An umask would do too, but it is the whole process's.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        pass
    else:
        if found.st_mode & 0o077 and found.st_uid == os.geteuid():
            path.chmod(PRIVATE_FILE)
        return
    draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_FILE))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    except PermissionError:
        pass  # a file system without hard links: SQLite makes the file, and the next one narrows it
    finally:
        draft.unlink(missing_ok=True)


def _use_wal(db: sqlite3.Connection, *, until: float) -> None:
    """Switch to the write-ahead log, waiting for others: SQLite's own timeout does not cover this."""
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() >= until:
                raise
            sleep(PAUSE)
        else:
            return
