"""Keep the copy of this machine's record close behind the record itself.

segments  ->  records.sqlite, every second

The daemon ships every few seconds, and a process without a daemon not at all; whoever watches wants
to see it now. Shipping twice is shipping once, so both may do it.
"""

import threading
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteShelf

EVERY = 0.5


class CatchUp(threading.Thread):
    """Ships *folder* into *database* until told to stop; what stands in the way is in ``problem``."""

    def __init__(self, folder: Path, database: Path) -> None:
        super().__init__(name="snaphook-catch-up", daemon=True)
        self._folder = folder
        self._database = database
        self._over = threading.Event()
        self.problem = ""

    def run(self) -> None:
        """Ship, wait, and ship again."""
        shelf: SqliteShelf | None = None
        while not self._over.is_set():
            try:
                if self._folder.is_dir():
                    shelf = shelf or SqliteShelf(self._database)
                    ship(self._folder, shelf)
                self.problem = ""
            except Exception as problem:  # noqa: BLE001 - a page must say what; nobody else is harmed
                shelf = None
                told = isinstance(problem, StoreError)
                self.problem = str(problem) if told else f"{self._database}: {problem}."
            self._over.wait(EVERY)
        if shelf is not None:
            shelf.close()

    def stop(self) -> None:
        """End."""
        self._over.set()
        self.join(5)
