"""Tool and argument names, a host's on one side, ours on the other.

create(path=…, file_text=…)  <->  Write(file_path=…, content=…)

Ours are the ones most rules are written in: ``Bash.command``, ``Read.file_path``,
``Write.content``, ``Edit.old_string``, ``mcp__server__tool``. A patch is an ``Edit`` with ``patch``
and ``file_paths``.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field


class HostTool(Struct, frozen=True):
    """One tool of a host: our name for it, and our names for its arguments where they differ."""

    name: str
    args: Mapping[str, str] = field(default_factory=dict)
    """The host's word to ours."""
    patch: bool = False
    """It takes a patch (``patch``), so we look up which files that touches."""
    commands: str = ""
    """The host's argument that holds several commands, run one after the other."""


class ToolNames(Struct, frozen=True):
    """The tools of a host that have another name with us."""

    tools: Mapping[str, HostTool] = field(default_factory=dict)
    mcp: tuple[str, str] | None = None
    """What stands before the server and between server and tool, such as ``("mcp_", "_")``."""
    others: frozenset[str] = frozenset()
    """Further tools of the host that are known and have no counterpart with us."""

    def knows(self, tool: str) -> bool:
        """Say whether *tool* is one we have seen in this host, or one of ours, or a server's."""
        known = tool in self.tools or tool in self.others or tool in OURS
        return known or tool.startswith("mcp__") or self._mcp(tool) is not None

    def ours(self, tool: str, args: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return our name and arguments for the host's *tool*; a strange one keeps its own."""
        known = self.tools.get(tool)
        if known is None:
            return self._mcp(tool) or tool, dict(args)
        ours = _renamed(args, known.args)
        if known.commands:
            ours = _joined(ours, known.commands)
        return known.name, ours | files_of(ours.get("patch")) if known.patch else ours

    def theirs(self, tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return our *args* in the words that the host's *tool* takes."""
        known = self.tools.get(tool)
        if known is None:
            return dict(args)
        if known.patch:
            args = {key: value for key, value in args.items() if key not in _FILES}
        if known.commands and "command" in args:
            rest = {key: value for key, value in args.items() if key != "command"}
            args = rest | {known.commands: [args["command"]]}
        return _renamed(args, {ours: theirs for theirs, ours in known.args.items()})

    def _mcp(self, tool: str) -> str | None:
        if self.mcp is None:
            return None
        before, between = self.mcp
        if not tool.startswith(before) or tool.startswith("mcp__"):
            return None
        server, _, name = tool.removeprefix(before).partition(between)
        return f"mcp__{server}__{name}" if server and name else None


OURS = frozenset(
    {
        "Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode", "ExitPlanMode",
        "Glob", "Grep", "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "PowerShell", "Read",
        "Skill", "TaskOutput", "TaskStop", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch",
        "Write",
    }
)  # fmt: skip
"""Our own names of tools, which are Claude Code's."""
_FILES = ("file_path", "file_paths")
_HEADINGS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def files_of(patch: object) -> dict[str, Any]:
    """Return the files a patch touches, so that rules about paths see them.

    The first one stands where an edit has its path; all of them are in ``file_paths``.
    """
    if not isinstance(patch, str):
        return {}
    paths = [
        line.removeprefix(heading).strip()
        for line in patch.splitlines()
        for heading in _HEADINGS
        if line.startswith(heading)
    ]
    return {"file_path": paths[0], "file_paths": paths} if paths else {}


def _joined(args: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return *args* with the commands under *name* as one script, each on a line of its own.

    What is not a list of strings stays where it is: rules then judge it by what it looks like.
    """
    given = args.get(name)
    commands = [given] if isinstance(given, str) else given
    if not isinstance(commands, list) or not all(isinstance(one, str) for one in commands):
        return dict(args)
    rest = {key: value for key, value in args.items() if key != name}
    return rest | {"command": "\n".join(commands)}


def _renamed(args: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    if not names:
        return dict(args)
    return {names.get(key, key): value for key, value in args.items()}
