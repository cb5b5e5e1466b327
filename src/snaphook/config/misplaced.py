"""Settings in files that nobody reads.

Environment  ->  Problems
"""

from collections.abc import Iterator
from pathlib import Path

from .environment import Environment
from .problems import Problem, ProblemLevel
from .settings_files import NATIVE

_WRONG: dict[str, str] = {
    ".claude/hooks.json": ".claude/settings.json",
    ".claude/setting.json": ".claude/settings.json",
    ".claude/settings.jsonc": ".claude/settings.json",
    ".claude/settings.toml": ".claude/settings.json",
    ".claude/settings.yaml": ".claude/settings.json",
    ".claude/settings.local": ".claude/settings.local.json",
    ".claude/settings-local.json": ".claude/settings.local.json",
    ".claude/local.settings.json": ".claude/settings.local.json",
    ".claude/hooks/settings.json": ".claude/settings.json",
    ".wave/hooks.json": ".wave/settings.json",
    ".wave/setting.json": ".wave/settings.json",
    ".wave/settings.jsonc": ".wave/settings.json",
    ".wave/settings-local.json": ".wave/settings.local.json",
    "claude/settings.json": ".claude/settings.json",
    "wave/settings.json": ".wave/settings.json",
    ".snaphook.toml": NATIVE,
    ".snaphook/snaphook.toml": NATIVE,
    ".config/snaphook.toml": NATIVE,
    "snaphook.tml": NATIVE,
    "snaphooks.toml": NATIVE,
    "snaphook.json": NATIVE,
    "snaphook.yaml": NATIVE,
    "snaphook.yml": NATIVE,
    "snaphook-local.toml": "snaphook.local.toml",
}
_USERS = (".claude/", ".wave/")


def misplaced_files(around: Environment, root: Path, file: Path | None) -> Iterator[Problem]:
    """Yield a problem for each file that looks like settings and is not where they are read."""
    for wrong, right in _WRONG.items():
        if (root / wrong).is_file() and (file is None or file.samefile(root / wrong)):
            yield _misplaced(root / wrong, root / right)
        if file is None and wrong.startswith(_USERS) and (around.home / wrong).is_file():
            yield _misplaced(around.home / wrong, around.home / right)


def _misplaced(wrong: Path, right: Path) -> Problem:
    return Problem(
        code="misplaced-file",
        level=ProblemLevel.ERROR,
        file=str(wrong),
        pointer=(),
        line=1,
        column=1,
        what="this file is not read",
        fix=f"Move it to {right}.",
        tolerable=True,
    )
