"""What a trial changed: the upper layers of its overlays, read against what lies below.

upper + lower  ->  Changes

A deleted name is a device 0/0 in the upper layer; a folder marked opaque hides all that lies below.
https://docs.kernel.org/filesystems/overlayfs.html
"""

import filecmp
import os
import stat
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

_OPAQUE = "user.overlay.opaque"


class Kind(StrEnum):
    """What happened to a path."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


class Change(Struct, frozen=True, kw_only=True):
    """One effect of a trial."""

    path: str
    change: Kind
    upper: str = ""
    """Where the new state lies; empty for what was deleted."""
    size: int = 0
    folder: bool = False


def changes(upper: str, lower: str) -> Iterator[Change]:
    """Yield what *upper* says of *lower*, folders before what is in them."""
    with os.scandir(upper) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        below = f"{lower}/{entry.name}" if lower != "/" else f"/{entry.name}"
        seen = entry.stat(follow_symlinks=False)
        if stat.S_ISCHR(seen.st_mode) and seen.st_rdev == 0:
            yield from _deleted(below)
        elif stat.S_ISDIR(seen.st_mode):
            yield from _folder(entry.path, below, seen)
        elif stat.S_ISREG(seen.st_mode) or stat.S_ISLNK(seen.st_mode):
            yield from _file(entry.path, below, seen)


def _folder(upper: str, below: str, seen: os.stat_result) -> Iterator[Change]:
    was = _lstat(below)
    if was is None or not stat.S_ISDIR(was.st_mode):
        if was is not None:
            yield from _deleted(below)
        yield Change(path=below, change=Kind.CREATED, upper=upper, folder=True)
    elif _is_opaque(upper):
        yield from _hidden(upper, below)
    if was is not None and stat.S_ISDIR(was.st_mode) and _differs(was, seen):
        yield Change(path=below, change=Kind.MODIFIED, upper=upper, folder=True)
    yield from changes(upper, below)


def _file(upper: str, below: str, seen: os.stat_result) -> Iterator[Change]:
    was = _lstat(below)
    size = seen.st_size
    if was is None:
        yield Change(path=below, change=Kind.CREATED, upper=upper, size=size)
    elif stat.S_ISDIR(was.st_mode):
        yield from _deleted(below)
        yield Change(path=below, change=Kind.CREATED, upper=upper, size=size)
    elif _differs(was, seen) or not _same(upper, below, seen, was):
        yield Change(path=below, change=Kind.MODIFIED, upper=upper, size=size)


def _hidden(upper: str, below: str) -> Iterator[Change]:
    """Yield what an opaque folder no longer shows of the one below it."""
    kept = set(os.listdir(upper))  # noqa: PTH208
    for name in sorted(os.listdir(below)):  # noqa: PTH208
        if name not in kept:
            yield from _deleted(f"{below}/{name}")


def _deleted(path: str) -> Iterator[Change]:
    """Yield *path* and all that was in it, the innermost first."""
    was = _lstat(path)
    if was is None:
        return
    if stat.S_ISDIR(was.st_mode):
        for name in sorted(os.listdir(path)):  # noqa: PTH208
            yield from _deleted(f"{path}/{name}")
        yield Change(path=path, change=Kind.DELETED, folder=True)
    else:
        yield Change(path=path, change=Kind.DELETED, size=was.st_size)


def _same(upper: str, below: str, seen: os.stat_result, was: os.stat_result) -> bool:
    if stat.S_IFMT(seen.st_mode) != stat.S_IFMT(was.st_mode):
        return False
    if stat.S_ISLNK(seen.st_mode):
        return os.readlink(upper) == os.readlink(below)  # noqa: PTH115
    return seen.st_size == was.st_size and filecmp.cmp(upper, below, shallow=False)


def _differs(was: os.stat_result, seen: os.stat_result) -> bool:
    return was.st_mode != seen.st_mode or (was.st_uid, was.st_gid) != (seen.st_uid, seen.st_gid)


def _is_opaque(upper: str) -> bool:
    try:
        return os.getxattr(upper, _OPAQUE) == b"y"
    except (OSError, AttributeError):
        return False


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None
