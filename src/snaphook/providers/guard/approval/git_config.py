"""Whether a repository's own settings make git run programs.

folder  ->  the setting that does, or nothing

`git status` runs core.fsmonitor, `git diff` runs textconv and filters, and all of these may stand in
.git/config. A clone brings none of them along, but an unpacked archive or an earlier command may
have put them there. The user's own ~/.gitconfig is not looked at: whoever wrote that is asked for
approval anyway.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from snaphook.lazy import regex
from snaphook.shell.repository import common_dir, git_dir

_RUNS = regex(
    r"^\s*(fsmonitor|external|textconv|command|clean|smudge|process|program|hookspath|sshcommand"
    r"|pager|editor|askpass|worktree|driver)\s*=|^\s*\[\s*(include|includeif|alias|filter|pager)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LFS = regex(
    r'^\s*\[filter "lfs"\]\s*\n(?:\s+(?:clean|smudge|process|required)\s*=.*\n?)*', re.MULTILINE
)
"""git-lfs writes this section itself; it names the program git-lfs only."""
_LFS_PROGRAM = regex(r"=\s*(?:git-lfs\s|true)")
_LONGEST = 65_536


def runs_programs(cwd: str) -> str:
    """Return the setting of the repository around *cwd* that names a program; else nothing."""
    found = git_dir(cwd)
    if not found:
        return ""
    shared = common_dir(found)
    places = {f"{shared}/config", f"{found}/config.worktree"}
    return next((told for place in sorted(places) if (told := _of_file(place))), "")


def _of_file(path: str) -> str:
    try:
        seen = os.stat(path)  # noqa: PTH116 - no pathlib on this path
    except (OSError, ValueError):
        return ""
    return _read(path, seen.st_mtime_ns, seen.st_size, seen.st_ino)


@lru_cache(maxsize=128)
def _read(path: str, _time: int, size: int, _inode: int) -> str:
    """Return the first such setting of a file; the stamp makes a changed file be read again."""
    if size > _LONGEST:
        return "a config file too long to read"
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - no pathlib on this path
            text = file.read()
    except OSError:
        return "a config file that cannot be read"
    text = _LFS.sub(_without_lfs, text)
    line = _RUNS.search(text)
    return line[0].strip(" \t\n=[") if line else ""


def _without_lfs(section: re.Match[str]) -> str:
    lines = section[0].splitlines()[1:]
    return "" if all(_LFS_PROGRAM.search(line) for line in lines if line.strip()) else section[0]
