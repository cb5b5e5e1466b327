"""Names on disks that do not tell upper from lower case: macOS, Windows, memory sticks, folders of ext4.

path as written  ->  path as the disk spells it

There ``rm INFRA/a.tf`` removes ``infra/a.tf``, and a rule about the one must hold for the other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache

KNOWN = (".git", ".config", ".bashrc", "etc", "usr")
"""Names that many folders have: looking for one is cheaper than listing the folder."""


def folds(folder: str) -> bool:
    """Say whether names in *folder* mean the same in upper and in lower case.

    Asked of the disk once for a folder: it cannot become otherwise while there is something in it.
    """
    try:
        there = os.stat(folder)  # noqa: PTH116 - no pathlib on the way of a hook
    except (OSError, ValueError):
        return False
    return _folds(folder, there.st_dev, there.st_ino)


@lru_cache(maxsize=1024)
def _folds(folder: str, _device: int, _inode: int) -> bool:
    for name in (*KNOWN, *_some_names(folder)):
        path = f"{folder.rstrip('/')}/{name}"
        if (found := _identity(path)) is not None:
            return found == _identity(f"{folder.rstrip('/')}/{name.swapcase()}")
    parent, _, name = folder.rpartition("/")  # it is empty: as the folder that it is in
    found = _identity(folder)
    return (
        bool(name) and name != name.swapcase() and found == _identity(f"{parent}/{name.swapcase()}")
    )


def _some_names(folder: str) -> Sequence[str]:
    try:
        with os.scandir(folder) as found:
            for entry in found:
                if entry.name != entry.name.swapcase() and not entry.is_symlink():
                    return (entry.name,)
    except OSError:
        pass
    return ()


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def spelled(path: str, names: Callable[[str], Sequence[str] | None]) -> str:
    """Return *path* as the disk spells it; *names* lists a folder.

    What is not there yet is in lower case: any spelling of it would be the same file.
    """
    made = ""
    parts = path.strip("/").split("/")
    for place, part in enumerate(parts):
        there = names(made or "/")
        if there is None:
            return "/".join((made, *map(str.lower, parts[place:])))
        if part not in there:
            part = next((one for one in there if one.casefold() == part.casefold()), part.lower())
        made = f"{made}/{part}"
    return made or "/"
