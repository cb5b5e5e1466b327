"""Files that only their owner reads: appended to, read from a place on, replaced whole.

bytes  ->  the end of a file
"""

import os
from pathlib import Path

from snaphook.disk import write_whole


def append(path: Path, raw: bytes) -> int:
    """Put *raw* at the end of *path* in one write, and return how long the file is then."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, raw)
        return os.fstat(handle).st_size
    finally:
        os.close(handle)


def read_from(path: Path, start: int, length: int) -> bytes:
    """Return *length* bytes of *path* from *start* on; fewer where it is shorter."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(handle, length, start)
    finally:
        os.close(handle)


def replace_file(path: Path, raw: bytes) -> None:
    """Put *raw* in the place of what *path* holds."""
    write_whole(path, raw)
