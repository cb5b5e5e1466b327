"""Which folders above a deep one hold a name.

folder + names  ->  the folders at or above it, outermost first, and which of the names are in each

Folder by folder from the root, each opened from the one before: asking for each by its whole path has the
kernel walk all of it every time, which takes seconds where a path has a thousand parts.
"""

import os
from collections.abc import Iterator, Sequence

_HOW = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC


def ancestors_with(folder: str, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the folders at or above *folder* that hold any of *names*, and which."""
    return [(path, there) for path, there in _walk(folder, names) if there]


def _walk(folder: str, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    here, path = os.open("/", _HOW), ""
    try:
        for part in folder.strip("/").split("/"):
            yield path or "/", [name for name in names if _is_in(here, name)]
            below = os.open(part, _HOW, dir_fd=here)
            os.close(here)
            here, path = below, f"{path}/{part}"
        yield path or "/", [name for name in names if _is_in(here, name)]
    except (OSError, ValueError):
        return  # what is not there, or not ours to enter, holds nothing that we could read
    finally:
        os.close(here)


def _is_in(folder: int, name: str) -> bool:
    try:
        os.lstat(name, dir_fd=folder)
    except OSError:
        return False
    return True
