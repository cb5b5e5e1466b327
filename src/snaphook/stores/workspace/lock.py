"""One change at a time: a lock that the kernel gives back when its holder dies.

path + patience  ->  held, or a StoreError that names the holder
"""

import fcntl
import json
import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from snaphook.errors import StoreError

SIGNATURE = 256
FIRST_PAUSE, LONGEST_PAUSE = 0.001, 0.02


class Lock:
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
            handle = self._take() if outermost else -1
            self._depth += 1
            try:
                yield outermost
            finally:
                self._depth -= 1
                if outermost:
                    os.close(handle)

    def _take(self) -> int:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(
                where=str(self._path),
                what=f"cannot be opened to lock the workspace ({error.strerror})",
                fix="Nothing was changed. See to the folder's permissions.",
            ) from error
        try:
            self._wait(handle)
            _sign(handle)
        except BaseException:
            os.close(handle)
            raise
        return handle

    def _wait(self, handle: int) -> None:
        until, pause = time.monotonic() + self._patience, FIRST_PAUSE
        while True:
            try:
                return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise self._busy() from None
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - so that nobody marches in step
            pause = min(pause * 2, LONGEST_PAUSE)

    def _busy(self) -> StoreError:
        who = holder(self._path)
        named = f"process {who['pid']} on {who['host']}" if who else "another process"
        return StoreError(
            where=str(self._path),
            what=f"{named} has been changing the workspace for over {self._patience:g} s",
            fix="Nothing was changed. Try again; if that process hangs, end it.",
        )


def holder(path: Path) -> dict[str, Any] | None:
    """Return who took the lock at *path* last: pid, host, since."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"pid", "host"} <= found.keys() else None


def is_held(path: Path) -> bool:
    """Say whether anybody holds the lock at *path* now."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(handle)


def _sign(handle: int) -> None:
    signed = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()})
    os.pwrite(handle, signed.encode().ljust(SIGNATURE), 0)  # padded: cutting a file off is slow
