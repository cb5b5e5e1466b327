"""Where a repository keeps what: work tree, git directory, shared directory, settings.

path  ->  work tree  ->  .git (a directory, or a file that names one)  ->  the directory all work trees share

Git's own files are read; no process is started here. Layout: gitrepository-layout(5).
"""

from __future__ import annotations

import os
from functools import lru_cache
from time import monotonic

from msgspec import Struct

DEEP = 40
"""Parts of a path from which its folders are looked into from above: see ``ancestors``."""
_LONGEST_POINTER = 4_096
_BARE = ("HEAD", "objects", "refs")
"""What every git directory holds; a directory with all three is one, whatever its name."""


class Repository(Struct, frozen=True, kw_only=True):
    """Which repository a git call is about: where it starts, and what it was told instead.

    *git_dir* and *work_tree* are absolute, or empty where git finds them by itself.
    """

    cwd: str
    git_dir: str = ""
    work_tree: str = ""


class Unsaved(Struct, frozen=True, kw_only=True):
    """What a work tree holds that no commit does; *ignored* only where it was asked for."""

    tracked: bool = False
    untracked: bool = False
    ignored: bool = False

    def __bool__(self) -> bool:
        return self.tracked or self.untracked or self.ignored


def git_root(path: str) -> str | None:
    """Return the nearest directory at or above *path* that holds a .git."""
    return _git_root(path, int(monotonic()))


@lru_cache(maxsize=256)
def _git_root(path: str, _second: int) -> str | None:
    """Return the same, looked up once in a second: repositories are made and moved."""
    if path.count("/") > DEEP:
        from .ancestors import ancestors_with

        return next((root for root, _ in reversed(ancestors_with(path, (".git",)))), None)
    while path and path != "/":
        if os.path.lexists(f"{path}/.git"):
            return path
        path = path.rpartition("/")[0]
    return None


def git_dir(path: str) -> str | None:
    """Return the git directory for *path*: a work tree's own, or the bare repository around it."""
    root = git_root(path)
    if root is not None:
        return _pointed(f"{root}/.git", root)
    return bare_root(path)


def common_dir(directory: str) -> str:
    """Return the directory that all work trees of a repository share, *directory* included."""
    shared = _first_line(f"{directory}/commondir")
    return os.path.normpath(os.path.join(directory, shared)) if shared else directory  # noqa: PTH118


def is_linked(path: str) -> bool:
    """Say whether *path* lies in a linked worktree: not a submodule, whose .git is a file, too."""
    found = git_dir(path)
    return found is not None and common_dir(found) != found


def bare_root(path: str) -> str | None:
    """Return the nearest directory at or above *path* that is a bare repository."""
    return _bare_root(path, int(monotonic()))


@lru_cache(maxsize=256)
def _bare_root(path: str, _second: int) -> str | None:
    if path.count("/") > DEEP:
        from .ancestors import ancestors_with

        found = reversed(ancestors_with(path, _BARE))
        return next((root for root, there in found if len(there) == len(_BARE)), None)
    while path and path != "/":
        if all(os.path.lexists(f"{path}/{name}") for name in _BARE):
            return path
        path = path.rpartition("/")[0]
    return None


def _pointed(entry: str, root: str) -> str:
    """Return the git directory that *entry* is, or that it names (`gitdir: …`)."""
    line = _first_line(entry)
    if not line.startswith("gitdir:"):
        return entry
    return os.path.normpath(os.path.join(root, line.removeprefix("gitdir:").strip()))  # noqa: PTH118


def _first_line(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the hook path does without pathlib
            return file.read(_LONGEST_POINTER).decode(errors="replace").partition("\n")[0].strip()
    except OSError:
        return ""
