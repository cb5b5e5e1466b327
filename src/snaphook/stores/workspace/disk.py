"""Reading whole files and replacing them whole.

path  ->  text + Stamp;  text  ->  temporary file  ->  fsync  ->  rename  ->  fsync of the folder

Whoever reads sees the old file or the new one, and so does whoever starts after a power cut.
"""

import os
from pathlib import Path
from typing import NamedTuple

from snaphook.errors import StoreError
from snaphook.storage import files

from .faults import point

MEGABYTE = 1 << 20


class Stamp(NamedTuple):
    """What tells one version of a file from another without reading it."""

    inode: int
    size: int
    modified_ns: int


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of *path*; ``None`` if there is no such file."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _closed(path, error) from error
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def read(path: Path, *, max_mb: int) -> tuple[str, Stamp]:
    """Return the text of *path*, and the stamp of the very version that was read."""
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            if found.st_size > max_mb * MEGABYTE:
                raise too_large(path, found.st_size, max_mb)
            data = file.read()
    except FileNotFoundError as error:
        raise StoreError(
            where=str(path), what="does not exist", fix="Run: snaphook workspace init"
        ) from error
    except OSError as error:
        raise _closed(path, error) from error
    stamp = Stamp(found.st_ino, found.st_size, found.st_mtime_ns)
    try:
        return data.decode("utf-8"), stamp
    except UnicodeDecodeError as error:
        raise StoreError(
            where=str(path),
            what=f"is not UTF-8 text (byte {error.start})",
            fix="It was not changed. Save it as UTF-8.",
        ) from error


def write(path: Path, text: str) -> Stamp:
    """Put *text* in the place of *path*, all of it or nothing, its permissions kept."""
    data = text.encode("utf-8")
    path = path.resolve()  # where it is a link, the file behind it is replaced and not the link
    try:
        staged = stage(path, data)
        try:
            return put(staged, path)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _closed(path, error) from error


def stage(path: Path, data: bytes) -> Path:
    """Return a file beside *path* that holds *data*, safely on disk.

    It always has the same name: whoever changes *path* holds the lock, and what a death left behind is
    overwritten by the next change.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "is read-only", str(path))
    staged = path.with_name(f".{path.name}.new")
    staged.unlink(missing_ok=True)
    files.write_new(staged, data, mode=mode_of(path))
    try:
        point("staged")
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    point("synced")
    return staged


def put(staged: Path, path: Path) -> Stamp:
    """Rename *staged* to *path* and see to it that the rename lasts."""
    found = staged.stat()
    files.move(staged, path)
    point("renamed")
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns)


def mode_of(path: Path) -> int:
    """Return the permissions of *path*, or those that a new file gets."""
    return files.mode_of(path, 0o644) & 0o777


def too_large(path: Path, size: int, max_mb: int) -> StoreError:
    """Return the error for a file that nobody has the time to read."""
    return StoreError(
        where=str(path),
        what=f"is {size / MEGABYTE:.0f} MB; up to {max_mb} MB are read",
        fix="It was not changed. Archive what is done, or raise workspace.max_mb.",
    )


def _closed(path: Path, error: OSError) -> StoreError:
    why = error.strerror or str(error)
    return StoreError(
        where=str(error.filename or path),
        what=f"cannot be used ({why})",
        fix="Nothing was changed. Check permissions and disk space.",
    )
