"""Write a settings file whole or not at all, where a link leads and with the mode it has.

text  ->  a new file beside it, synced  ->  renamed over the old one
"""

import os
from pathlib import Path

from snaphook.errors import ConfigError
from snaphook.storage.files import mode_of, replace


def write_atomically(path: Path, raw: bytes, *, mode: int = 0o644) -> None:
    """Put *raw* at *path*; a reader sees the old bytes or the new ones, never a part.

    A link is followed, and the file it leads to keeps its mode.
    """
    target = Path(os.path.realpath(path))
    replace(target, raw, mode=mode_of(target, mode))


def write_settings(path: Path, text: str, *, mode: int = 0o644) -> None:
    """Write a settings file for its user; whatever is in the way is a ConfigError."""
    try:
        if path.exists() and not path.stat().st_mode & 0o222:
            raise PermissionError(13, "it is read-only")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode(), mode=mode)
    except OSError as why:
        raise ConfigError(
            where=str(path),
            what=f"cannot be written ({why.strerror or why})",
            fix="Make the file and its folder writable, then try again.",
        ) from None
