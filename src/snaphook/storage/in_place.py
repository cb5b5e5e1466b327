"""A file whose bytes are changed where they stand: for logs that are too long to be written anew.

path  ->  write_at, sync

The caller holds a lock, and orders its writes so that every prefix of them leaves a readable file.
"""

import os
from pathlib import Path
from types import TracebackType
from typing import Self


class InPlace:
    """The file at *path*, which must exist, open for reading and writing at any offset."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    @property
    def size(self) -> int:
        """Return how many bytes it has."""
        return os.fstat(self._fd).st_size

    def read_at(self, at: int, count: int) -> bytes:
        """Return up to *count* bytes from *at* on."""
        return os.pread(self._fd, count, at)

    def write_at(self, at: int, raw: bytes) -> None:
        """Put *raw* over the bytes from *at* on, beyond the end if need be."""
        rest = memoryview(raw)
        while rest:
            written = os.pwrite(self._fd, rest, at)
            rest, at = rest[written:], at + written

    def sync(self) -> None:
        """Return once everything written is on the disk, and the size with it."""
        os.fdatasync(self._fd) if hasattr(os, "fdatasync") else os.fsync(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        os.close(self._fd)
