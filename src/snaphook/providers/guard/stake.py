"""What a stopped call would cost: files, their size, commits, and what git does not have.

Judgement + disk  ->  "deletes 214 files (3.1 MB), 12 of them not in git"

Asked only about calls that are stopped. Bounded: a person waits for the answer, so what is not
counted within the time is told as "at least".
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Iterator
from time import perf_counter, time

from msgspec import Struct

from snaphook.providers.guard.judgement import Judgement
from snaphook.shell.facts import Act, Call
from snaphook.shell.text import UNKNOWN, has_glob, plain
from snaphook.shell.tracked import Index, located

SECONDS = 0.005
"""For all of it. A scan of some 3,000 files takes that long on an ordinary disk."""
_MOST_NAMED = 3
_DAY = 86_400
_OVERWRITES = (Act.OVERWRITE, Act.WRITE)


class Counted(Struct, kw_only=True):
    """What is in the files to be deleted, as far as it was counted."""

    files: int = 0
    size: int = 0
    untracked: int = 0
    in_git: bool = False
    cut: bool = False


def stake(judgement: Judgement, project: str, *, seconds: float = SECONDS) -> tuple[str, ...]:
    """Return what the call would cost, a phrase for each kind of loss; nothing where none is known."""
    end = perf_counter() + seconds
    told = [_deleted(judgement, end), *_overwritten(judgement, project)]
    for call in judgement.calls:
        if call.program == "git":
            told += [_dropped(call, end), _discarded(call, end)]
    return tuple(dict.fromkeys(one for one in told if one))


def _deleted(judgement: Judgement, end: float) -> str:
    counted = Counted()
    seen: set[str] = set()
    for effect in judgement.effects:
        if effect.act is not Act.DELETE or not effect.path or UNKNOWN in effect.path:
            continue
        for path in _matching(effect.path):
            if path not in seen and not any(path.startswith(f"{one}/") for one in seen):
                seen.add(path)
                _count(path, counted, end)
    return _sentence(counted)


def _sentence(counted: Counted) -> str:
    if not counted.files:
        return "deletes files; there was no time to count them" if counted.cut else ""
    least = "at least " if counted.cut else ""
    files = f"{counted.files:,} file{'s' * (counted.files != 1)}"
    text = f"deletes {least}{files} ({_bytes(counted.size)})"
    if counted.in_git and counted.untracked:
        text += f", {least}{counted.untracked:,} of them not in git"
    return text


def _matching(path: str) -> Iterator[str]:
    """Yield what the glob in the last part of *path* matches, or *path* itself."""
    folder, _, name = path.rpartition("/")
    if not has_glob(path):
        yield path
        return
    if has_glob(folder):
        return  # the whole tree would have to be searched
    shape = plain(name)
    try:
        names = os.listdir(folder or "/")  # noqa: PTH208 - the hook path does without pathlib
    except OSError:
        return
    hidden = shape.startswith(".")
    for one in names:
        if fnmatch.fnmatchcase(one, shape) and (hidden or not one.startswith(".")):
            yield f"{folder}/{one}"


def _count(path: str, counted: Counted, end: float) -> None:
    """Add the files at and under *path*, until the time is over. Links are not followed."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return
    where = located(path)
    counted.in_git |= where is not None
    if not stat.S_ISDIR(found.st_mode):
        _add(found.st_size, _is_tracked(where, ""), counted)
        return
    folders = [(path, "")]
    while folders:
        folder, below = folders.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = f"{below}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        folders.append((entry.path, name))
                    else:
                        size = entry.stat(follow_symlinks=False).st_size
                        _add(size, _is_tracked(where, name), counted)
                    if perf_counter() > end:
                        counted.cut = True
                        return
        except OSError:
            counted.cut = True


def _is_tracked(where: tuple[Index, str] | None, below: str) -> bool:
    if where is None:
        return False
    index, name = where
    return index.get(f"{name}{below}".lstrip("/")) is not None


