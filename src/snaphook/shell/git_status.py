"""What git says about a work tree.

Repository + paths  ->  git status  ->  Unsaved

The repository may be a stranger's: nothing that its settings name is run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping

from snaphook.shell.repository import Repository, Unsaved, git_dir
from snaphook.shell.safe_git import safe_git

_SECONDS = 1.0
_LEADING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE")


def unsaved(
    where: Repository, paths: tuple[str, ...], env: Mapping[str, str], *, ignored: bool
) -> Unsaved | None:
    """Return what *where* holds that no commit does; nothing where git cannot tell."""
    if not where.git_dir and git_dir(where.cwd) is None:
        return None
    words = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"]
    words += ["--ignored"] if ignored else []
    words += ["--", *paths] if paths else []
    try:
        told = subprocess.run(
            [*safe_git(where.cwd, settings_of=where.git_dir), *_pointers(where), *words],
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            env={name: value for name, value in env.items() if name not in _LEADING},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return _read(told.stdout)


def _pointers(where: Repository) -> list[str]:
    """Return the options that name the repository, where the call named it."""
    named = [f"--git-dir={where.git_dir}"] if where.git_dir else []
    return [*named, f"--work-tree={where.work_tree}"] if where.work_tree else named


def _read(output: bytes) -> Unsaved:
    """Sort the entries of `git status --porcelain -z`: two letters, a blank, a path."""
    kinds = {entry[:2] for entry in output.split(b"\0") if entry[2:3] == b" "}
    return Unsaved(
        tracked=bool(kinds - {b"??", b"!!"}), untracked=b"??" in kinds, ignored=b"!!" in kinds
    )
