"""Files that are replaced, created and extended so that a crash leaves the old state or the new one.

bytes  ->  a draft beside the file, synced  ->  renamed over it  ->  the folder synced

The draft has a name of its own, so processes that replace one file at once do not write into each
other's draft. A rename without the sync of the file may leave an empty file after a power cut, one
without the sync of the folder the old file; both are done unless a caller says why not.
"""

import os
from collections.abc import Callable
from pathlib import Path

from .folders import PRIVATE_FILE, make_private, sync_folder
from .lock import locked_open_file

PATIENCE = 5.0
"""Seconds to wait for another process that appends: it needs microseconds, unless it is suspended."""


def replace(path: Path, raw: bytes, *, mode: int = PRIVATE_FILE, durable: bool = True) -> None:
    """Put *raw* at *path*; a reader sees the old bytes or the new ones, and so does the next boot.

    Not *durable*, it is as atomic, but a power cut may take it: for what can be made again.
    """
    draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        write_new(draft, raw, mode=mode, durable=durable)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def create(path: Path, raw: bytes, *, mode: int = PRIVATE_FILE) -> bool:
    """Put *raw* at *path* unless there is something; say whether it was us.

    Of several processes one is first, and whoever is not can read the whole file at once.
    """
    draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        write_new(draft, raw, mode=mode)
        os.link(draft, path)
    except FileExistsError:
        return False
    except PermissionError:
        # A file system without hard links (FAT, some FUSE): exclusive, but a reader may see a part.
        if path.exists() or not draft.exists():
            raise
        write_new(path, raw, mode=mode)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def write_new(path: Path, raw: bytes, *, mode: int = PRIVATE_FILE, durable: bool = True) -> None:
    """Put *raw* into a file that is not there yet, and have its content on disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    fd = os.open(path, flags, PRIVATE_FILE)
    try:
        write_all(fd, raw)
        if mode != PRIVATE_FILE:
            os.fchmod(fd, mode)  # as asked, whatever the umask
        if durable:
            os.fsync(fd)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    finally:
        os.close(fd)


def write_scratch(path: Path, raw: bytes = b"") -> None:
    """Put *raw* at *path*, a file of a temporary folder: after a crash nobody looks for it."""
    path.write_bytes(raw)


def append_line(path: Path, line: bytes, *, durable: bool = False) -> int:
    """Add *line* and a newline to the file at *path*, made if it is missing; return its new size.

    Where an earlier write was cut short (a full disk, a kill), the line begins on a new one, so only
    the torn line is lost. One process looks and writes at a time: Linux shows a write that crosses a
    page in parts, so a line being written looks torn; and a writer killed between a look and a write
    would have its half line joined by ours. Whoever waits longer than ``PATIENCE`` writes all the
    same, so a reader must still pass over empty lines.
    """

    def add(fd: int) -> int:
        size = os.fstat(fd).st_size
        torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
        write_all(fd, b"\n" * torn + line + b"\n")
        if durable:
            os.fsync(fd)
        return os.fstat(fd).st_size

    return append_in_turn(path, add)


def append_in_turn(path: Path, add: Callable[[int], int | None]) -> int:
    """Call *add* with the file at *path*, open for appending, while no other process has its turn.

    Again with the new file where another process replaced it meanwhile (``rewrite``), for what is added
    to the old one is gone; and where *add* returns ``None``, having replaced it itself.
    """
    while True:
        fd = _open_to_append(path)
        try:
            with locked_open_file(fd, patience=PATIENCE) as ours:
                if ours and not is_in_place(path, fd):
                    continue
                added = add(fd)
            # Written without a turn, after PATIENCE: it may have gone into a file that was replaced.
            if added is not None and (ours or is_in_place(path, fd)):
                return added
        finally:
            os.close(fd)


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> bool:
    """Replace what is in the file at *path* by what *change* makes of it; say whether that was done.

    For a file to which others append: a line that is added between the look and the replacement would
    be lost, so it is done in one turn with ``append_line``, or not at all where there is no turn to be
    had (another process is suspended in the middle, or the file system has no locks).
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        with locked_open_file(fd, patience=PATIENCE) as ours:
            if not ours or not is_in_place(path, fd):
                return False
            replace(path, change(os.pread(fd, os.fstat(fd).st_size, 0)))
            return True
    finally:
        os.close(fd)


def is_in_place(path: Path, fd: int) -> bool:
    """Say whether the file that *fd* has open is still the one at *path*."""
    try:
        return os.path.samestat(path.stat(), os.fstat(fd))
    except FileNotFoundError:
        return False


def append(path: Path, raw: bytes, *, durable: bool = False) -> None:
    """Add *raw* as it is to the file at *path*, made if it is missing."""
    fd = _open_to_append(path)
    try:
        write_all(fd, raw)
        if durable:
            os.fsync(fd)
    finally:
        os.close(fd)


def move(source: Path, target: Path, *, durable: bool = True) -> None:
    """Rename *source* to *target*, and have that on disk: in both folders, if they are two.

    Not *durable*, the caller syncs the folders: once for many moves.
    """
    source.replace(target)
    if durable:
        sync_folder(target.parent)
        if source.parent != target.parent:
            sync_folder(source.parent)


def write_all(fd: int, raw: bytes) -> None:
    """Write *raw* to *fd*, however many calls that takes."""
    rest = memoryview(raw)
    while rest:
        rest = rest[os.write(fd, rest) :]


def mode_of(path: Path, otherwise: int) -> int:
    """Return the permissions of the file at *path*, or those that a new one gets."""
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        return otherwise


def sync_file(path: Path) -> None:
    """Return once the content of *path* is on the disk: for files that a library has written."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _open_to_append(path: Path) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, PRIVATE_FILE)
    except FileNotFoundError:  # asked for on the way of a hook: the folder is there but once
        make_private(path.parent)
        return os.open(path, flags, PRIVATE_FILE)
