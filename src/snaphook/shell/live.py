"""The machine as it really is.

path  ->  what is there now

Each question is asked of the disk once. No process is started, except to ask git about unsaved work.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Mapping, Sequence
from functools import lru_cache

from snaphook.shell import tracked
from snaphook.shell.repository import (
    Repository,
    Unsaved,
    bare_root,
    common_dir,
    git_dir,
    git_root,
    is_linked,
)
from snaphook.shell.spelling import folds, spelled

_MOST_NAMES = 2_000


class LiveWorld:
    """This machine, seen from a directory."""

    def __init__(
        self, cwd: str, *, env: Mapping[str, str] | None = None, home: str = "", project: str = ""
    ) -> None:
        self.cwd = _normal(cwd) if cwd[:1] == "/" else _absolute(cwd)
        self.env: Mapping[str, str] = os.environ if env is None else env
        self.home = (home or self.env.get("HOME") or os.path.expanduser("~")).rstrip("/") or "/"  # noqa: PTH111
        self.project = project or git_root(self.cwd) or self.cwd
        self._ignores: list[str] | None = None
        self._real: dict[str, str] = {}
        self._folding: list[str] | None = None
        self._unsaved: dict[tuple[Repository, tuple[str, ...], bool], Unsaved | None] = {}

    def real(self, path: str) -> str:
        """Return *path* with its symbolic links followed."""
        known = self._real.get(path)
        if known is None:
            try:
                known = path if _has_no_link(path) else os.path.realpath(path)
            except (OSError, ValueError):
                known = path
            self._real[path] = known
        return known

    def spelled(self, path: str) -> str:
        """Return *path* as the disk spells it, where that does not tell upper from lower case."""
        return spelled(path, self.names) if self.folds(path) else path

    def folds(self, path: str) -> bool:
        """Say whether *path* lies below a folder, of those that matter here, whose disk does not."""
        if self._folding is None:
            roots = {"/", self.home, self.project, self.cwd}
            self._folding = [root for root in roots if folds(root)]
        return any(path.startswith(root.rstrip("/") + "/") for root in self._folding)

    def names(self, path: str) -> Sequence[str] | None:
        """Return the names in the directory *path*."""
        try:
            with os.scandir(path) as found:
                return [entry.name for _, entry in zip(range(_MOST_NAMES), found, strict=False)]
        except (OSError, ValueError):
            return None

    def text(self, path: str, limit: int) -> str | None:
        """Return the text of the file *path*, unless it is longer than *limit*."""
        try:
            data = _bytes(path, limit + 1)
        except (OSError, ValueError):
            return None
        if data is None or len(data) > limit or b"\0" in data:
            return None
        return data.decode("utf-8", "replace")

    def beginning(self, path: str, limit: int) -> str | None:
        """Return the first *limit* characters of the file *path*, unless it is no text."""
        try:
            data = _bytes(path, limit)
        except (OSError, ValueError):
            return None
        return None if data is None or b"\0" in data else data.decode("utf-8", "ignore")

    def packed(self, path: str) -> Sequence[str] | None:
        """Return the first names in the archive *path*: read only where it was downloaded."""
        from snaphook.shell.archives import top_names  # rarely needed

        return top_names(path)

    def kind(self, path: str) -> str | None:
        """Return what *path* is: 'file', 'dir', 'device', 'other', or nothing."""
        try:
            mode = os.lstat(path).st_mode
        except (OSError, ValueError):
            return None
        if stat.S_ISREG(mode):
            return "file"
        if stat.S_ISDIR(mode):
            return "dir"
        return "device" if stat.S_ISBLK(mode) or stat.S_ISCHR(mode) else "other"

    def exists(self, path: str) -> bool | None:
        """Say whether there is something at *path* now; a link counts, wherever it leads.

        What is missing counts inside a project that is here. Elsewhere it is unknown: a home without
        Documents may be that of another machine, or of a container in which the command is judged.
        """
        try:
            os.lstat(path)
        except NotADirectoryError:
            return False
        except FileNotFoundError:
            inside = path.startswith(f"{self.project}/")
            return False if inside and os.path.isdir(self.project) else None  # noqa: PTH112 - no pathlib
        except (OSError, ValueError):
            return None
        return True

    def tracked(self, path: str) -> bool | None:
        """Say whether git tracks *path* or something beneath it."""
        return tracked.tracked(path)

    def committed(self, path: str) -> bool | None:
        """Say whether git holds the very text of the file *path*."""
        return tracked.committed(path)

    def ignored(self, path: str) -> bool | None:
        """Say whether the project's .gitignore names *path* plainly.

        Simple patterns only; a doubtful one counts as not ignored, which errs towards asking.
        """
        if not path.startswith(f"{self.project}/"):
            return None
        if self._ignores is None:
            self._ignores = _ignore_patterns(self.text(f"{self.project}/.gitignore", 65_536))
        rest = path[len(self.project) + 1 :]
        names = rest.split("/")
        return any(_ignores(shape, rest, names) for shape in self._ignores)

    def linked_worktree(self, path: str) -> bool:
        """Say whether *path* lies in a linked worktree of a repository."""
        return is_linked(path)

    def bare(self, path: str) -> bool:
        """Say whether *path* is, or lies in, a repository without a work tree."""
        return bare_root(path) is not None

    def git_config(self, key: str, cwd: str) -> str | None:
        """Return the setting from the repository's config or the user's.

        A linked worktree reads the shared directory's settings, then its own `config.worktree`.
        """
        places = [f"{self.home}/.gitconfig", f"{self.home}/.config/git/config"]
        if found := git_dir(cwd):
            places = [f"{found}/config.worktree", f"{common_dir(found)}/config", *places]
        for place in places:
            if (value := _setting(self.text(place, 65_536), key)) is not None:
                return value
        return None

    def unsaved(
        self, where: Repository, paths: tuple[str, ...] = (), *, ignored: bool = False
    ) -> Unsaved | None:
        """Ask git, with nothing of the repository's own run: asked before work is thrown away only."""
        asked = (where, paths, ignored)
        if asked not in self._unsaved:
            from snaphook.shell.git_status import unsaved  # starts a process; rarely needed

            self._unsaved[asked] = unsaved(where, paths, self.env, ignored=ignored)
        return self._unsaved[asked]


