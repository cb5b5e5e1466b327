"""The outbox: one SQLite file that several processes put jobs into and take jobs from.

put  ->  waiting  ->  take (a lease)  ->  done, later, dead

A put is one small transaction. Where the file is locked for longer than a hook may wait, or cannot
be written, the job is laid down beside it and taken in later; only where nothing can be written at
all does a put fail. A commit survives the death of every process; of the machine's power, all but
the last moment.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import msgspec

from snaphook.config import Environment
from snaphook.errors import StoreError
from snaphook.storage import sqlite

from . import spool
from .job import Job, JobState

if TYPE_CHECKING:
    from .recovery import Recovery

FILE, SPOOL = "outbox.sqlite", "outbox.d"
HOOK_PATIENCE = 0.25
"""Seconds a put waits for a lock before it takes the side door."""
WORKER_PATIENCE = 10.0
LEASE = 30.0
"""Seconds a worker has a job for itself; it renews while it works, so only the dead let it lapse."""
KEEP_DONE, KEEP_DEAD = 1000, 10_000

SCHEMA = """
CREATE TABLE IF NOT EXISTS job (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, payload BLOB NOT NULL, key TEXT NOT NULL UNIQUE,
    cwd TEXT NOT NULL, state TEXT NOT NULL, made REAL NOT NULL, due REAL NOT NULL,
    attempts INTEGER NOT NULL, lease TEXT NOT NULL, lease_until REAL NOT NULL,
    ended REAL NOT NULL, error TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS job_due ON job (state, due);
CREATE INDEX IF NOT EXISTS job_ended ON job (state, ended);
"""
_INSERT = f"INSERT OR IGNORE INTO job VALUES ({','.join('?' * 13)})"  # noqa: S608 - only marks
_open: "WeakSet[Outbox]" = WeakSet()
"""Every outbox of this process."""
_registering = threading.Lock()


class Outbox:
    """The jobs of one user. Threads may share it."""

    def __init__(
        self,
        folder: Path,
        *,
        cwd: Path | str = "",
        patience: float = HOOK_PATIENCE,
        awake: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time,
    ) -> None:
        self.path = folder / FILE
        self.spool = folder / SPOOL
        self._cwd = str(cwd)
        self._patience = patience
        self._awake = awake
        self._clock = clock
        self._turn = threading.RLock()
        self._connection: sqlite.Connection | None = None
        with _registering:
            _open.add(self)

    @classmethod
    def of(cls, around: Environment, *, patience: float = HOOK_PATIENCE) -> "Outbox":
        """Return the outbox of *around*'s user; a put has its work begun in the background."""
        from .workers import wake

        return cls(around.data_dir, cwd=around.cwd, patience=patience, awake=lambda: wake(around))

    def put(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        key: str = "",
        not_before: float = 0.0,
        cwd: str = "",
    ) -> str:
        """Keep a job and return its id; of one *key* there is one job, whose id is returned.

        Secrets in *payload* and *key* are replaced before anything is written: a finished job's text
        stays in the database's own log for a while.
        """
        now = self._clock()
        made = new_id(now)
        payload, key = self._scrubbed(payload, key)
        job = Job(
            id=made,
            kind=kind,
            payload=payload,
            key=key or made,
            cwd=cwd or self._cwd,
            made=now,
            due=max(now, not_before),
        )
        kept = self._keep(job)
        self._awake()
        return kept

    def _scrubbed(self, payload: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], str]:
        from snaphook.scrub import Scrubber, kept_salt  # not for those who only read

        # Addresses of people stay: a notice or a commit may need them, and channels scrub for themselves.
        scrubber = Scrubber(personal=False, salt=kept_salt(self.path.parent))
        return scrubber.scrub(payload), scrubber.text(key)

    def take(self, *, lease: float = LEASE) -> Job | None:
        """Return the job that is due for longest, in hand for *lease* seconds; ``None`` if none is."""
        now = self._clock()
        with self._writing() as db:
            row = db.execute(
                "SELECT * FROM job WHERE state = ? AND due <= ? AND lease_until <= ? "
                "ORDER BY due, rowid LIMIT 1",
                (JobState.WAITING, now, now),
            ).fetchone()
            if row is None:
                return None
            job = msgspec.structs.replace(
                _job(row),
                attempts=row["attempts"] + 1,
                lease=os.urandom(8).hex(),
                lease_until=now + lease,
            )
            db.execute(
                "UPDATE job SET attempts = ?, lease = ?, lease_until = ? WHERE id = ?",
                (job.attempts, job.lease, job.lease_until, job.id),
            )
        return job

    def renew(self, job: Job, *, lease: float = LEASE) -> bool:
        """Hold *job* for *lease* seconds more; ``False`` if it is no longer ours."""
        return self._ours(job, lease_until=self._clock() + lease)

    def done(self, job: Job) -> bool:
        """Note that *job* was done; ``False`` if somebody else has it by now."""
        kept = self._ours(
            job, state=JobState.DONE, ended=self._clock(), lease="", lease_until=0.0, error=""
        )
        self._forget()
        return kept

    def later(self, job: Job, *, due: float, error: str, count: bool = True) -> bool:
        """Put *job* back until *due*; unless *count*, the attempt did not happen."""
        attempts = job.attempts if count else job.attempts - 1
        return self._ours(job, due=due, error=error, attempts=attempts, lease="", lease_until=0.0)

    def bury(self, job: Job, error: str) -> bool:
        """Make *job* a dead letter."""
        kept = self._ours(
            job, state=JobState.DEAD, ended=self._clock(), error=error, lease="", lease_until=0.0
        )
        self._forget()
        return kept

    def next_due(self) -> float | None:
        """Return when there will be something to take; ``None`` if nothing waits."""
        with self._reading() as db:
            (due,) = db.execute(
                "SELECT min(max(due, lease_until)) FROM job WHERE state = ?", (JobState.WAITING,)
            ).fetchone()
        return None if due is None else float(due)

    def jobs(self, *states: JobState, kind: str = "", limit: int = 0) -> list[Job]:
        """Return the jobs in any of *states* (all where none is named), the newest first."""
        wanted = states or tuple(JobState)
        marks = ",".join("?" * len(wanted))
        with self._reading() as db:
            rows = db.execute(
                f"SELECT * FROM job WHERE state IN ({marks}) AND ? IN ('', kind) "  # noqa: S608
                "ORDER BY made DESC, rowid DESC LIMIT ?",
                (*wanted, kind, limit or -1),
            ).fetchall()
        return [_job(row) for row in rows]

    def find(self, start: str) -> list[Job]:
        """Return the jobs whose id begins with *start*, or whose key is *start*."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT * FROM job WHERE substr(id, 1, ?) = ? OR key = ? ORDER BY id",
                (len(start), start, start),
            ).fetchall()
        return [_job(row) for row in rows]

    def counts(self) -> dict[JobState, int]:
        """Return how many jobs are in each state."""
        with self._reading() as db:
            rows = db.execute("SELECT state, count(*) FROM job GROUP BY state").fetchall()
        found = {JobState(state): int(count) for state, count in rows}
        return {state: found.get(state, 0) for state in JobState}

    def retry(self, job: Job) -> bool:
        """Let the dead letter *job* wait again, with all its attempts before it."""
        with self._writing() as db:
            moved = db.execute(
                "UPDATE job SET state = ?, due = ?, attempts = 0, ended = 0 "
                "WHERE id = ? AND state = ?",
                (JobState.WAITING, self._clock(), job.id, JobState.DEAD),
            ).rowcount
        self._awake()
        return bool(moved)

    def drop(self, job: Job) -> bool:
        """Forget the dead letter *job*."""
        with self._writing() as db:
            gone = db.execute("DELETE FROM job WHERE id = ? AND state = ?", (job.id, JobState.DEAD))
        return bool(gone.rowcount)

    def absorb(self) -> int:
        """Take in what was laid down beside the file; return how many jobs that was."""
        taken = 0
        for path, jobs in spool.laid_down(self.spool):
            with self._writing() as db:
                db.executemany(_INSERT, map(_row, jobs))
            path.unlink(missing_ok=True)
            taken += len(jobs)
        return taken

    def recover(self) -> "Recovery | None":
        """Check the file; move the jobs of a damaged one to a new one, and return what was done."""
        from .recovery import recover  # few files are ever damaged

        with _registering:
            ours = [outbox for outbox in _open if outbox.path == self.path]
        for outbox in ours:
            outbox.close()  # a connection of ours would keep us from being alone with the file
        done = recover(self.path, self.spool, patience=self._patience)
        if done is not None:
            self.absorb()
            told = {"id": "outbox", "title": "Snaphook: the outbox was damaged", "error": str(done)}
            self.put("alert", told, key=f"recovered:{done.aside.name}")
        return done

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # the interpreter may be half gone
            self.close()

    def _keep(self, job: Job) -> str:
        try:
            with self._turn:
                if self._db().execute(_INSERT, _row(job)).rowcount:
                    return job.id
                found = self._db().execute("SELECT id FROM job WHERE key = ?", (job.key,))
                return str(found.fetchone()[0])
        except (sqlite3.Error, StoreError) as shut:
            try:
                spool.lay_down(self.spool, job)
            except OSError as error:
                why = shut.what if isinstance(shut, StoreError) else str(shut)
                raise self._broken(f"{why}; and {self.spool}: {error.strerror}") from error
        return job.id

    def _ours(self, job: Job, **fields: object) -> bool:
        """Change *job* if our lease still holds."""
        names = ", ".join(f"{name} = ?" for name in fields)
        with self._writing() as db:
            changed = db.execute(
                f"UPDATE job SET {names} WHERE id = ? AND lease = ? AND state = ?",  # noqa: S608 - ours
                (*fields.values(), job.id, job.lease, JobState.WAITING),
            )
        return bool(changed.rowcount)

    def _forget(self) -> None:
        """Drop what ended longest ago, beyond what is kept."""
        with self._writing() as db:
            for state, most in ((JobState.DONE, KEEP_DONE), (JobState.DEAD, KEEP_DEAD)):
                db.execute(
                    "DELETE FROM job WHERE state = ? AND ended < (SELECT ended FROM job "
                    "WHERE state = ? ORDER BY ended DESC LIMIT 1 OFFSET ?)",
                    (state, state, most - 1),
                )

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._turn, self._told(), self._db() as db:
            db.execute("BEGIN IMMEDIATE")
            yield db

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._turn, self._told():
            yield self._db()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._broken(str(error)) from error

    def _db(self) -> sqlite3.Connection:
        self._connection = sqlite.ours(self._connection)
        if self._connection is None:
            try:
                self._connection = self._opened()
            except (OSError, sqlite3.Error) as error:
                raise self._broken(f"cannot be opened: {error}") from error
        return self._connection

    def _opened(self) -> sqlite.Connection:
        db = sqlite.connect(self.path, patience=self._patience, prepare=_prepare)
        db.row_factory = sqlite3.Row
        return db

    def _broken(self, what: str) -> StoreError:
        fix = "Check disk space and permissions. If it is damaged, 'snaphook outbox run' recovers its jobs."
        return StoreError(where=str(self.path), what=what, fix=fix)


def _prepare(db: sqlite3.Connection) -> None:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'job_ended'").fetchone():
        db.executescript(SCHEMA)


def new_id(now: float) -> str:
    """Return a new id: milliseconds, then chance; sorted by time."""
    return f"{int(now * 1000):012x}{os.urandom(4).hex()}"


def _row(job: Job) -> tuple[object, ...]:
    return (
        job.id,
        job.kind,
        msgspec.json.encode(job.payload),
        job.key,
        job.cwd,
        job.state,
        job.made,
        job.due,
        job.attempts,
        job.lease,
        job.lease_until,
        job.ended,
        job.error,
    )


def _job(row: sqlite3.Row) -> Job:
    payload: dict[str, Any] = msgspec.json.decode(row["payload"])
    return Job(**{**dict(row), "payload": payload, "state": JobState(row["state"])})
