"""Commands that the shell, the disk or the PATH would refuse."""

import os
import re
from pathlib import Path

from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook
from snaphook.config.take import closest

from .scene import HookScene, beside
from .wording import WINDOWS
from .words import expanded, files_to_run, simple_commands

_TEST = re.compile(r"(?:\[\[?|\btest)\s+(?:!\s+)?-[efxrs]\s|\bcommand -v ")
_INSTALLED = re.compile(r"(?:^|/)(?:node_modules|\.?venv|vendor|target)/")
"""Folders that an installer or a compiler fills, in a fresh clone perhaps later."""
_SCRIPT_ENDS = (".sh", ".bash", ".py", ".js", ".ts", ".rb", ".pl", ".md", ".txt", ".json")
_PROGRAMS = frozenset(
    """
    bash biome black bun cargo cat clippy curl docker echo eslint flake8 gitleaks gofmt golangci-lint
    git grep isort make mypy node notify-send npm npx osascript pnpm poetry pre-commit prettier pylint
    pyright pytest python python3 ruff rustfmt shellcheck shfmt terraform tsc uvx vitest yarn jest
    """.split()  # noqa: SIM905 - a table of words reads better than a column
)


def broken_shell(hook: CommandHook, scene: HookScene, notes: Notes) -> None:
    """Note a line that the shell cannot parse."""
    said = scene.shell_error(hook.command) if hook.args is None else None
    if said and not WINDOWS.search(hook.command):
        fix = "Close every quote, bracket and 'if'; in JSON, a quote inside a string is \\\"."
        what = f"the shell cannot parse the command: {said}"
        notes.error("broken-shell", beside(hook, "command"), what, fix, tolerable=True)


def a_script_that_cannot_run(hook: CommandHook, scene: HookScene, notes: Notes) -> None:
    """Note a script that is not there, is a folder, may not be executed, or has no reader."""
    if _TEST.search(hook.command) or WINDOWS.search(hook.command):
        return  # the command looks for itself whether the script is there
    at, variables = beside(hook, "command"), scene.variables(hook.dialect)
    for word, direct in files_to_run(hook):
        path = None if word.startswith(('"~', "'~")) else expanded(word, variables)
        if path is None or _INSTALLED.search(path):
            continue
        if direct and "/" not in path:
            problem = _not_on_the_path(path, scene)
        else:
            problem = _trouble(scene.root / path, direct=direct)
        if problem:
            what, fix = problem
            notes.error("script", at, f"the script {path} {what}", fix, tolerable=True)


def a_program_misspelt(hook: CommandHook, scene: HookScene, notes: Notes) -> None:
    """Note ``pyhton3``: not there, and one slip away from a program everybody has."""
    for words in simple_commands(hook.command):
        program = words.unwrapped().program
        if not re.fullmatch(r"[\w.-]{3,}", program) or program in _PROGRAMS:
            continue
        meant = _meant_program(program)
        if meant and not scene.which(program):
            what = f"program '{program}' not found"
            fix = f"Did you mean '{meant}'?"
            notes.error("no-such-program", beside(hook, "command"), what, fix, tolerable=True)


def _meant_program(name: str) -> str | None:
    """Return the program that *name* misspells: a letter off, or two that changed places."""
    near = closest(name, _PROGRAMS, cutoff=0.8)
    if near and near[0] == name[0]:
        return near
    mixed = (one for one in _PROGRAMS if one[0] == name[0] and sorted(one) == sorted(name))
    return next(mixed, None)


def _not_on_the_path(name: str, scene: HookScene) -> tuple[str, str] | None:
    """Return what is wrong with ``check.sh``: a bare name is looked for on the PATH only."""
    if not name.endswith(_SCRIPT_ENDS) or scene.which(name):
        return None
    return "is not on the PATH", f"Write ./{name}, with its folder."


def _trouble(path: Path, *, direct: bool) -> tuple[str, str] | None:
    try:
        if not path.exists():
            return "does not exist", "Create it, or fix the path."
        if path.is_dir():
            return "is a folder", "Name a file in it."
        if not direct:
            return None
        if not os.access(path, os.X_OK) or not path.stat().st_mode & 0o111:
            return "is not executable", f"Run: chmod +x {path}"
        return _first_line_trouble(path)
    except (OSError, ValueError):
        return "cannot be accessed", "Fix the path."


def _first_line_trouble(path: Path) -> tuple[str, str] | None:
    with path.open("rb") as file:
        first = file.readline(300)
    if first.startswith(b"#!") and first.endswith(b"\r\n"):
        return (
            "has Windows line endings, so its first line is not a valid shebang",
            "Save it with \\n.",
        )
    if path.suffix in (".py", ".js", ".ts", ".rb") and not first.startswith(b"#!"):
        return (
            "has no shebang line",
            f"Add a first line such as #!/usr/bin/env {_reader(path)}.",
        )
    return None


def _reader(path: Path) -> str:
    return {".py": "python3", ".rb": "ruby"}.get(path.suffix, "node")
