"""Call git so that nothing which a repository's own settings name is run.

folder  ->  the words before a git command

A repository may be a stranger's, with its ``.git/config``. There ``filter.*`` names programs that
``git status`` runs on every file, ``core.fsmonitor`` and hooks run beside it, and a partial clone may
fetch through any program. Every git call of ours begins with these words; a house test checks it.
"""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

SAFE = tuple(
    word
    for setting in (
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.pager=cat",
        "core.sshCommand=false",
        "core.gitProxy=",
        "core.askPass=",
        "core.editor=false",
        "core.alternateRefsCommand=",
        "credential.helper=",
        "diff.external=",
        "diff.ignoreSubmodules=dirty",  # git would run in them, with their settings
        "submodule.recurse=false",
        "gpg.program=false",
        "commit.gpgSign=false",
        "tag.gpgSign=false",
        "interactive.diffFilter=",
        "protocol.allow=never",
        "gc.auto=0",
        "maintenance.auto=false",
    )
    for word in ("-c", setting)
)
NOWHERE = ["--git-dir=/nonexistent"]
"""With this git fails before it reads a file: no answer is better than a stranger's program."""
_NAMES_PROGRAMS = (b"filter", b"include", b"textconv", b"[diff", b"[merge")
_SECONDS = 2.0


def safe_git(folder: str | Path, *, settings_of: str = "") -> list[str]:
    """Return ``git -C folder`` and the settings under which it runs no program of the repository.

    *settings_of* is the repository where that is another than *folder* lies in.
    """
    start = ["git", "--no-pager", "--no-optional-locks", "-C", str(folder)]
    return [*start, *SAFE, *_overridden(settings_of or str(folder))]


def approved_git() -> list[str]:
    """Return ``git`` as its user set it up, for work trees that were approved: commit hooks run."""
    return ["git", "--no-pager"]


def quiet_environment(env: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return *env* without what points git elsewhere or names programs for it."""
    kept = {name: value for name, value in env if not name.startswith("GIT_")}
    return kept | {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}


def _overridden(folder: str) -> list[str]:
    """Return settings that take the place of each program which the repository's own files name.

    They have names of the repository's choosing, so git is asked for them where its file, read as
    text, holds such a section; asking runs nothing.
    """
    if not _may_name_programs(folder):
        return []
    try:
        told = subprocess.run(
            ["git", "-C", folder, "config", "--show-scope", "--name-only", "--list", "-z"],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env=quiet_environment(os.environ.items()),
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return NOWHERE
    parts = told.decode(errors="surrogateescape").split("\0")
    found: list[str] = []
    for scope, name in zip(parts[::2], parts[1::2], strict=False):
        if scope in ("local", "worktree") and (put := _without_program(name)):
            if "=" in name:
                return NOWHERE  # -c would split it at the first of them, and override nothing
            found += put
    return found


def _without_program(name: str) -> list[str]:
    section, _, rest = name.partition(".")
    whose, _, key = rest.rpartition(".")
    if section == "filter" and key in ("clean", "smudge", "process"):
        return ["-c", f"{name}=", "-c", f"filter.{whose}.required=false"]
    if (section, key) in (("diff", "textconv"), ("diff", "command"), ("merge", "driver")):
        return ["-c", f"{name}="]
    return []


def _may_name_programs(folder: str) -> bool:
    for place in _config_files(folder):
        try:
            text = place.read_bytes().lower()
        except FileNotFoundError:
            continue
        except OSError:
            return True
        if any(sign in text for sign in _NAMES_PROGRAMS):
            return True
    return False


def _config_files(folder: str) -> list[Path]:
    """Return the settings of the repository that *folder* lies in."""
    for above in (Path(folder), *Path(folder).parents):
        git = above / ".git"
        if git.is_file():
            pointed = git.read_bytes().partition(b"gitdir:")[2].strip()
            git = above / os.fsdecode(pointed)
        elif not git.is_dir():
            git = above if (above / "HEAD").is_file() and (above / "objects").is_dir() else git
        if git.is_dir():
            shared = git / "commondir"
            common = git / shared.read_text().strip() if shared.is_file() else git
            return [common / "config", git / "config", git / "config.worktree"]
    return []
