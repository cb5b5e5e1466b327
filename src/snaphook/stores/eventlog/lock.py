"""One writer at a time, as the kernel sees it: a writer that was killed leaves no lock behind.

path + patience  ->  Lock, or a StoreError
"""

import os
import sys
from pathlib import Path
from time import monotonic, sleep

from snaphook.errors import StoreError

if sys.platform == "win32":
    import msvcrt

    def _seize(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _seize(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


PAUSE = 0.002


class Lock:
    """A held lock."""

    def __init__(self, path: Path, *, patience: float) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        until = monotonic() + patience
        while not _take(self._fd):
            if monotonic() >= until:
                os.close(self._fd)
                raise StoreError(
                    where=str(path.parent),
                    what="another process is writing this stream",
                    fix="Wait for it, or write another stream.",
                )
            sleep(PAUSE)

    def release(self) -> None:
        """Let the next one in."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _take(fd: int) -> bool:
    try:
        _seize(fd)
    except OSError:
        return False
    return True
