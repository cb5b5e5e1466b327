"""One change at a time: a lock that the kernel gives back when its holder dies.

path + patience  ->  held, or a StoreError that names the holder
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.storage.lock import Held, holder, take


class WorkspaceLock:
    """The right to change what lies beside *path*; its holder may enter again."""

    def __init__(self, path: Path, *, patience: float) -> None:
        self._path = path
        self._patience = patience
        self._depth = 0
        self._thread = threading.RLock()

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Hold it for the length of the block; yields whether this is the outermost one."""
        with self._thread:
            outermost = self._depth == 0
            held = self._take() if outermost else None
            self._depth += 1
            try:
                yield outermost
            finally:
                self._depth -= 1
                if held is not None:
                    held.release()

    def _take(self) -> Held:
        try:
            # Others may look at a project's workspace, so the file is not private.
            held = take(self._path, patience=self._patience, signed=True, mode=0o644)
        except OSError as error:
            raise StoreError(
                where=str(self._path),
                what=f"cannot be opened to lock the workspace ({error.strerror})",
                fix="Nothing was changed. Check the permissions of the folder.",
            ) from error
        if held is None:
            raise self._busy()
        return held

    def _busy(self) -> StoreError:
        who = holder(self._path)
        named = f"process {who['pid']} on {who['host']}" if who else "another process"
        return StoreError(
            where=str(self._path),
            what=f"{named} has been changing the workspace for over {self._patience:g} s",
            fix="Nothing was changed. Try again; if that process hangs, end it.",
        )
