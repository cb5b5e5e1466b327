"""What the project itself names, looked up when a call would otherwise be asked about.

value  ->  does a tracked file name it?

Asked rarely, so it may cost a process: ``git grep`` over the last commit, where what an agent wrote
since is not in. Files written from outside text in this session do not vouch for anything.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from snaphook.shell.safe_git import safe_git

SECONDS = 1.0
MOST_FILES = 400
MOST_BYTES = 512 * 1024
MOST_SENT = 1 << 20
Tainted = Callable[[str], bool]
"""Whether a file was written from a text from outside."""


def project_names(value: str, root: str, tainted: Tainted) -> bool:
    """Say whether a tracked file of the project at *root* names *value*."""
    if len(value) < 3 or not root or not os.path.isdir(root):  # noqa: PTH112
        return False
    if value in _remotes(root):
        return True
    found = _git_grep(value, root)
    if found is None:
        found = _walked(value, root)
    return any(not tainted(os.path.join(root, path)) for path in found)  # noqa: PTH118


def _remotes(root: str) -> str:
    """Return the repository's own settings: its remotes were added by people, or asked about."""
    try:
        return Path(root, ".git", "config").read_text(errors="replace")[:65_536]
    except OSError:
        return ""


def outgoing_of(folder: str) -> str:
    """Return the lines that commits of the repository at *folder* add and no remote has yet.

    Asked only about a push in a session that has read a secret. A removal in a later commit changes
    nothing: the commit before is pushed, too.
    """
    words = [*safe_git(folder), "log", "--patch", "--unified=0", "--no-color", "--no-ext-diff"]
    words += ["--no-textconv", f"--max-count={MOST_COMMITS}", "--branches", "--tags", "HEAD"]
    words += ["--not", "--remotes"]
    try:
        done = subprocess.run(words, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = done.stdout[:MOST_SENT].decode("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if line[:1] in ("+", " "))  # a message is indented


MOST_COMMITS = 200


def _git_grep(value: str, root: str) -> list[str] | None:
    if not os.path.lexists(os.path.join(root, ".git")):  # noqa: PTH118
        return None
    words = [
        *safe_git(root),
        "grep",
        "-I",
        "-l",
        "-i",
        "-F",
    ]
    words += ["--no-textconv", "--max-depth", "12", "-e", value, "HEAD", "--"]
    words += [f":!{name}" for name in ("node_modules", "vendor", "third_party", "*.min.js")]
    try:
        done = subprocess.run(words, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode > 1:  # no commit yet, or a broken repository
        return None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return [line.partition(":")[2] for line in lines]


def _walked(value: str, root: str) -> list[str]:
    """Return the files of a project without commits that name *value*, the nearest first."""
    wanted = value.lower().encode("utf-8", "surrogatepass")
    found: list[str] = []
    seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if name[0] != "." and name not in ("node_modules", "vendor", "venv")
        ]
        for name in files:
            seen += 1
            if seen > MOST_FILES:
                return found
            path = os.path.join(folder, name)  # noqa: PTH118
            if _holds(Path(path), wanted):
                found.append(os.path.relpath(path, root))
    return found


def _holds(file: Path, wanted: bytes) -> bool:
    try:
        return file.stat().st_size <= MOST_BYTES and wanted in file.read_bytes().lower()
    except OSError:
        return False


def content_of(path: str) -> str | None:
    """Return the text of a file that would be sent; nothing where there is none."""
    try:
        return Path(path).read_bytes()[:MOST_SENT].decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