@lru_cache(maxsize=256)
def _normal(path: str) -> str:
    """Return *path* without dots and doubled slashes; what begins at the root asks nobody."""
    return os.path.normpath(path)


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path)) if path else "/"  # noqa: PTH100, PTH111


def _bytes(path: str, most: int) -> bytes | None:
    """Return the first bytes of a plain file; most that are asked for are not there, which is cheap."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return None
        data = os.read(file, most)
        while data and len(data) < most and (more := os.read(file, most - len(data))):
            data += more
        return data
    finally:
        os.close(file)


def _has_no_link(path: str) -> bool:
    """Say whether *path* surely leads where it says: normal, and no part of it a link.

    ``realpath`` tells the same, and takes four times as long to say that nothing is special.
    """
    if path[:1] != "/" or _normal(path) != path:
        return False
    end = 0
    while end < len(path):
        end = path.find("/", end + 1)
        end = len(path) if end < 0 else end
        try:
            if stat.S_ISLNK(os.lstat(path[:end]).st_mode):
                return False
        except FileNotFoundError:
            return True  # nothing below it can be a link
    return True


def _ignore_patterns(text: str | None) -> list[str]:
    lines = (line.strip() for line in (text or "").splitlines())
    return [line for line in lines if line and line[0] not in "#!" and "**" not in line]


def _ignores(shape: str, rest: str, names: Sequence[str]) -> bool:
    shape = shape.rstrip("/")
    if "/" in shape:
        shape = shape.lstrip("/")
        return rest == shape or rest.startswith(f"{shape}/") or fnmatch.fnmatchcase(rest, shape)
    return shape not in ("", "*") and any(fnmatch.fnmatchcase(name, shape) for name in names)


def _setting(text: str | None, key: str) -> str | None:
    """Return the value of *key* (`alias.co`) from the text of a git config file."""
    section, _, name = key.rpartition(".")
    here = False
    found = None
    for line in (text or "").splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            here = stripped.strip("[]").replace(' "', ".").rstrip('"').lower() == section.lower()
        elif here and stripped.partition("=")[0].strip().lower() == name.lower():
            found = stripped.partition("=")[2].strip().strip('"')
    return found
