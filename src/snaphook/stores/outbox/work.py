"""Do the jobs that are due.

Outbox + handlers  ->  done, put off, dead

A handler that raises is tried again; one that takes its whole process down is too, since the attempt
was counted when the job was taken.
"""

import contextlib
import logging
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import time
from typing import TypeAlias

import msgspec

from snaphook.config import Environment
from snaphook.errors import SnaphookError, StoreError
from snaphook.storage import sqlite

from .job import GiveUp, Handler, Job, RetryLater
from .outbox import LEASE, Outbox
from .schedule import ATTEMPTS, OLDEST, pause

log = logging.getLogger("snaphook.outbox")

ALERT = "alert"
"""The kind of job by which people hear of a dead letter."""
QUIET = (ALERT, "notify", "deliver")
"""Kinds that carry such words themselves: of their own failure nothing is told."""

Handlers: TypeAlias = Callable[[str], Handler]
"""The handler of a kind; ``LookupError`` where nobody has one."""


def drain(
    outbox: Outbox,
    handlers: Handlers,
    around: Environment,
    *,
    over: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time,
    chance: Callable[[], float] = random.random,
) -> int:
    """Do everything that is due, until *over*; return how many jobs were tried.

    An outbox that turns out to be damaged is recovered.
    """

    def drained() -> int:
        outbox.absorb()
        tried = 0
        while not over() and (job := outbox.take()) is not None:
            do(job, outbox, handlers, around, clock=clock, chance=chance)
            tried += 1
        return tried

    try:
        return drained()
    except StoreError as problem:
        if not sqlite.is_damaged(problem.__cause__ or problem) or outbox.recover() is None:
            raise
        return drained()


def do(
    job: Job,
    outbox: Outbox,
    handlers: Handlers,
    around: Environment,
    *,
    clock: Callable[[], float] = time,
    chance: Callable[[], float] = random.random,
) -> None:
    """Do *job* once, and note what came of it."""
    try:
        with _held(job, outbox):
            _handler(job, handlers)(job, _there(job, around))
    except GiveUp as why:
        _bury(job, outbox, str(why))
    except RetryLater as why:
        if clock() - job.made > OLDEST:
            _bury(job, outbox, f"postponed for too long: {why}")
        else:
            outbox.later(job, due=clock() + why.seconds, error=str(why), count=False)
    except Exception as why:  # noqa: BLE001 - whatever a handler does, the next job is done
        told = _told(why)
        if job.attempts >= ATTEMPTS:
            _bury(job, outbox, told)
            return
        log.info("outbox: %s %s failed (attempt %d): %s", job.kind, job.id, job.attempts, told)
        outbox.later(job, due=clock() + pause(job.attempts, chance()), error=told)
    else:
        outbox.done(job)


def _handler(job: Job, handlers: Handlers) -> Handler:
    try:
        return handlers(job.kind)
    except LookupError:
        raise GiveUp(f"unknown job type '{job.kind}'. Update Snaphook, then retry it.") from None


def _there(job: Job, around: Environment) -> Environment:
    """Return *around* as seen from where the job was asked for."""
    return msgspec.structs.replace(around, cwd=Path(job.cwd)) if job.cwd else around


def _bury(job: Job, outbox: Outbox, why: str) -> None:
    log.warning("outbox: %s %s is a dead letter: %s", job.kind, job.id, why)
    if outbox.bury(job, why) and job.kind not in QUIET:
        told = {"id": job.id, "kind": job.kind, "error": why}
        outbox.put(ALERT, told, key=f"alert:{job.id}:{job.made}", cwd=job.cwd)


def _told(why: Exception) -> str:
    return str(why) if isinstance(why, SnaphookError) else f"{type(why).__name__}: {why}"


@contextlib.contextmanager
def _held(job: Job, outbox: Outbox) -> Iterator[None]:
    """Renew the lease of *job* for as long as its handler works."""
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(LEASE / 3):
            with contextlib.suppress(StoreError):
                outbox.renew(job)

    keeping = threading.Thread(target=renew, name="snaphook-lease", daemon=True)
    keeping.start()
    try:
        yield
    finally:
        ended.set()
