"""Which files git tracks, read from its index.

.git/index  ->  paths with size and time  ->  is this tracked, is it as git has it

Layout: https://git-scm.com/docs/index-format, versions 2 to 4. Split and sparse indexes are read as
far as they go: what they leave out counts as not tracked, which errs towards asking.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import lru_cache

from snaphook.shell.repository import git_dir, git_root

_LARGEST_INDEX = 24_000_000
"""Bytes: some 200,000 files. Beyond it nothing is told."""
_LARGEST_FILE = 4_000_000
"""Bytes of a file that is hashed to see whether git has the same text."""
_HEAD, _ENTRY, _HASH = 12, 62, 20
_EXTENDED = 0x4000

Entry = tuple[int, int, bytes]
"""Size, time of change in nanoseconds, and the name of the text."""


class Index:
    """The tracked files of one work tree: sorted paths, and what git knows of each."""

    def __init__(self, entries: dict[str, Entry]) -> None:
        self._entries = entries
        self._paths = sorted(entries)

    def holds(self, name: str) -> bool:
        """Say whether *name* is tracked, or something beneath it is."""
        if name in self._entries or not name:
            return bool(self._paths)
        at = bisect_left(self._paths, f"{name}/")
        return at < len(self._paths) and self._paths[at].startswith(f"{name}/")

    def get(self, name: str) -> Entry | None:
        """Return what git knows of the file *name*."""
        return self._entries.get(name)


def tracked(path: str) -> bool | None:
    """Say whether git tracks *path* or something beneath it; nothing outside a repository."""
    found = located(path)
    return None if found is None else found[0].holds(found[1])


def committed(path: str) -> bool | None:
    """Say whether git holds the very text of the file *path*, so that it can be brought back."""
    found = located(path)
    if found is None:
        return None
    entry = found[0].get(found[1])
    if entry is None:
        return False
    try:
        now = os.lstat(path)
    except OSError:
        return True
    size, changed, name = entry
    if now.st_size != size:
        return False
    return now.st_mtime_ns == changed or _same_text(path, size, name)


def _same_text(path: str, size: int, name: bytes) -> bool:
    from hashlib import sha1  # for a file whose time alone has changed

    if size > _LARGEST_FILE:
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the hook path does without pathlib
            text = file.read(size + 1)
    except OSError:
        return False
    return sha1(b"blob %d\0" % len(text) + text, usedforsecurity=False).digest() == name


def located(path: str) -> tuple[Index, str] | None:
    """Return the index of the work tree around *path*, and the path's name in it."""
    root = git_root(path)
    folder = git_dir(path) if root else None
    if root is None or folder is None:
        return None
    try:
        found = os.lstat(f"{folder}/index")
    except FileNotFoundError:
        return Index({}), path[len(root) + 1 :]
    except OSError:
        return None
    index = _read(f"{folder}/index", found.st_mtime_ns, found.st_size)
    return None if index is None else (index, path[len(root) + 1 :])


@lru_cache(maxsize=8)
def _read(path: str, _changed: int, size: int) -> Index | None:
    """Return the index at *path*, read again whenever it changes."""
    if size > _LARGEST_INDEX:
        return None
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        return Index(_entries(data))
    except (OSError, ValueError, IndexError):
        return None


def _entries(data: bytes) -> dict[str, Entry]:
    """Return the entries of an index; raises ValueError for what is no index."""
    version = int.from_bytes(data[4:8], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise ValueError(version)
    found: dict[str, Entry] = {}
    at, before = _HEAD, b""
    for _ in range(int.from_bytes(data[8:12], "big")):
        seconds = int.from_bytes(data[at + 8 : at + 12], "big")
        nanos = int.from_bytes(data[at + 12 : at + 16], "big")
        size = int.from_bytes(data[at + 36 : at + 40], "big")
        flags = int.from_bytes(data[at + 60 : at + _ENTRY], "big")
        start = at + _ENTRY + (2 if version > 2 and flags & _EXTENDED else 0)
        cut, begin = _varint(data, start) if version == 4 else (0, start)
        end = data.index(b"\0", begin)
        name = (before[: len(before) - cut] if version == 4 else b"") + data[begin:end]
        before = name
        key = name.decode("utf-8", "surrogateescape")
        found[key] = (size, seconds * 1_000_000_000 + nanos, data[at + 40 : at + 40 + _HASH])
        length = end - at
        at = end + 1 if version == 4 else at + (length + 8 & ~7)
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at *at* in git's offset encoding, and where the text after it begins."""
    byte = data[at]
    value = byte & 127
    while byte & 128:
        at += 1
        byte = data[at]
        value = (value + 1 << 7) | (byte & 127)
    return value, at + 1
