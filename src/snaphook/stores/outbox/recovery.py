"""A damaged outbox: what can be read moves on, the file is kept, and the person is told where.

outbox.sqlite  ->  jobs, in the spool  ->  a new outbox.sqlite        the damaged one  ->  set aside

Jobs are laid down in the spool before the file is moved: whoever is killed in between leaves them in
both places, and a job that is taken in twice is one job.
"""

import contextlib
import logging
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import StoreError
from snaphook.storage import sqlite
from snaphook.storage.salvage import readable_rows

from . import spool
from .job import Job

log = logging.getLogger("snaphook.outbox")


class Recovery(Struct, frozen=True, kw_only=True):
    """What came of a damaged outbox."""

    aside: Path
    """Where the damaged file is now."""
    jobs: int
    """How many jobs could be read."""
    problem: str

    def __str__(self) -> str:
        return (
            f"{self.aside.parent}: the outbox was damaged ({self.problem}). {self.jobs} jobs that could "
            f"be read were moved to a new file; the damaged one is kept as {self.aside.name}. Compare "
            "'snaphook outbox' with what you expect, then delete it."
        )


def recover(path: Path, folder: Path, *, patience: float) -> Recovery | None:
    """Replace the outbox at *path* if it is damaged, its jobs laid down in *folder*; ``None`` if it is sound.

    The caller has closed its connections. Raises ``StoreError`` while other processes still use the file.
    """
    if not path.exists() or not _is_damaged(path, patience=patience):
        return None
    found: list[Job] = []
    problems: list[str] = []

    def save() -> None:
        found.extend(readable_jobs(path))
        if found:
            spool.lay_down_all(folder, found)

    def check(db: sqlite3.Connection) -> None:
        problems[:] = _problems(db)
        if problems:
            raise sqlite3.DatabaseError(problems[0])

    try:
        aside = sqlite.set_aside(path, patience=patience, check=check, before=save)
    except (OSError, sqlite3.Error) as error:
        fix = "Stop the processes that use it ('snaphook daemon stop'), then run 'snaphook outbox run'."
        raise StoreError(where=str(path), what=str(error), fix=fix) from error
    if aside is None:
        return None
    made = Recovery(aside=aside, jobs=len(found), problem=next(iter(problems), "not a database"))
    log.warning("%s", made)
    return made


def readable_jobs(path: Path) -> Iterator[Job]:
    """Yield the jobs that can be read of the damaged outbox at *path*; nobody has any of them in hand."""
    for row in readable_rows(path, "job"):
        if job := _job(row):
            yield job


def _job(row: Mapping[str, Any]) -> Job | None:
    """Return the job of *row*; ``None`` where what was read is none."""
    try:
        payload = msgspec.json.decode(row["payload"])
        return msgspec.convert({**row, "payload": payload, "lease": "", "lease_until": 0.0}, Job)
    except (KeyError, TypeError, ValueError):
        return None


def _is_damaged(path: Path, *, patience: float) -> bool:
    """Look at the file beside those who use it: to be alone with it, they would have to stop."""
    try:
        with contextlib.closing(sqlite.connect(path, patience=patience)) as db:
            return bool(_problems(db))
    except sqlite3.DatabaseError as error:
        return sqlite.is_damaged(error)
    except OSError:
        return False


def _problems(db: sqlite3.Connection) -> list[str]:
    """Return what is wrong with the file; an index that lacks a row hides a job without any error."""
    try:
        found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(1)")]
    except sqlite3.OperationalError:
        raise  # locked or full: that is not damage
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if found == ["ok"] else found
