"""What kind of place a path leads to.

path + World  ->  PathClass

Told from the path alone where possible; the world is asked only whether git ignores something,
and where a link leads. A glob counts as the worst it may match.
"""

from __future__ import annotations

import fnmatch
import re
from enum import Enum
from functools import lru_cache

from snaphook.lazy import regex
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.text import UNKNOWN, has_glob, may_match, plain
from snaphook.shell.world import World
from snaphook.shell.worth import is_build_name, is_made, is_marked, is_output


class PathClass(Enum):
    """What a path means to whoever owns the machine."""

    ROOT = "the whole machine"
    SYSTEM = "the operating system"
    HOME = "a whole home directory"
    PROJECT = "the whole project"
    GIT = "the project's git history"
    INSIDE = "project files"
    BUILT = "build output"
    TEMP = "temporary files"
    DEVICE = "a device"
    OUTSIDE = "files outside the project"
    UNKNOWN = "a path known only at run time"


FREE = frozenset({PathClass.BUILT, PathClass.TEMP})
"""Places where nothing of worth is lost."""

_SYSTEM_ROOTS = """
    bin boot dev etc lib lib32 lib64 libx32 opt proc root run sbin srv sys usr var nix snap
    System Library Applications Volumes private cores Network Windows mnt media lost+found c
    C
"""
SYSTEM_ROOTS = frozenset(_SYSTEM_ROOTS.split())
_LOWER_ROOTS = frozenset(name.lower() for name in SYSTEM_ROOTS)
"""Some file systems take `/ETC` for `/etc`."""
_ROOTS = (*SYSTEM_ROOTS, "home", "Users")
_TEMP_WITHIN = regex(
    r"/(?:private/)?var/folders/[^/]+|/run/user/\d+|/c/Users/[^/]+/AppData/Local/Temp|/mnt/c/Windows/Temp"
)
_MOUNTS = frozenset({"mnt", "media", "Volumes"})
"""Where other disks appear: what lies on them is someone's, and not the operating system's."""
_WINDOWS = regex(
    r"/mnt/[a-z](?:/(?:Windows|Users|ProgramData|Program Files[^/]*)(?:/.*)?)?", re.IGNORECASE
)
_HOMES = regex(r"/(?:home|Users|export/home|var/home|private/home)(?:/[^/]+)?|/root|/var/root")
_PERSONAL = regex(
    r"\.|(?:Documents|Desktop|Downloads|Pictures|Music|Movies|Videos|Library|Public|Templates)(?:/|$)"
)
"""Names in a home directory that are never a project's."""

_HOME_CACHES = regex(
    r"(?:/(?:home|Users)/[^/]+|/root|/var/root)/(?:\.cache/[^/]|\.npm/_|\.yarn/(?:berry/)?cache|\.pnpm-store|\.gradle/caches"
    r"|\.cargo/registry/(?:cache|src)|\.nuget/packages|\.expo/|\.bun/install/cache|go/pkg/mod/cache"
    r"|\.local/share/pnpm/store|Library/Caches/|Library/Developer/Xcode/DerivedData)"
)
"""What tools keep in a home directory and fetch or build again by themselves."""
_BARE = regex(r"[^/]\.git(?:/|$)|/(?:objects|refs|packed-refs|HEAD)(?:/|$)")
"""Names that are worth asking whether a bare repository is meant."""


