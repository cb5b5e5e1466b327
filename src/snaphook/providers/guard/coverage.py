"""What a hook's command would run, by the guard's own evaluation.

command + project  ->  Coverage

The guard reads every script that a command runs, through variables, ``cd``, ``source`` and wrappers. Here
it is watched while it does: what it reads is what an approval has to cover.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from snaphook.config.coverage import Coverage, follow, imported, is_inside, module_places
from snaphook.config.scripts import PROJECT_VARIABLES
from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Call
from snaphook.shell.gaps import Gap
from snaphook.shell.live import LiveWorld

_BUILD_FILES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("make", "gmake"), ("GNUmakefile", "makefile", "Makefile")),
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun", "npx"), ("package.json",)),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "tox": ("tox.ini", "pyproject.toml", "setup.cfg"),
    "nox": ("noxfile.py",),
    "pytest": ("conftest.py", "pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"),
    "rake": ("Rakefile",),
    "pre-commit": (".pre-commit-config.yaml",),
    "cargo": ("Cargo.toml", "build.rs", ".cargo/config.toml"),
}
"""The files in which a tool finds the commands that it runs."""
_SKIPPED = (".git/", ".gitignore", ".gitattributes")
"""What the guard reads to judge, and nothing runs."""
_CHANGED_PATH = re.compile(r"""\bPATH=["']?([^\s;"'&|]+)""")
_PYTHON = ("python", "python2", "python3", "pypy", "pypy3")
_TOLD = (Gap.OPAQUE, Gap.UNREAD, Gap.PROJECT, Gap.LIMIT)


class _Watched(LiveWorld):
    """The machine, and which of its files were asked for."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        super().__init__(str(root), env=env, project=str(root))
        self.asked: set[str] = set()

    def text(self, path: str, limit: int) -> str | None:
        self.asked.add(path)
        return super().text(path, limit)


def command_coverage(command: str, root: Path) -> Coverage:
    """Return what running *command* in *root* covers."""
    env = {**os.environ, **dict.fromkeys(PROJECT_VARIABLES, str(root)), "PWD": str(root)}
    env["PATH"] = os.pathsep.join([*_added_to_path(command, root), env.get("PATH", "")])
    world = _Watched(root, env)
    judgement = examine(command, world, settings=GuardSettings())
    asked = {Path(path) for path in world.asked if not _is_skipped(path, root)}
    modules: set[Path] = set()
    for call in judgement.calls:
        asked |= set(_named(call, root, env))
        modules |= set(_modules(call, root))
    files = {path for path in asked | modules if is_inside(path, root)}
    absent = frozenset(
        path
        for path in (asked | modules) - files
        if path.is_relative_to(root) and not path.exists()
    )
    bases = (root,) if modules else ()
    unknown = tuple(one.what for one in judgement.unknown if one.gap in _TOLD)
    if _CHANGED_PATH.search(command):
        unknown = (*unknown, "which programs run, since PATH is changed")
    found = Coverage(files=frozenset(files), absent=absent, unknown=unknown)
    return found | follow(files, root, bases=bases)


def _added_to_path(command: str, root: Path) -> Iterator[str]:
    """Yield the folders that *command* itself puts on PATH."""
    for value in _CHANGED_PATH.findall(command):
        for folder in value.split(os.pathsep):
            for name in ("PWD", *PROJECT_VARIABLES):
                folder = folder.replace(f"${name}", str(root)).replace(f"${{{name}}}", str(root))
            if "$" not in folder:
                yield str(root / folder)


def _named(call: Call, root: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files of the project that *call* names, or in which its tool looks."""
    here = Path(call.cwd or root)
    word = call.name.text
    if "/" in word:
        yield _absolute(here, word)
    elif word:
        yield from _on_path(word, here, root, env)
    for name in _BUILD_FILES.get(call.program, ()):
        yield here / name
    for arg in call.args:
        path = _absolute(here, arg.text.rpartition("=")[2])
        if arg.known and is_inside(path, root):
            yield path


def _on_path(word: str, here: Path, root: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """Yield where the project is searched for *word* before it is found."""
    for folder in env.get("PATH", "").split(os.pathsep):
        path = _absolute(here, folder) / word
        if path.is_relative_to(root):
            yield path
        if os.access(path, os.X_OK) and path.is_file():
            return


def _modules(call: Call, root: Path) -> Iterator[Path]:
    """Yield what ``python -m name`` and ``python -c code`` would run from the project."""
    words = [arg.text for arg in call.args]
    if call.program.rstrip("0123456789.") not in _PYTHON:
        return
    here = Path(call.cwd or root)
    for option, word in pairwise(words):
        if option == "-m":
            yield from module_places(word, here)
        elif option == "-c":
            with suppress(SyntaxError, ValueError, RecursionError):
                yield from imported(word, (here,), here / "-c")


def _absolute(here: Path, word: str) -> Path:
    try:
        return Path(os.path.normpath(here / word))
    except ValueError:
        return here


def _is_skipped(path: str, root: Path) -> bool:
    near = os.path.relpath(path, root)
    return near.startswith(_SKIPPED) or near.startswith("..") or f"/{_SKIPPED[0]}" in near
