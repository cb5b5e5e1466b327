"""Where a result came from.

tool, arguments, facts of the command  ->  Origin: how far it is trusted, and its address

``[provenance.sources]`` decides first; then what is known of the tool, of the programs a command runs,
and of the path a file lies at.
"""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from snaphook.shell.facts import Call
from snaphook.shell.understood import Understood
from snaphook.stores.provenance.entries import Trust
from snaphook.stores.provenance.session import Session

from .tools import ToolClass, class_of
from .values import leaves

_SHELLS_TEXT = """
    Bash Shell bash shell exec run_shell_command local_shell PowerShell powershell pwsh
    BashOutput
"""
SHELLS = frozenset(_SHELLS_TEXT.split())
FILES = frozenset(["Read", "NotebookRead", "Grep", "Glob", "LS"])
WRITERS = frozenset(["Write", "Edit", "MultiEdit", "NotebookEdit"])
_OWN_TEXT = """
    TodoWrite TodoRead Task Agent ExitPlanMode EnterPlanMode AskUserQuestion Skill ToolSearch
    KillShell KillBash TaskOutput TaskCreate TaskUpdate TaskList TaskGet SlashCommand
    ListMcpResources update_plan write_todos save_memory
"""
OWN = frozenset(_OWN_TEXT.split())
"""Tools whose results are the agent's own, or were read already where they were made."""
_FETCHERS_TEXT = """
    curl wget wget2 curlie http https httpie xh fetch lynx w3m links elinks aria2c axel
    lwp-request lwp-download nc ncat netcat telnet ftp sftp scp rsync tftp gsutil s3cmd s5cmd
    rclone ssh mosh mutt mail mailx himalaya neomutt notmuch slack-cli irssi
"""
_FETCHERS = frozenset(_FETCHERS_TEXT.split())
_REMOTE_TEXT: Mapping[str, frozenset[str]] = {
    "gh": frozenset(
        [
            "issue",
            "pr",
            "api",
            "gist",
            "release",
            "search",
            "discussion",
            "run",
            "repo",
            "browse",
            "project",
        ]
    ),
    "glab": frozenset(["issue", "mr", "api", "snippet", "release", "repo", "ci"]),
    "hub": frozenset(["issue", "pr", "api", "gist", "release"]),
    "tea": frozenset(["issues", "pulls", "releases"]),
    "jira": frozenset(["issue", "epic", "sprint", "view", "list", "me"]),
    "linear": frozenset(["issue", "view", "list"]),
    "npm": frozenset(["view", "info", "show", "search", "v", "docs"]),
    "pnpm": frozenset(["view", "info"]),
    "yarn": frozenset(["info", "npm"]),
    "pip": frozenset(["download", "show", "search", "index"]),
    "pip3": frozenset(["download", "show", "search", "index"]),
    "cargo": frozenset(["info", "search"]),
    "gem": frozenset(["info", "search", "specification"]),
    "git": frozenset(["clone", "fetch", "pull", "ls-remote"]),
    "docker": frozenset(["pull", "search"]),
    "aws": frozenset(["s3", "s3api", "logs"]),
    "gcloud": frozenset(["storage", "logging"]),
    "az": frozenset(["storage"]),
    "kubectl": frozenset(["logs", "cp"]),
    "sentry-cli": frozenset(["events", "issues"]),
    "stripe": frozenset(["get", "list"]),
}
_FOREIGN = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|dist-packages|bower_components|vendor|third[-_]party|"
    r"\.venv|venv|Pods|"
    r"\.cargo/registry|\.m2/repository|\.gradle/caches|go/pkg/mod|\.npm|\.cache|Downloads|"
    r"\.yarn/cache|\.bundle|"
    r"\.terraform|jspm_packages|\.pnpm-store)(?:/|$)"
)
_ADDRESSES = (
    "url",
    "uri",
    "href",
    "link",
    "address",
    "file_path",
    "path",
    "query",
    "q",
    "id",
    "name",
)