class PathClasses:
    """Tells places; remembers what it has told."""

    __slots__ = ("_homes", "_known", "_project", "_temps", "settings", "world")

    def __init__(self, world: World, settings: GuardSettings) -> None:
        self.world = world
        self.settings = settings
        self._known: dict[str, PathClass] = {}
        self._project = world.project if _is_project(world.project, world.home) else ""
        temp = world.env.get("TMPDIR", "").rstrip("/")
        self._temps = (*settings.temp_dirs, temp) if temp.count("/") > 1 else settings.temp_dirs

    @property
    def has_project(self) -> bool:
        """Whether the project is a place of its own, not a home or the machine."""
        return bool(self._project)

    def of(self, path: str) -> PathClass:
        """Return what kind of place *path* leads to; globs count as what they may match."""
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = self._tell(path)
        return found

    def is_temp(self, path: str) -> bool:
        """Say whether *path* lies in a temp directory, whatever else it is."""
        return self._temp(path) is not None

    def _tell(self, path: str) -> PathClass:
        place = self._told_by_name(path)
        if place in (PathClass.INSIDE, PathClass.TEMP, PathClass.BUILT) and UNKNOWN not in path:
            real = self.world.real(plain(path))
            if real != plain(path):
                place = self._told_by_name(real)
        if (
            place in (PathClass.INSIDE, PathClass.OUTSIDE)
            and _BARE.search(path)
            and self.world.bare(path)
        ):
            return PathClass.GIT
        return place

    def _told_by_name(self, path: str) -> PathClass:
        if not path or path[0] == UNKNOWN:
            return self._told_by_tail(path)
        if any(_matches(path, allowed) for allowed in self.settings.allow_paths):
            return PathClass.BUILT
        names = path.strip("/").split("/") if path != "/" else []
        if not names or names[0] == UNKNOWN or (has_glob(names[0]) and may_match(names[0], _ROOTS)):
            return PathClass.ROOT
        project = self._project
        if project and (path == project or path.startswith(f"{project}/")):
            return self._in_project(path[len(project) + 1 :], project)
        if project.startswith(f"{path}/"):
            return PathClass.HOME
        if self._is_home(path, names[-1]):
            return PathClass.HOME
        if temp := self._temp(path):
            return temp
        place = self._elsewhere(path, names[0])
        return self._near(path, place) if place is PathClass.OUTSIDE and not project else place

    def _is_home(self, path: str, name: str) -> bool:
        """Say whether *path* is a home directory, or all there is in one."""
        parent = path.rpartition("/")[0]
        home = self.world.home
        return (
            path == home
            or _HOMES.fullmatch(path) is not None
            or (_is_everything(name) and (parent == home or _HOMES.fullmatch(parent) is not None))
        )

    def _elsewhere(self, path: str, first: str) -> PathClass:
        in_home = _HOMES.match(path) and not path.startswith("/root")
        if in_home or path.startswith(f"{self.world.home}/"):
            return PathClass.BUILT if _HOME_CACHES.match(path) else PathClass.OUTSIDE
        if first == "dev":
            return PathClass.DEVICE
        if first in _MOUNTS and path.count("/") > 1 and not _WINDOWS.fullmatch(path):
            return PathClass.OUTSIDE
        return PathClass.SYSTEM if first.lower() in _LOWER_ROOTS else PathClass.OUTSIDE

    def _near(self, path: str, place: PathClass) -> PathClass:
        """Tell a place beside the current directory, where that is no project: `/` or a home."""
        cwd = self.world.cwd.rstrip("/")
        if not path.startswith(f"{cwd}/"):
            return place
        rest = path[len(cwd) + 1 :]
        inside = self._in_project(rest, cwd)
        return place if cwd and inside is PathClass.INSIDE and _PERSONAL.match(rest) else inside

    def _told_by_tail(self, path: str) -> PathClass:
        """Judge a path whose beginning is unknown by the names at its end."""
        names = path.split("/")
        return (
            PathClass.BUILT if any(is_build_name(name) for name in names[1:]) else PathClass.UNKNOWN
        )

    def _is_marked(self, root: str, names: list[str]) -> bool:
        """Say whether a tool marked the folder, one that git does not track, as its own."""
        path = plain("/".join([root, *names]))
        return self.world.kind(path) == "dir" and is_marked(path, self.world)

    def _in_project(self, rest: str, root: str) -> PathClass:
        names = rest.split("/") if rest else []
        if not names or (len(names) == 1 and _is_everything(names[0])):
            return PathClass.PROJECT
        if any(name.lower() == ".git" for name in names) and not (
            len(names) > 1 and names[-1] in ("index.lock", "HEAD.lock")
        ):
            return PathClass.GIT
        if any(is_made(name) for name in names) or names[:2] == ["vendor", "bundle"]:
            return PathClass.BUILT
        for at, name in enumerate(names):
            if is_build_name(name) and is_output("/".join([root, *names[: at + 1]]), self.world):
                return PathClass.BUILT
        if UNKNOWN not in rest and self._is_marked(root, names):
            return PathClass.BUILT
        for shape in self.settings.build_dirs:
            if any(fnmatch.fnmatch(plain(name), shape) for name in names):
                return PathClass.BUILT
        return PathClass.INSIDE

    def _temp(self, path: str) -> PathClass | None:
        """Tell what lies in a temp directory; the directory itself is everyone's.

        A home among temp files is a home all the same, until one of its own folders is the temp.
        """
        home = self.world.home
        for root in self._temps:
            homely = home.startswith(f"{root}/") and path.startswith(f"{home}/")
            if path.startswith(f"{root}/") and not homely:
                return PathClass.TEMP
        return PathClass.TEMP if _TEMP_WITHIN.match(path) else None


def _is_everything(name: str) -> bool:
    """Say whether a glob takes all there is, or nearly."""
    return (
        has_glob(name)
        and re.sub(r"[*?.\[\]!^a-zA-Z0-9_-]", "", plain(name)) == ""
        and (
            plain(name)
            in ("*", ".*", "*.*", "**", ".[!.]*", "?*", ".??*", ".[^.]*", "*/", "{*,.*}")
            or plain(name).startswith("*(")
        )
    )


def _matches(path: str, allowed: str) -> bool:
    root = allowed.rstrip("/")
    return path == root or path.startswith(f"{root}/") or fnmatch.fnmatch(plain(path), allowed)


@lru_cache(maxsize=256)
def _is_project(project: str, home: str) -> bool:
    """Say whether the project is a place of its own: not a home, not the machine."""
    return (
        project not in ("", "/", home)
        and not home.startswith(f"{project}/")
        and not _HOMES.fullmatch(project)
        and project.strip("/") not in SYSTEM_ROOTS
    )
