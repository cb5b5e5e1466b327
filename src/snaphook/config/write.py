"""Write a file whole or not at all.

text  ->  a new file beside it, synced  ->  renamed over the old one
"""

import contextlib
import os
import stat
from pathlib import Path

from snaphook.errors import ConfigError


def write_atomically(path: Path, raw: bytes, *, mode: int = 0o644) -> None:
    """Put *raw* at *path*; a reader sees the old bytes or the new ones, never a part.

    A link is followed, and the file it leads to keeps its mode.
    """
    import tempfile  # slow to load, and most who import us never write

    target = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(target.stat().st_mode)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def write_settings(path: Path, text: str) -> None:
    """Write a settings file for its user; whatever is in the way is a ConfigError."""
    try:
        if path.exists() and not path.stat().st_mode & 0o222:
            raise PermissionError(13, "it is read-only")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    except OSError as why:
        raise ConfigError(
            where=str(path),
            what=f"cannot be written ({why.strerror or why})",
            fix="Make the file and its folder writable for you, then try again.",
        ) from None


def _sync_folder(folder: Path) -> None:
    """Make the rename itself last; some file systems refuse, and then it is up to them."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
