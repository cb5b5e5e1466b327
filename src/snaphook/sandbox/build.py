"""Make the policy of a project.

SandboxSettings + Scope  ->  Policy

What is a secret, what is temporary and what the project is say the callers' own classes (the guard's),
so that a rule and the kernel never disagree. Reads the disk; starts no process.
"""

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.storage.files import create

from . import places
from .git import git_folders, hooks_folder, protected_in
from .policy import Policy
from .proxy.hosts import HostList
from .registries import allowed_hosts
from .settings import SandboxSettings
from .sockets import leading_outside

_CREDENTIAL = re.compile(rb"(?i)_auth|_?password|token|secret|api[-_]?key|://[^/\s:]+:[^@\s]+@")
_MOST_NAMES = 4_000
"""Names of a home that are looked at; more than anybody keeps there."""


class Scope(Struct, frozen=True, kw_only=True):
    """Where a command runs, and for whom."""

    project: str
    """The folder that may be written; empty where there is none (a home, the machine)."""
    home: str
    env: Mapping[str, str]
    is_secret: Callable[[str], bool]
    """Whether a path holds a secret, by its name."""
    temp_dirs: tuple[str, ...] = places.TEMPORARY
    data_dir: str = ""
    """Our own state."""


def build(settings: SandboxSettings, scope: Scope) -> Policy:
    """Return what holds for commands in *scope*."""
    project = os.path.realpath(scope.project) if scope.project else ""
    git = tuple(git_folders(project)) if project else ()
    write = _needed(_existing((*_writable(settings, scope, project), *git)), scope, project)
    closed = settings.network != "open"
    sockets = tuple(
        sorted(leading_outside(scope.env, home=scope.home, project=project, closed=closed))
    )
    protected, absent = _protected(settings, scope, project, git)
    listed = settings.network == "allowlist"
    hosts = allowed_hosts(settings, scope) if listed else ()
    return Policy(
        project=project,
        write=write,
        devices=_existing(places.DEVICES),
        pinned=_pins(project, git, protected, write),
        protected=protected,
        absent=absent,
        hidden=_hidden(settings, scope, write),
        sockets=sockets,
        drop=_dropped(settings),
        network=settings.network,
        hosts=hosts,
        ports=HostList(hosts).ports,
        proxy=sys.executable if listed else "",
        resolver=_resolver() if listed else "",
        hooks=hooks_folder(project, git) if project else "",
    )


def _resolver() -> str:
    path = os.path.realpath(places.RESOLVER)
    return path if os.path.isfile(path) else ""  # noqa: PTH113


def _needed(write: tuple[str, ...], scope: Scope, project: str) -> tuple[str, ...]:
    """Return *write* without what lies in another of them; a mount costs time, and parts a tree.

    The project stays, so that it cannot be moved away, and so does what a home among temporary
    files leaves writable.
    """
    home = os.path.realpath(scope.home)
    return tuple(
        path
        for path in write
        if path == project
        or not any(
            path.startswith(f"{outer}/") and not f"{home}/".startswith(f"{outer}/")
            for outer in write
        )
        or not _within(path, write)
    )


def expand(path: str, scope: Scope) -> str:
    """Return *path* of the settings as an absolute one: ``~`` is the home, the rest the project."""
    if path == "~" or path.startswith("~/"):
        return os.path.normpath(scope.home + path[1:])
    return os.path.normpath(f"{scope.project or scope.home}/{path}" if path[:1] != "/" else path)


def _writable(settings: SandboxSettings, scope: Scope, project: str) -> Iterator[str]:
    if project:
        yield project
    yield from scope.temp_dirs
    for name in (*places.CACHES, *places.CACHE_FILES):
        yield f"{scope.home}/{name}"
    for variable in places.CACHE_VARIABLES:
        yield from _of_variable(scope, variable, ("",))
    for variable, parts in places.NESTED_CACHES.items():
        yield from _of_variable(scope, variable, parts)
    for path in settings.allow_paths:
        yield expand(path, scope)


def _of_variable(scope: Scope, variable: str, parts: Iterable[str]) -> Iterator[str]:
    """Yield the folders that *variable* names, unless they hold a home, the system or our state."""
    for value in scope.env.get(variable, "").split(os.pathsep):
        for part in parts:
            path = os.path.realpath(f"{value}/{part}") if value[:1] == "/" else ""
            around = (scope.home, "/etc", "/usr/bin", "/bin", scope.data_dir or "/")
            if path.count("/") > 1 and not any(f"{one}/".startswith(f"{path}/") for one in around):
                yield path


def make_caches(home: str, path: str) -> None:
    """Make the cache folders of the package managers that are installed, where they are missing."""
    for program, folders in places.MADE_FOR.items():
        missing = [name for name in folders if not os.path.isdir(f"{home}/{name}")]  # noqa: PTH112
        if missing and _is_on_path(program, path):
            for name in missing:
                with contextlib.suppress(OSError):
                    os.makedirs(f"{home}/{name}", exist_ok=True)  # noqa: PTH103
    with contextlib.suppress(OSError):
        os.makedirs(f"{home}/.cache", mode=0o700, exist_ok=True)  # noqa: PTH103
    if os.path.isdir(f"{home}/.cargo"):  # noqa: PTH112
        for name in places.CACHE_FILES:
            with contextlib.suppress(OSError):  # cargo makes them as well
                create(Path(f"{home}/{name}"), b"", mode=0o644)


