"""Log files that only their owner can read.

path  ->  a handler of ``logging`` whose file has mode 0600

The daemon cannot simply change its umask: the hooks it starts inherit it, and would make files in the
project that nobody else may read.
"""

import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler, WatchedFileHandler
from pathlib import Path

from .files import append_in_turn, move, write_all
from .folders import PRIVATE_FILE

LARGE = 4 << 20
"""Bytes after which a text log is rotated; the one before it is kept."""


class PrivateRotatingFileHandler(RotatingFileHandler):
    """Begins a new file when the current one is full."""

    def _open(self) -> TextIOWrapper:
        return _private(self.baseFilename, self.mode)


class PrivateWatchedFileHandler(WatchedFileHandler):
    """Follows the name of its file, which another process may rotate."""

    def _open(self) -> TextIOWrapper:
        return _private(self.baseFilename, self.mode)


def append_text(path: Path, text: str, *, most: int = LARGE) -> None:
    """Add *text* to the log at *path*, in one piece; rotate a log that has more than *most* bytes.

    Many short-lived processes share it, so it is rotated in turn with their writing: none writes to a
    file that was renamed a moment ago.
    """

    def add(fd: int) -> int | None:
        if os.fstat(fd).st_size > most:
            move(path, path.with_suffix(".old"), durable=False)
            return None
        write_all(fd, text.encode("utf-8", "replace"))
        return os.fstat(fd).st_size

    append_in_turn(path, add)


def _private(path: str, mode: str) -> TextIOWrapper:
    opened = open(path, mode, encoding="utf-8", opener=_opener)  # noqa: SIM115 - a handler's file
    assert isinstance(opened, TextIOWrapper)
    return opened


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)
