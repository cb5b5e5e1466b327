"""The claude dialect's ``if``: a permission rule that filters a tool's arguments.

``Bash(git *)``  ``Edit(*.ts)``  ``WebFetch(domain:example.com)``  ->  Condition

A filter decides whether a hook is asked, so in doubt it holds: a shell command we cannot
take apart is one the hook should see.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from snaphook import canon
from snaphook.errors import ConfigError

from .globs import glob_regex, path_regex
from .matchers import Matcher
from .shell import simple_commands

EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
READS = frozenset({"Read", "Grep", "Glob", "LS", "NotebookRead"})
SHELLS = frozenset({"Bash", "PowerShell"})

_RULE = re.compile(r"(?P<tool>[\w*\-]+)(?:\((?P<what>.*)\))?", re.DOTALL)
_GROUPS = {"Edit": EDITS, "Read": READS, "Write": EDITS}
_PATH_KEYS = ("file_path", "notebook_path", "path")

Test = Callable[[canon.ToolEvent], bool]


class Condition(Struct, frozen=True):
    """A compiled rule: which tools, and what their arguments must look like."""

    tools: Matcher
    test: Test | None
    """``None`` holds for any arguments."""

    def holds(self, event: canon.Event) -> bool:
        """Say whether *event* is a tool's, and that tool's, and its arguments are as the rule says."""
        return (
            isinstance(event, canon.ToolEvent)
            and self.tools.matches(event.tool_name)
            and (self.test is None or self.test(event))
        )


def compile_condition(rule: str, *, where: str = "if") -> Condition:
    """Return the condition that *rule* spells, or raise ConfigError at *where*."""
    parsed = _RULE.fullmatch(rule.strip())
    if parsed is None:
        raise ConfigError(
            where=where,
            what=f"'{rule}' is no rule about a tool",
            fix="Write Tool or Tool(what), such as Bash(git *) or Edit(*.ts).",
        )
    tool, what = parsed["tool"], (parsed["what"] or "").strip()
    return Condition(_tools(tool), None if what in ("", "*") else _test(tool, what, where))


def _tools(tool: str) -> Matcher:
    if tool.startswith("mcp__"):
        whole_server = "" if tool.count("__") > 1 else "(?:__.*)?"
        return Matcher(patterns=(re.compile(rf"\A{glob_regex(tool)}{whole_server}\Z"),))
    if "*" in tool:
        return Matcher(patterns=(re.compile(rf"\A{glob_regex(tool)}\Z"),))
    return Matcher(names=_GROUPS.get(tool, frozenset({tool})))


def _test(tool: str, what: str, where: str) -> Test:
    try:
        if tool in SHELLS:
            return _shell(what)
        if tool in EDITS | READS:
            return _path(what)
        if what.startswith("domain:"):
            return _domain(what.removeprefix("domain:"))
        return _any_text(what)
    except (ValueError, re.error) as error:
        raise ConfigError(
            where=where, what=f"'{tool}({what})': {error}", fix="Close its bracket."
        ) from error


def _shell(what: str) -> Test:
    """Hold if any of the commands in a line is the one meant; ``git *`` holds for bare ``git`` too."""
    what = re.sub(r":\*\Z", " *", what)
    optional = what.endswith(" *") and what.count("*") == 1
    stem, end = (what[:-2], r"(?:\s.*)?") if optional else (what, "")
    wanted = re.compile(rf"\A{'.*'.join(map(re.escape, stem.split('*')))}{end}\Z", re.DOTALL)

    def test(event: canon.ToolEvent) -> bool:
        line = event.tool_args.get("command")
        if not isinstance(line, str):
            return True
        if wanted.match(line.strip()):
            return True
        simple = simple_commands(line)
        return simple is None or any(wanted.match(command) for command in simple)

    return test


def _path(what: str) -> Test:
    """Read *what* as Claude Code does: ``//`` absolute, ``~/`` home, ``/`` project, else anywhere below."""
    prefix = next((sign for sign in ("//", "~/", "/", "./") if what.startswith(sign)), "")
    glob = what[len(prefix) :]
    wanted = path_regex(f"/{glob}" if prefix else glob)

    def test(event: canon.ToolEvent) -> bool:
        context = event.context
        cwd = context.cwd or context.team_root or "/"
        base = {"//": "/", "~/": os.path.expanduser("~"), "/": context.team_root or cwd}  # noqa: PTH111
        for path in _paths(event.tool_args):
            full = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118 - text, not the disk
            below = os.path.relpath(full, base.get(prefix, cwd))
            if not below.startswith("../") and wanted.match(below):
                return True
        return False

    return test


def _paths(args: Mapping[str, Any]) -> Iterator[str]:
    return (value for key in _PATH_KEYS if isinstance(value := args.get(key), str))


def _domain(name: str) -> Test:
    from urllib.parse import urlsplit  # few settings need it

    wanted = re.compile(rf"\A{glob_regex(name)}\Z", re.IGNORECASE)

    def test(event: canon.ToolEvent) -> bool:
        url = event.tool_args.get("url")
        host = urlsplit(url).hostname if isinstance(url, str) else None
        return host is None or wanted.match(host) is not None

    return test


def _any_text(what: str) -> Test:
    wanted = re.compile(rf"\A{glob_regex(what)}\Z", re.DOTALL)

    def test(event: canon.ToolEvent) -> bool:
        return any(
            isinstance(value, str) and wanted.match(value) for value in event.tool_args.values()
        )

    return test
