"""What happens to the record behind everybody's back: shipped, packed, retired, checkpointed.

woken by a record  ->  ship        every ten minutes  ->  tidy and checkpoint

A database that is away costs nothing but delay; it is asked again, less and less often.
"""

import contextlib
import logging
import os
import platform
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Protocol

from snaphook.errors import StoreError
from snaphook.storage.files import create
from snaphook.stores.eventlog.audit import look, streams
from snaphook.stores.eventlog.checkpoint import note
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.stores.eventlog.ship import RecordStore, ship
from snaphook.stores.eventlog.tidy import tidy

if TYPE_CHECKING:
    from snaphook.stores.eventlog.trail.trail import Trail

log = logging.getLogger("snaphook.daemon")

GATHER = 5.0
"""Seconds in which records gather before they are shipped together."""
PATIENCE = (1.0, 60.0)
"""The shortest and the longest time before a database that failed is asked again."""
TIDY_EVERY = 600.0
DATABASE = "records.sqlite"
MACHINE = "machine"
"""The file with the mark that tells this record from others."""


class ClosableStore(RecordStore, Protocol):
    """A store that can be closed."""

    def close(self) -> None:
        """Hang up."""

    def tidied(self) -> int:
        """Leave no trace of what was redacted, as far as we may; return how many still wait."""


class LogMaintenance(threading.Thread):
    """Looks after one folder of the record, in a thread of its own."""

    def __init__(
        self,
        folder: Path,
        settings: LogSettings,
        *,
        trail: "Callable[[], Trail | None]" = lambda: None,
    ) -> None:
        super().__init__(name="snaphook-keeper", daemon=True)
        self._folder = folder
        self._settings = settings
        self._trail = trail
        self._store: ClosableStore | None = None
        self._wake = threading.Event()
        self._over = threading.Event()
        self._pause = PATIENCE[0]

    def wake(self) -> None:
        """Say that there is something to ship."""
        self._wake.set()

    def stop(self) -> None:
        """Ship what is there, and end."""
        self._over.set()
        self._wake.set()
        self.join(5)

    def run(self) -> None:
        """Look after the folder until told to stop."""
        tidied = monotonic()
        while not self._over.is_set():
            self._wake.wait(self._every)
            self._wake.clear()
            self._over.wait(GATHER)
            while not self._all_gone() and not self._over.wait(self._pause):
                self._pause = min(self._pause * 2, PATIENCE[1])
            if monotonic() - tidied >= self._every:
                tidied = monotonic()
                self.tidy()
        if trail := self._trail():
            trail.look_after(now=time())
        self._let_go()

    def tidy(self) -> None:
        """Note how far every stream has come, pack what is closed, drop what is too old."""
        try:
            for stream in streams(self._folder):
                if point := look(stream, time()):
                    note(stream, point)
            if trail := self._trail():
                trail.look_after(now=time())
            else:
                tidy(self._folder, self._settings, now=time())
        except (OSError, StoreError):
            log.exception("log maintenance failed")

    @property
    def _every(self) -> float:
        """Return how many seconds may pass between two checkpoints."""
        trail = self._trail()
        return min(TIDY_EVERY, trail.settings.seal_minutes * 60) if trail else TIDY_EVERY

    def _all_gone(self) -> bool:
        """Say whether both the database and the endpoint have everything."""
        shipped, sent = self._shipped(), self._sent()
        return shipped and sent

    def _sent(self) -> bool:
        """Say whether the endpoint has everything, or there is none."""
        trail = self._trail()
        if trail is None:
            return True
        try:
            trail.send()
        except Exception as problem:  # noqa: BLE001 - an endpoint has as many ways to be away
            log.warning("records stay on disk for now: %s", problem)
            return False
        return True

    def _shipped(self) -> bool:
        """Say whether everything there is has been shipped."""
        if self._settings.store == "none":
            return True
        try:
            self._store = self._store or open_record_store(self._settings, self._folder)
            ship(self._folder, self._store)
        except Exception as problem:  # noqa: BLE001 - a database has many ways to be away
            log.warning("records stay on disk for now: %s", problem)
            self._let_go()
            return False
        self._pause = PATIENCE[0]
        return True

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            with contextlib.suppress(Exception):  # it may be gone already
                store.close()


def open_record_store(settings: LogSettings, folder: Path) -> ClosableStore:
    """Return the database that *settings* name."""
    if settings.store.startswith(("postgres://", "postgresql://")):
        from snaphook.stores.eventlog.postgres import PostgresRecordStore

        return PostgresRecordStore(settings.store, machine=machine_name(folder, settings.machine))
    from snaphook.stores.eventlog.sqlite import SqliteRecordStore

    return SqliteRecordStore(folder / DATABASE)


def machine_name(folder: Path, called: str = "") -> str:
    """Return who ships the record in *folder*: this machine, and which of the records on it.

    Two users of a machine, and containers that all have one name, must not move each other's
    cursor; so each record has a mark of its own, made once.
    """
    path = folder / MACHINE
    if not path.exists():
        create(path, os.urandom(4).hex().encode())
    return f"{called or platform.node()}/{path.read_text(encoding='ascii')}"
