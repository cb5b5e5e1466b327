"""What git keeps of a project, and what in it makes git run programs.

project  ->  git folders (its own, and the one that work trees share), hooks
"""

import os
import re
from collections.abc import Iterator

from .places import PROTECTED_GIT

_HOOKS_PATH = re.compile(r"(?im)^\s*hookspath\s*=\s*\"?([^\"\n;#]+)")
_INCLUDE = re.compile(r"(?im)^\s*path\s*=\s*\"?([^\"\n;#]+)")
_MOST_MODULES = 200


def git_folders(project: str) -> Iterator[str]:
    """Yield the git folder of *project*, and the shared one of a linked work tree."""
    folder = project
    while not os.path.lexists(f"{folder}/.git"):
        if folder in ("/", ""):
            return
        folder = os.path.dirname(folder)  # noqa: PTH120
    own = f"{folder}/.git"
    if os.path.isfile(own):  # noqa: PTH113
        pointer = _text(own).removeprefix("gitdir:").strip()
        own = os.path.realpath(os.path.join(folder, pointer))  # noqa: PTH118
    if not os.path.isdir(own):  # noqa: PTH112
        return
    shared = _text(f"{own}/commondir").strip()
    if shared:
        yield os.path.realpath(f"{own}/{shared}")
    yield os.path.realpath(own)


def protected_in(folder: str) -> Iterator[str]:
    """Yield what must not change in the git *folder*, whether it is there or not."""
    for name in PROTECTED_GIT:
        yield f"{folder}/{name}"
    for inner in _modules(f"{folder}/modules"):
        for name in ("config", "hooks"):
            yield f"{inner}/{name}"
    for path in _INCLUDE.findall(_text(f"{folder}/config")):
        if path[:1] not in ("~", "/"):
            yield os.path.normpath(f"{folder}/{path.strip()}")


def hooks_folder(project: str, folders: tuple[str, ...]) -> str:
    """Return the folder of the hooks that git would run, if it holds any; else nothing."""
    for folder in folders:
        named = _HOOKS_PATH.search(_text(f"{folder}/config"))
        if named:
            path = os.path.expanduser(named[1].strip())  # noqa: PTH111
            return _with_hooks(os.path.join(project, path))  # noqa: PTH118
    return _with_hooks(f"{folders[0]}/hooks") if folders else ""


def hook_names(folder: str) -> Iterator[str]:
    """Yield the hooks in *folder* that git would run."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208
    except OSError:
        return
    for name in names:
        path = f"{folder}/{name}"
        if "." not in name and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113
            yield name


def _with_hooks(folder: str) -> str:
    return os.path.realpath(folder) if next(hook_names(folder), None) else ""


def _modules(folder: str) -> Iterator[str]:
    """Yield the git folders of submodules, which may lie in folders of their own."""
    for count, (inner, _, files) in enumerate(os.walk(folder)):
        if count > _MOST_MODULES:
            return
        if "HEAD" in files:
            yield inner


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read(65_536)
    except OSError:
        return ""
