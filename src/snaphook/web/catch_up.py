"""Keep the copy of this machine's record close behind the record itself.

segments  ->  records.sqlite, four times a second

The daemon ships every few seconds, and a process without a daemon not at all; whoever watches wants
to see it now. Shipping twice is shipping once, so both may do it.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore

from .dashboard import RECORDS, Dashboard

EVERY = 0.25


class CatchUp(threading.Thread):
    """Ships *folder* into *database* until told to stop; what stands in the way is in ``problem``."""

    def __init__(self, folder: Path, database: Path) -> None:
        super().__init__(name="snaphook-catch-up", daemon=True)
        self._folder = folder
        self._database = database
        self.news: Callable[[], object] = lambda: None
        """Called, in this thread, whenever something was shipped."""
        self._over = threading.Event()
        self._store: SqliteRecordStore | None = None
        self.caught_up = threading.Event()
        """Set once everything that was there has been shipped, or cannot be."""
        self.problem = ""

    def run(self) -> None:
        """Ship, wait, and ship again."""
        while not self._over.is_set():
            self.ship_once()
            self.caught_up.set()
            self._over.wait(EVERY)
        self._let_go()

    def ship_once(self) -> None:
        """Ship what there is; for the first look, before the thread is started."""
        try:
            if self._folder.is_dir():
                self._store = self._store or SqliteRecordStore(self._database)
                if ship(self._folder, self._store):
                    self.news()
            self.problem = ""
        except Exception as problem:  # noqa: BLE001 - a page must say what; nobody else is harmed
            self._let_go()
            told = isinstance(problem, StoreError)
            self.problem = str(problem) if told else f"{self._database}: {problem}."

    def stop(self) -> None:
        """End."""
        self._over.set()
        if self.is_alive():
            self.join(5)

    def _let_go(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            with contextlib.suppress(Exception):  # it may be gone already
                store.close()


@contextlib.contextmanager
def keeping_fresh(dashboard: Dashboard) -> Iterator[None]:
    """Have this machine's record copied while somebody looks; the first copy is waited for."""
    if dashboard.folder is None or dashboard.fleet:
        yield
        return
    behind = CatchUp(dashboard.folder, dashboard.folder / RECORDS)
    behind.ship_once()
    behind.start()
    try:
        yield
    finally:
        behind.stop()