def _add(size: int, tracked: bool, counted: Counted) -> None:
    counted.files += 1
    counted.size += size
    counted.untracked += not tracked


def _bytes(size: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return ""


def _overwritten(judgement: Judgement, project: str) -> list[str]:
    told = []
    for effect in judgement.effects:
        if effect.act not in _OVERWRITES or UNKNOWN in effect.path or has_glob(effect.path):
            continue
        try:
            found = os.stat(effect.path)  # noqa: PTH116 - the hook path does without pathlib
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(found.st_mode):
            name = effect.path.removeprefix(f"{project}/")
            told.append(f"overwrites {name} (modified {_ago(time() - found.st_mtime)})")
    return told[:_MOST_NAMED]


def _ago(seconds: float) -> str:
    days = int(seconds // _DAY)
    if days < 1:
        return "today"
    return "yesterday" if days == 1 else f"{days} days ago"


def _dropped(call: Call, end: float) -> str:
    """Return how many commits a call leaves without a branch, a tag or a remote that has them."""
    words = [arg.text for arg in call.operands[1:] if arg.known]
    if call.subcommand == "reset" and call.has("--hard"):
        return _commits(call.cwd, "HEAD", words[0] if words else "HEAD", end)
    if call.subcommand == "branch" and call.has("-D", "-d", "--delete"):
        return _commits(call.cwd, words[0] if words else "", "", end)
    return ""


def _commits(cwd: str, tip: str, kept: str, end: float) -> str:
    import subprocess  # asked about few calls

    from snaphook.shell.safe_git import quiet_environment, safe_git

    if not tip or tip.startswith("-") or kept.startswith("-"):
        return ""
    git, env = safe_git(cwd), quiet_environment(os.environ.items())
    branch = tip if tip != "HEAD" else _branch(cwd)
    others = ["--not", *([kept] if kept else []), f"--exclude={branch}", "--branches"]
    words = [*git, "rev-list", "--count", tip, *others, "--remotes", "--tags"]
    try:
        left = max(0.001, end - perf_counter())
        done = subprocess.run(words, capture_output=True, timeout=left, check=True, env=env)
    except subprocess.TimeoutExpired:
        return "drops commits; there was no time to count the ones that exist nowhere else"
    except (OSError, subprocess.SubprocessError):
        return ""
    count = int(done.stdout or 0)
    if count == 1:
        return "drops 1 commit that exists nowhere else"
    return f"drops {count} commits that exist nowhere else" if count else ""


def _discarded(call: Call, end: float) -> str:
    """Return how many files lose changes that no commit has, or are untracked and would be deleted."""
    verb = call.subcommand
    cleans = verb == "clean"
    resets = verb in ("checkout", "restore") or (verb == "reset" and call.has("--hard"))
    if not cleans and not resets:
        return ""
    import subprocess  # asked about few calls

    from snaphook.shell.safe_git import quiet_environment, safe_git

    env = quiet_environment(os.environ.items())
    words = [*safe_git(call.cwd), "status", "--porcelain", "-z", "--untracked-files=all"]
    try:
        left = max(0.001, end - perf_counter())
        done = subprocess.run(words, capture_output=True, timeout=left, check=True, env=env)
    except (OSError, subprocess.SubprocessError):
        return ""  # too slow, or no repository: the rule says what is lost
    lines = [one for one in done.stdout.split(b"\0") if one]
    count = sum(one.startswith(b"??") == cleans for one in lines)
    if not count:
        return ""
    files = f"{count:,} file{'s' * (count != 1)}"
    return f"deletes up to {files} not in git" if cleans else f"discards changes to up to {files}"


def _branch(cwd: str) -> str:
    """Return the branch that is checked out, from the file that says so."""
    from snaphook.shell.repository import git_dir

    try:
        with open(f"{git_dir(cwd)}/HEAD", encoding="utf-8") as file:  # noqa: PTH123
            return file.read().strip().removeprefix("ref: refs/heads/")
    except OSError:
        return "HEAD"