def _is_on_path(program: str, path: str) -> bool:
    return any(os.access(f"{folder}/{program}", os.X_OK) for folder in path.split(os.pathsep))


def _protected(
    settings: SandboxSettings, scope: Scope, project: str, git: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the protected paths that exist, and the names that must not appear."""
    wanted = [f"{project}/{name}" for name in places.PROTECTED] if project else []
    wanted += [expand(path, scope) for path in settings.deny_write]
    if project and os.path.isfile(f"{project}/.git"):  # noqa: PTH113 - a linked work tree's pointer
        wanted.append(f"{project}/.git")
    for folder in git:
        wanted += protected_in(folder)
    if _within(scope.home, scope.temp_dirs):  # a home among temporary files is a home all the same
        wanted.append(scope.home)
    present = [os.path.realpath(path) for path in wanted if os.path.lexists(path)]
    there = tuple(dict.fromkeys(path for path in present if os.path.exists(path)))  # noqa: PTH110
    return there, tuple(path for path in wanted if not os.path.lexists(path))


def _pins(
    project: str, git: tuple[str, ...], protected: tuple[str, ...], write: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the folders between a writable tree and something protected: moved, it would go along."""
    pins: set[str] = set()
    for path in (*protected, *git):
        parent = path if path in git else os.path.dirname(path)  # noqa: PTH120
        while any(parent.startswith(f"{root}/") for root in write) and parent != project:
            pins.add(parent)
            parent = os.path.dirname(parent)  # noqa: PTH120
    return tuple(sorted(pins - set(write), key=lambda path: (path.count("/"), path)))


def _hidden(settings: SandboxSettings, scope: Scope, write: tuple[str, ...]) -> tuple[str, ...]:
    allowed = {os.path.realpath(expand(path, scope)) for path in settings.allow_read}
    found = dict.fromkeys(os.path.realpath(path) for path in _secrets(settings, scope))
    needed = (*write, os.path.realpath(scope.home))  # never what the command itself needs
    kept = [
        path
        for path in found
        if path not in allowed and not any(f"{one}/".startswith(f"{path}/") for one in needed)
    ]
    return tuple(sorted(_outermost(kept)))


def _secrets(settings: SandboxSettings, scope: Scope) -> Iterator[str]:
    for home in dict.fromkeys((scope.home, *_homes())):
        for name in (*places.SECRETS, *places.SPACED_SECRETS):
            if os.path.lexists(f"{home}/{name}"):
                yield f"{home}/{name}"
        for name in places.SECRETS_IF_THEY_HOLD_ONE:
            if _holds_credential(f"{home}/{name}"):
                yield f"{home}/{name}"
    conditional = places.SECRETS_IF_THEY_HOLD_ONE
    for name in _names(scope.home):
        if name not in conditional and scope.is_secret(f"{scope.home}/{name}"):
            yield f"{scope.home}/{name}"
    for path in places.SYSTEM_SECRETS:
        if os.access(path, os.R_OK):
            yield path
    if os.access("/dev", os.W_OK):
        yield from _disks()
    if scope.data_dir:
        yield scope.data_dir
    for path in settings.deny_read:
        if os.path.lexists(full := expand(path, scope)):
            yield full


def _homes() -> Iterator[str]:
    """Yield the homes of others that can be read: an agent of root sees them all."""
    for parent in ("/home", "/Users"):
        for name in _names(parent):
            if os.access(f"{parent}/{name}", os.X_OK):
                yield f"{parent}/{name}"
    if os.access("/root", os.X_OK):
        yield "/root"


def _disks() -> Iterator[str]:
    """Yield the disks and memories that could be read past every file's permissions."""
    import stat

    for name in _names("/dev"):
        path = f"/dev/{name}"
        with contextlib.suppress(OSError):
            if stat.S_ISBLK(os.lstat(path).st_mode) or name in ("mem", "kmem", "port"):
                yield path


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as found:
            return [entry.name for _, entry in zip(range(_MOST_NAMES), found, strict=False)]
    except OSError:
        return []


def _holds_credential(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - asked for every policy
            return _CREDENTIAL.search(file.read(65_536)) is not None
    except OSError:
        return False


def _dropped(settings: SandboxSettings) -> tuple[str, ...]:
    names = (*places.SECRET_VARIABLES, *places.SOCKET_VARIABLES)
    return tuple(name for name in names if name not in settings.allow_env)


def _existing(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the real paths of those that are there, outer ones first, none twice."""
    found = dict.fromkeys(os.path.realpath(path) for path in paths if os.path.exists(path))  # noqa: PTH110
    return tuple(sorted(found, key=lambda path: (path.count("/"), path)))


def _within(path: str, roots: Iterable[str]) -> bool:
    return any(path.startswith(f"{root}/") for root in roots)


def _outermost(paths: Iterable[str]) -> Iterator[str]:
    kept: list[str] = []
    for path in sorted(paths, key=len):
        if not any(path.startswith(f"{one}/") for one in kept):
            kept.append(path)
    return iter(kept)
