"""A file that stays open and only grows: one writer, every line whole.

bytes  ->  the end of the file, all of them or none
"""

import contextlib
import os
from pathlib import Path
from time import time_ns

from .files import write_all
from .folders import PRIVATE_FILE
from .lock import lock_open_file


class AppendOnly:
    """The file at *path*, open for appending and made if it is missing.

    *alone*, nobody else can open it so: a ``BlockingIOError`` says that somebody has.
    """

    def __init__(self, path: Path, *, mode: int = PRIVATE_FILE, alone: bool = False) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._fd = os.open(path, flags, mode)
        if alone and not lock_open_file(self._fd):
            self.close()
            raise BlockingIOError(11, "another process has it open", str(path))
        self.size = os.fstat(self._fd).st_size

    def append(self, raw: bytes) -> None:
        """Write *raw* at the end; where that fails, nothing of it stays.

        Half a line would join the next one, and break a chain for good.
        """
        try:
            write_all(self._fd, raw)
        except OSError:
            with contextlib.suppress(OSError):  # what went wrong first is what people need to know
                os.ftruncate(self._fd, self.size)
            raise
        self.size += len(raw)

    def whole_lines(self) -> list[bytes]:
        """Return the lines of the file, cutting off a last one that was never finished."""
        raw = os.pread(self._fd, self.size, 0)
        end = raw.rfind(b"\n") + 1
        if end < self.size:
            os.ftruncate(self._fd, end)
            self.size = end
        return raw[:end].splitlines()

    def sync(self) -> None:
        """Return once everything written is on the disk."""
        os.fsync(self._fd)

    def harm(self) -> str:
        """Return what somebody else did to the file while it was open; empty where nothing."""
        ours = os.fstat(self._fd)
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return "removed"
        except OSError:
            return ""  # not to be told now; the next look may
        if (there.st_ino, there.st_dev) != (ours.st_ino, ours.st_dev):
            return "replaced"
        return "shortened" if ours.st_size < self.size else ""

    def restored(self) -> "AppendOnly":
        """Return a new file in the old place, with what the open one still holds.

        Whatever took its place is moved aside: it may be evidence.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if self.path.exists():
            self.path.rename(self.path.with_name(f"{self.path.name}.{time_ns()}.foreign"))
        new = AppendOnly(self.path)
        while piece := os.pread(self._fd, 1 << 20, new.size):
            new.append(piece)
        new.sync()
        self.close()
        return new

    def close(self) -> None:
        """Let go of the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
