"""Bytes that are safely on disk: a file is the old one or the new one, never a part of either.

bytes  ->  a new file beside it, synced  ->  renamed over the old one
"""

import os
from pathlib import Path


def write_new(path: Path, raw: bytes, *, mode: int = 0o600) -> None:
    """Put *raw* into a file that is not there yet, and have it on disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())


def write_whole(path: Path, raw: bytes, *, mode: int | None = None) -> None:
    """Put *raw* at *path*; a reader sees the old bytes or the new ones.

    Readable for its owner alone, unless a *mode* is given. That the new one outlives a power cut is
    sure once the folder is synced, too.
    """
    draft = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        write_new(draft, raw)
        if mode is not None:
            draft.chmod(mode)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """See to it that new names in *folder* last."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
