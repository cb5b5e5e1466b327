"""Which repository a folder belongs to, wherever it was cloned.

folder  ->  github.com/owner/name  |  root:<first commit>  |  the folder itself

Memories and reports of one repository belong together on every machine and in every worktree. No
program is run: the remote is read from ``.git/config``, and without a remote the first commit from
the reflog.
"""

import re
from functools import lru_cache
from pathlib import Path

_REMOTE = re.compile(r'^\s*\[remote "(?P<name>[^"]+)"\]')
_SECTION = re.compile(r"^\s*\[")
_URL = re.compile(r"^\s*url\s*=\s*(?P<url>.+?)\s*$")
_SCP = re.compile(r"^(?:[\w.+-]+@)?(?P<host>[\w.-]+):(?!/)(?P<path>.+)$")
_WEB = re.compile(
    r"^[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+)?/(?P<path>.+)$", re.IGNORECASE
)
_NOBODY = "0" * 40
FOLLOWED = 4
"""So many clones of clones are followed to the first one."""


def repository_of(folder: str | Path) -> str:
    """Return the name of the repository that *folder* is the root of, or lies in.

    A folder below the root of its repository is a part of it: ``github.com/owner/name#packages/web``.
    """
    return _identified(str(folder), FOLLOWED)


@lru_cache(maxsize=512)
def _identified(folder: str, left: int) -> str:
    start = Path(folder)
    top = next((each for each in (start, *start.parents) if (each / ".git").exists()), None)
    git = _git_folder(top) if top is not None else None
    if top is None or git is None or not folder:
        return folder
    named = _by_remote(git, left) or _by_first_commit(git)
    if not named:
        return folder
    below = start.relative_to(top).as_posix()
    return named if below == "." else f"{named}#{below}"


def _git_folder(top: Path) -> Path | None:
    """Return the folder that all worktrees of the repository share."""
    try:
        git = top / ".git"
        if git.is_file():
            git = (top / git.read_text("utf-8").partition("gitdir:")[2].strip()).resolve()
        common = git / "commondir"
        return (git / common.read_text("utf-8").strip()).resolve() if common.is_file() else git
    except (OSError, UnicodeDecodeError):
        return None


def _by_remote(git: Path, left: int) -> str:
    remotes = _remotes(git)
    for name in ("origin", *sorted(remotes)):
        if url := remotes.get(name):
            return _named(url, git, left)
    return ""


def _remotes(git: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    current = ""
    try:
        lines = (git / "config").read_text("utf-8", "replace").splitlines()
    except OSError:
        return found
    for line in lines:
        if remote := _REMOTE.match(line):
            current = remote["name"]
        elif _SECTION.match(line):
            current = ""
        elif current and (url := _URL.match(line)):
            found.setdefault(current, url["url"])
    return found


def _named(url: str, git: Path, left: int) -> str:
    """Return the name of the repository at *url*: the same for https, ssh and scp, without who asks."""
    if url.startswith("file://"):
        url = url.removeprefix("file://")
    shape = _WEB.match(url) or (None if url.startswith(("/", ".")) else _SCP.match(url))
    if shape:
        path = shape["path"].strip("/").removesuffix(".git").strip("/")
        return f"{shape['host'].lower()}/{path}"
    source = (git.parent / url).resolve()
    known = _identified(str(source), left - 1) if left and source.exists() else ""
    return known or str(source)


def _by_first_commit(git: Path) -> str:
    """Return the first commit that was made here, where the reflog goes back so far."""
    try:
        with (git / "logs" / "HEAD").open(encoding="utf-8", errors="replace") as lines:
            first = lines.readline().split(" ")
    except OSError:
        return ""
    begun = len(first) > 1 and first[0] == _NOBODY and len(first[1]) == len(_NOBODY)
    return f"root:{first[1]}" if begun else ""
