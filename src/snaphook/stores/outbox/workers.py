"""Who does the work: a thread of the resident process, or a process of its own that nobody waits for.

put  ->  wake  ->  a worker that looks

The process of its own is one at most: it holds a lock while it works and looks once more after
letting go, so that a job put in that moment is not overlooked.
"""

import contextlib
import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, time

from snaphook.config import Environment
from snaphook.errors import StoreError
from snaphook.storage.lock import take

from .outbox import FILE, SPOOL, WORKER_PATIENCE, Outbox
from .work import Handlers, drain

log = logging.getLogger("snaphook.outbox")

LOCK = "outbox.lock"
LOOK_EVERY = 60.0
"""Seconds between two looks of a resident worker at what other processes put."""
LINGER = 600.0
"""How far away the next attempt may be for a process of its own to wait for it."""
AGAIN = 5.0
"""Seconds before an outbox that cannot be read is looked at again."""

_resident: Callable[[Environment], None] | None = None
"""Who is woken in this process, where it stays."""


def wake(around: Environment) -> None:
    """Have the outbox of *around* looked at, by whoever is there; never wait, never fail."""
    if _resident is not None:
        _resident(around)
        return
    with contextlib.suppress(OSError):
        if (held := take(around.data_dir / LOCK)) is not None:
            held.release()
            _spawn(around)


class Workers:
    """The threads of a resident process: one for each outbox it was asked about."""

    def __init__(self, handlers: Handlers) -> None:
        self._handlers = handlers
        self._threads: dict[Path, _Worker] = {}

    def begin(self, around: Environment) -> None:
        """Be the one who is woken in this process; begin with what earlier ones left behind."""
        global _resident
        _resident = self.wake
        if any((around.data_dir / left).exists() for left in (FILE, SPOOL)):
            self.wake(around)

    def wake(self, around: Environment) -> None:
        """Have the outbox of *around* looked at, its newest environment in hand."""
        worker = self._threads.get(around.data_dir)
        if worker is None:
            worker = self._threads[around.data_dir] = _Worker(around, self._handlers)
            worker.start()
        worker.wake(around)

    def stop(self) -> None:
        """End after the jobs in hand; what still waits is left to a process of its own."""
        global _resident
        _resident = None
        for worker in self._threads.values():
            worker.end()
        for worker in self._threads.values():
            worker.join(5)
            if worker.owes:
                wake(worker.around)


class _Worker(threading.Thread):
    """Looks after one outbox until it is told to stop."""

    def __init__(self, around: Environment, handlers: Handlers) -> None:
        super().__init__(name="snaphook-outbox", daemon=True)
        self.around = around
        self.owes = False
        """Something waits that is due soon."""
        self._handlers = handlers
        self._woken = threading.Event()
        self._over = threading.Event()

    def wake(self, around: Environment) -> None:
        self.around = around
        self._woken.set()

    def end(self) -> None:
        self._over.set()
        self._woken.set()

    def run(self) -> None:
        outbox = Outbox(self.around.data_dir, patience=WORKER_PATIENCE)
        _recover(outbox)
        while not self._over.is_set():
            self._woken.clear()
            try:
                drain(outbox, self._handlers, self.around, over=self._over.is_set)
                due = outbox.next_due()
                self.owes = due is not None and due - time() < LINGER
                wait = LOOK_EVERY if due is None else min(max(due - time(), 0), LOOK_EVERY)
            except StoreError as problem:
                log.warning("%s", problem)
                outbox.close()
                wait = AGAIN
            self._woken.wait(wait)
        with contextlib.suppress(StoreError):
            outbox.close()


def work_alone(handlers: Handlers, around: Environment) -> bool:
    """Do the work in this process until nothing is left; ``False`` if another process does."""
    worked = False
    while (held := take(around.data_dir / LOCK)) is not None:
        outbox = Outbox(around.data_dir, patience=WORKER_PATIENCE)
        with held:
            _recover(outbox)
            _until_empty(outbox, handlers, around)
            worked = True
        left = _soon(outbox)
        outbox.close()
        if not left:
            return True
    return worked


def _recover(outbox: Outbox) -> None:
    """Replace a damaged outbox. Looked for once in a worker's life: it reads the whole file."""
    try:
        outbox.recover()
    except StoreError as problem:
        log.warning("%s", problem)


def _until_empty(outbox: Outbox, handlers: Handlers, around: Environment) -> None:
    while True:
        drain(outbox, handlers, around)
        due = outbox.next_due()
        if due is None or due - time() > LINGER:
            return
        _sleep(due - time(), outbox)


def _sleep(seconds: float, outbox: Outbox) -> None:
    """Wait, but no longer than until somebody put something."""
    pause, until = threading.Event(), monotonic() + seconds
    before = outbox.next_due()
    while monotonic() < until and outbox.next_due() == before and not _soon_in_spool(outbox):
        pause.wait(min(0.25, max(0.0, until - monotonic())))


def _soon(outbox: Outbox) -> bool:
    due = outbox.next_due()
    return _soon_in_spool(outbox) or (due is not None and due - time() <= LINGER)


def _soon_in_spool(outbox: Outbox) -> bool:
    return any(outbox.spool.glob("*.json"))


def _spawn(around: Environment) -> None:
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "snaphook", "outbox", "work"],
        cwd="/",
        env=dict(around.env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    threading.Thread(target=process.wait, name="snaphook-reaper", daemon=True).start()
