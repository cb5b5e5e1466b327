"""Log files that only their owner can read.

path  ->  a handler of ``logging`` whose file has mode 0600

The daemon cannot simply change its umask: the hooks it starts inherit it, and would make files in the
project that nobody else may read.
"""

import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler, WatchedFileHandler

from .folders import PRIVATE_FILE


class PrivateRotatingFileHandler(RotatingFileHandler):
    """Begins a new file when the current one is full."""

    def _open(self) -> TextIOWrapper:
        return _private(self.baseFilename, self.mode)


class PrivateWatchedFileHandler(WatchedFileHandler):
    """Follows the name of its file, which another process may rotate."""

    def _open(self) -> TextIOWrapper:
        return _private(self.baseFilename, self.mode)


def _private(path: str, mode: str) -> TextIOWrapper:
    opened = open(path, mode, encoding="utf-8", opener=_opener)  # noqa: SIM115 - a handler's file
    assert isinstance(opened, TextIOWrapper)
    return opened


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE_FILE)
