"""A lock between processes that the kernel gives back when its holder dies.

path + patience  ->  Held, or None while somebody else has it

Taken with ``flock``, which belongs to the open file and not to the process: closing another
descriptor of the same file does not release it, as it would with the locks of ``fcntl``.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep, time
from types import TracebackType
from typing import Any, Self

from .folders import PRIVATE_FILE, make_private

FIRST_PAUSE, LONGEST_PAUSE = 0.001, 0.02
SIGNATURE = 256
"""Bytes of a holder's name, padded: truncating a file is slower than overwriting it."""

if sys.platform == "win32":
    import msvcrt

    def _seize(fd: int, *, shared: bool) -> None:
        # There is no shared lock, and none is needed: Windows does not rename a file that is open.
        if not shared:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

    def _free(fd: int) -> None:
        pass  # closing the descriptor does it
else:
    import fcntl

    def _seize(fd: int, *, shared: bool) -> None:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def _free(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)


class Held:
    """A lock that is held until ``release``, the end of its block, or the end of the process."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd
        self._pid = os.getpid()

    @property
    def is_in_place(self) -> bool:
        """Say whether the file at the path is still the one that is locked."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self._fd))
        except OSError:
            return False

    @property
    def fd(self) -> int:
        """Return the descriptor, for a child process that is to hold the lock with us."""
        return self._fd

    def leave_to_child(self) -> None:
        """Let go, but leave the lock to the child processes that have the descriptor."""
        os.close(self._fd)
        self._fd = -1

    def release(self) -> None:
        """Let the next one in."""
        if self._fd < 0:
            return
        # A child that was forked meanwhile shares the open file, so closing alone would not free it;
        # and the child itself must not free what its parent still holds.
        if self._pid == os.getpid():
            _free(self._fd)
        os.close(self._fd)
        self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.release()

    def __del__(self) -> None:
        if getattr(self, "_fd", -1) >= 0:
            self.release()


def take(
    path: Path,
    *,
    patience: float = 0.0,
    shared: bool = False,
    signed: bool = False,
    mode: int = PRIVATE_FILE,
) -> Held | None:
    """Return the lock at *path*; ``None`` if it is not free within *patience* seconds.

    Many may hold it *shared* at once, or one alone. *signed*, it says who took it last. The file
    stays when it is released: removing it would let two processes lock two files of one name.
    """
    if mode == PRIVATE_FILE:
        make_private(path.parent)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode)
    try:
        if not _wait(fd, shared=shared, until=monotonic() + patience):
            os.close(fd)
            return None
        if signed:
            _sign(fd)
    except BaseException:
        os.close(fd)
        raise
    return Held(path, fd)


def lock_open_file(fd: int) -> bool:
    """Lock the file that *fd* has open, for as long as it is open; say whether that worked."""
    return _got(fd, shared=False)


@contextmanager
def locked_open_file(fd: int, *, patience: float) -> Iterator[bool]:
    """Lock the file that *fd* has open for a block; say whether it was ours within *patience* seconds.

    Where the file system has no locks (some network mounts), the block runs without one.
    """
    try:
        held = _wait(fd, shared=False, until=monotonic() + patience)
    except OSError:
        held = False
    try:
        yield held
    finally:
        if held:
            _free(fd)  # a child forked meanwhile shares the open file: closing would not free it


def holder(path: Path) -> dict[str, Any] | None:
    """Return who signed the lock at *path* last: pid, host, since."""
    import json

    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and {"pid", "host"} <= found.keys() else None


def is_held(path: Path) -> bool:
    """Say whether anybody holds the lock at *path* now."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _got(fd, shared=False)
    finally:
        os.close(fd)


def _wait(fd: int, *, shared: bool, until: float) -> bool:
    pause = FIRST_PAUSE
    while not _got(fd, shared=shared):
        if monotonic() >= until:
            return False
        # Spread by chance, so that processes woken together do not keep colliding.
        sleep(pause * (0.5 + os.urandom(1)[0] / 256))
        pause = min(pause * 2, LONGEST_PAUSE)
    return True


def _got(fd: int, *, shared: bool) -> bool:
    try:
        _seize(fd, shared=shared)
    except (BlockingIOError, PermissionError):  # the second is what Windows says
        return False
    return True


def _sign(fd: int) -> None:
    """Write who we are at the start of the file, for whoever waits in vain."""
    import json  # only a workspace's lock is signed, and a hook pays for every import

    node = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    text = json.dumps({"pid": os.getpid(), "host": node, "since": time()})
    os.pwrite(fd, text.encode().ljust(SIGNATURE), 0)
