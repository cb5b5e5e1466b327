"""What the guard may ask about the machine it protects.

path, name  ->  answer, or None for "cannot tell"

Everything that is not in the command itself comes through here, so that a test can say what the
world looks like in one line, and a rule can be explained long after the world has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from snaphook.shell.repository import Repository, Unsaved


class World(Protocol):
    """The machine as the guard sees it. Answers are cheap or `None`; nothing here raises."""

    @property
    def home(self) -> str:
        """The home directory of whoever the agent works for."""

    @property
    def cwd(self) -> str:
        """Where the command would start."""

    @property
    def project(self) -> str:
        """The root of the project the agent works on; the cwd where there is none."""

    @property
    def env(self) -> Mapping[str, str]:
        """The variables a command would see."""

    def real(self, path: str) -> str:
        """Return *path* with its symbolic links followed."""

    def spelled(self, path: str) -> str:
        """Return *path* as the disk spells it, where that does not tell upper from lower case."""

    def folds(self, path: str) -> bool:
        """Say whether the disk does not, for *path*."""

    def names(self, path: str) -> Sequence[str] | None:
        """Return the names in the directory *path*, or nothing when that cannot be told."""

    def text(self, path: str, limit: int) -> str | None:
        """Return the text of the file *path*, or nothing when there is none or it is too long."""

    def beginning(self, path: str, limit: int) -> str | None:
        """Return the first *limit* characters of a text file, or nothing when there is none."""

    def packed(self, path: str) -> Sequence[str] | None:
        """Return the first names in an archive, folders with a slash; nothing where it cannot be read."""

    def kind(self, path: str) -> str | None:
        """Return 'file', 'dir', 'device' or 'other', or nothing when *path* does not exist."""

    def exists(self, path: str) -> bool | None:
        """Say whether there is something at *path* now."""

    def ignored(self, path: str) -> bool | None:
        """Say whether git ignores *path*; that alone does not make it worthless."""

    def tracked(self, path: str) -> bool | None:
        """Say whether git tracks *path* or something beneath it; nothing outside a repository."""

    def committed(self, path: str) -> bool | None:
        """Say whether git holds the very text of the file *path*."""

    def linked_worktree(self, path: str) -> bool:
        """Say whether *path* lies in a linked worktree, whose work is as real as any."""

    def bare(self, path: str) -> bool:
        """Say whether *path* is, or lies in, a repository without a work tree."""

    def git_config(self, key: str, cwd: str) -> str | None:
        """Return the value of a git setting (an alias, say) as seen from *cwd*."""

    def unsaved(
        self, where: Repository, paths: tuple[str, ...] = (), *, ignored: bool = False
    ) -> Unsaved | None:
        """Return what the work tree (or *paths* in it) holds that no commit does."""


class StillWorld(Struct, frozen=True, kw_only=True):
    """A world that stands still: what a test says, and nothing on disk."""

    home: str = "/home/me"
    cwd: str = "/home/me/project"
    project: str = "/home/me/project"
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}
    links: Mapping[str, str] = {}
    ignored_paths: Sequence[str] = ()
    worktrees: Sequence[str] = ()
    git: Mapping[str, str] = {}
    is_clean: bool | None = None
    tracked_paths: Sequence[str] | None = None
    is_whole: bool = False
    """Whether *files* are all there is; else what is not among them cannot be told."""
    folding: bool = False
    """Whether its disk does not tell upper from lower case."""

    def spelled(self, path: str) -> str:
        """Return the file whose name is *path* in another spelling; else *path*."""
        if not self.folding:
            return path
        parts = {"/".join(one.split("/")[:size]) for one in self.files for size in range(2, 99)}
        known = [one for one in parts if f"{path}/".lower().startswith(f"{one}/".lower())]
        longest = max(known, key=len, default="")
        return longest + path[len(longest) :]

    def folds(self, path: str) -> bool:
        """Say whether its disk does not tell upper from lower case."""
        return self.folding

    def real(self, path: str) -> str:
        """Return where the longest link in *path* leads."""
        for link, target in self.links.items():
            if path == link or path.startswith(f"{link}/"):
                return target + path[len(link) :]
        return path

    def names(self, path: str) -> Sequence[str] | None:
        """Return the names of the files said to be in *path*."""
        inside = f"{path.rstrip('/')}/"
        found = {
            name[len(inside) :].split("/")[0] for name in self.files if name.startswith(inside)
        }
        return sorted(found) or None

    def text(self, path: str, limit: int) -> str | None:
        """Return what the file is said to hold."""
        return self.files.get(path, "")[:limit] or None

    def beginning(self, path: str, limit: int) -> str | None:
        """Return the first of what the file is said to hold."""
        return self.text(path, limit)

    def packed(self, path: str) -> Sequence[str] | None:
        """Return nothing: the files of a test are text."""
        return None

    def kind(self, path: str) -> str | None:
        """Say what *path* is said to be."""
        if path in self.files:
            return "file"
        return "dir" if self.names(path) else None

    def exists(self, path: str) -> bool | None:
        """Say whether *path* is among the files, as far as they are all there is."""
        return True if self.kind(path) else (False if self.is_whole else None)

    def tracked(self, path: str) -> bool | None:
        """Say whether *path*, or something beneath it, is said to be tracked."""
        if self.tracked_paths is None:
            return None
        return any(one == path or one.startswith(f"{path}/") for one in self.tracked_paths)

    def committed(self, path: str) -> bool | None:
        """Say whether *path* is said to be tracked; still files do not change."""
        return None if self.tracked_paths is None else path in self.tracked_paths

    def ignored(self, path: str) -> bool | None:
        """Say whether *path* is said to be ignored."""
        return any(path == one or path.startswith(f"{one}/") for one in self.ignored_paths)

    def linked_worktree(self, path: str) -> bool:
        """Say whether *path* lies in a worktree said to be linked."""
        return any(path == one or path.startswith(f"{one}/") for one in self.worktrees)

    def bare(self, path: str) -> bool:
        """Say whether *path* is said to be history: a folder around it has a name that ends in .git."""
        return any(name.endswith(".git") and name != ".git" for name in path.split("/"))

    def git_config(self, key: str, cwd: str) -> str | None:
        """Return the setting as said."""
        return self.git.get(key)

    def unsaved(
        self, where: Repository, paths: tuple[str, ...] = (), *, ignored: bool = False
    ) -> Unsaved | None:
        """Return what was said: nothing, all of it, or that it cannot be told."""
        if self.is_clean is None:
            return None
        lost = not self.is_clean
        return Unsaved(tracked=lost, untracked=lost, ignored=lost and ignored)