class Origin(Struct, frozen=True, kw_only=True):
    """How far a result is trusted, and where it came from."""

    trust: Trust
    address: str = ""
    chosen: bool = False
    """The settings say so."""
    number: int = 0
    """The call that first brought it in, where it was read again from a file."""


def origin_of(
    tool: str,
    args: Mapping[str, Any],
    reading: Understood | None,
    session: Session,
    *,
    table: Mapping[str, str],
    project: str,
) -> Origin:
    """Return where the result of a call came from."""
    address = address_of(args, reading)
    chosen = _chosen(tool, address, table)
    if chosen is not None:
        return Origin(trust=chosen, address=address, chosen=True)
    if tool in SHELLS or reading is not None:
        return _of_command(reading, session, project)
    if tool in FILES:
        return _of_path(address, session, project)
    if tool in WRITERS or tool in OWN:
        return Origin(trust=Trust.LOCAL, address=address)
    return Origin(trust=Trust.OUTSIDE, address=address)


def address_of(args: Mapping[str, Any], reading: Understood | None) -> str:
    """Return what a call reads: a URL, a path, a query, a command."""
    if reading is not None:
        return next((call_text(call) for call in reading.calls if _fetches(call)), "")
    for name in _ADDRESSES:
        if isinstance(value := args.get(name), str) and value:
            return value
    return next((text for _, text in leaves(args)), "")[:300]


def call_text(call: Call) -> str:
    """Return a call as one line."""
    return " ".join([call.program, *(arg.text for arg in call.args)])[:300]


def _chosen(tool: str, address: str, table: Mapping[str, str]) -> Trust | None:
    """Return what the settings say: ``mcp__docs__*`` or ``WebFetch(https://intranet/*)``."""
    for shape, trust in table.items():
        name, found, rest = shape.partition("(")
        if fnmatchcase(tool, name) and (not found or fnmatchcase(address, rest.removesuffix(")"))):
            return Trust(trust)
    return None


def _of_command(reading: Understood | None, session: Session, project: str) -> Origin:
    if reading is None:
        return Origin(trust=Trust.LOCAL)
    for call in reading.calls:
        if call.sure and _fetches(call):
            return Origin(trust=Trust.OUTSIDE, address=call_text(call))
    for effect in reading.effects:
        if effect.act.name == "FETCH" and effect.call.sure:
            return Origin(trust=Trust.OUTSIDE, address=effect.detail or call_text(effect.call))
    for path in paths_read(reading):
        found = _of_path(path, session, project)
        if found.trust is Trust.OUTSIDE:
            return found
    return Origin(trust=Trust.LOCAL)


def paths_read(reading: Understood) -> Iterator[str]:
    """Yield the files that a command shows."""
    for effect in reading.effects:
        if effect.act.name == "READ" and effect.path:
            yield effect.path


def _fetches(call: Call) -> bool:
    if call.program in _FETCHERS:
        return True
    wanted = _REMOTE_TEXT.get(call.program)
    return wanted is not None and call.subcommand in wanted


def _of_path(path: str, session: Session, project: str) -> Origin:
    """Return how far the file at *path* is trusted."""
    if not path:
        return Origin(trust=Trust.LOCAL)
    full = path if path.startswith("/") else f"{project}/{path}"
    written = session.file(full)
    if written is not None:
        first = session.source(written.number)
        origin = f"{path} (from {first.address or first.tool})" if first else path
        return Origin(trust=Trust.OUTSIDE, address=origin, number=written.number)
    inside = full.startswith(f"{project}/") if project else False
    if _FOREIGN.search(full.removeprefix(project) if inside else full):
        return Origin(trust=Trust.OUTSIDE, address=path)
    if inside:
        return Origin(trust=Trust.PROJECT, address=path)
    return Origin(trust=Trust.LOCAL, address=path)


def is_reader(tool: str) -> bool:
    """Say whether *tool* only reads."""
    return tool in FILES or tool in ("WebFetch", "WebSearch") or class_of(tool) is ToolClass.READ
