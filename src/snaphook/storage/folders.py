"""Folders that only their owner can read, and names in them that last.

path  ->  the folder, there and private
"""

import errno
import os
from pathlib import Path

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600
_NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EBADF)
"""What file systems say that cannot sync a folder, and folders that may be written but not read."""


def make_private(folder: Path) -> Path:
    """Make *folder* and every missing folder above it, for the owner alone; return it.

    ``Path.mkdir(parents=True, mode=…)`` applies its mode to the last folder only, so what it makes
    above is readable for everybody. A folder that exists keeps its permissions: its owner chose them.
    """
    missing = []
    above = folder
    while not above.is_dir():
        missing.append(above)
        if above.parent == above:
            break
        above = above.parent
    for each in reversed(missing):
        each.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    return folder


def sync_folder(folder: Path) -> None:
    """Return once the names in *folder* are on the disk: a rename lasts only after this."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if error.errno not in _NOT_FOR_FOLDERS:
            raise
