"""The claude dialect's ``if``: a permission rule that filters a tool's arguments.

``Bash(git *)``  ``Edit(*.ts)``  ``WebFetch(domain:example.com)``  ->  Condition

Two directions. A filter decides whether a hook is asked, and a deny list what is refused: one
command of a line is enough, and in doubt the rule holds. An allow list is the reverse, see
`config.allowlist`: every command must be covered, and what cannot be taken apart never is.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from snaphook import canon
from snaphook.errors import ConfigError
from snaphook.shell.patterns import Searches, glob_pattern
from snaphook.shell.written import written_commands

from .commandline import CommandReader
from .globs import glob_regex, path_regex
from .matchers import Matcher

EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
READS = frozenset({"Read", "Grep", "Glob", "LS", "NotebookRead"})
SHELLS = frozenset({"Bash", "PowerShell"})

_RULE = re.compile(r"(?P<tool>[\w*\-]+)(?:\((?P<what>.*)\))?", re.DOTALL)
_GROUPS = {"Edit": EDITS, "Read": READS, "Write": EDITS}
_PATH_KEYS = ("file_path", "notebook_path", "path")
_NAME_KEYS = {
    "Agent": ("subagent_type",),
    "Task": ("subagent_type",),
    "Skill": ("skill", "command"),
}
"""The argument that a rule such as ``Agent(Explore)`` speaks about; the rest is free text."""

Test = Callable[[canon.ToolEvent], bool]


class Condition(Struct, frozen=True):
    """A compiled rule: which tools, and what their arguments must look like."""

    tools: Matcher
    test: Test | None
    """``None`` holds for any arguments."""
    covers: Test | None = None
    """The same question for an allow list, where doubt means no. Not for shell commands."""
    command: Searches | None = None
    """Which commands a rule about a shell tool means."""
    literal: str = ""
    """What such a command begins with, up to the first ``*``."""

    def holds(self, event: canon.Event, read: CommandReader | None = None) -> bool:
        """Say whether *event* is a tool's, and that tool's, and its arguments are as the rule says.

        *read* also finds the commands behind wrappers, variables and quotes.
        """
        return (
            isinstance(event, canon.ToolEvent)
            and self.tools.matches(event.tool_name)
            and (self.test is None or self.test(event) or self._runs_one(event, read))
        )

    def _runs_one(self, event: canon.ToolEvent, read: CommandReader | None) -> bool:
        if self.command is None or read is None:
            return False
        line = read(event)
        return not line.complete or any(
            self.command.match(text) for one in line.commands for text in (one.text, *one.spellings)
        )


def compile_condition(rule: str, *, where: str = "if") -> Condition:
    """Return the condition that *rule* spells, or raise ConfigError at *where*."""
    parsed = _RULE.fullmatch(rule.strip())
    if parsed is None:
        raise ConfigError(
            where=where,
            what=f"invalid tool rule '{rule}'",
            fix="Use Tool or Tool(pattern), such as Bash(git *) or Edit(*.ts).",
        )
    tool, what = parsed["tool"], (parsed["what"] or "").strip()
    if what in ("", "*"):
        return Condition(_tools(tool), None)
    if tool in SHELLS:
        command, literal = _command(what)
        return Condition(_tools(tool), _any_command(command), command=command, literal=literal)
    test, covers = _tests(tool, what, where)
    return Condition(_tools(tool), test, covers)


def _tools(tool: str) -> Matcher:
    if tool.startswith("mcp__"):
        whole_server = "" if tool.count("__") > 1 else "(?:__.*)?"
        return Matcher(patterns=(glob_pattern(rf"\A{glob_regex(tool)}{whole_server}\Z"),))
    if "*" in tool:
        return Matcher(patterns=(glob_pattern(rf"\A{glob_regex(tool)}\Z"),))
    return Matcher(names=_GROUPS.get(tool, frozenset({tool})))


def _tests(tool: str, what: str, where: str) -> tuple[Test, Test]:
    """Return the question a filter asks, and the one an allow list asks."""
    try:
        if tool in EDITS | READS:
            return _path(what, every=False), _path(what, every=True)
        if what.startswith("domain:"):
            name = what.removeprefix("domain:")
            return _domain(name, unknown=True), _domain(name, unknown=False)
        return _text(what, every=False), _text(what, every=True)
    except (ValueError, re.error) as error:
        raise ConfigError(
            where=where, what=f"'{tool}({what})': {error}", fix="Close the bracket."
        ) from error


def _command(what: str) -> tuple[Searches, str]:
    """Return the commands that *what* means; ``git *`` means bare ``git`` too."""
    what = re.sub(r":\*\Z", " *", what)
    optional = what.endswith(" *") and what.count("*") == 1
    stem, end = (what[:-2], r"(?:\s.*)?") if optional else (what, "")
    source = ".*".join(map(re.escape, stem.split("*")))
    return glob_pattern(rf"\A{source}{end}\Z", dotall=True), stem.partition("*")[0]


def _any_command(wanted: Searches) -> Test:
    """Hold if the line, or any of the commands in it, is one that is *wanted*."""

    def test(event: canon.ToolEvent) -> bool:
        line = event.tool_args.get("command")
        if not isinstance(line, str):
            return True
        if wanted.match(line.strip()):
            return True
        simple, whole = written_commands(line)
        return not whole or any(wanted.match(" ".join(words)) for words in simple)

    return test


def _path(what: str, *, every: bool) -> Test:
    """Read *what* as Claude Code does: ``//`` absolute, ``~/`` home, ``/`` project, else anywhere below.

    Where *every* path must fit, the place that links lead to must fit as well.
    """
    prefix = next((sign for sign in ("//", "~/", "/", "./") if what.startswith(sign)), "")
    glob = what[len(prefix) :]
    wanted = path_regex(f"/{glob}" if prefix else glob)

    def fits(full: str, base: str) -> bool:
        below = os.path.relpath(full, base)
        return below.split("/")[0] != ".." and wanted.match(below) is not None

    def test(event: canon.ToolEvent) -> bool:
        context = event.context
        cwd = context.cwd or context.team_root or "/"
        bases = {"//": "/", "~/": os.path.expanduser("~"), "/": context.team_root or cwd}  # noqa: PTH111
        base = bases.get(prefix, cwd)
        fulls = [os.path.normpath(os.path.join(cwd, path)) for path in _paths(event.tool_args)]  # noqa: PTH118 - text, not the disk
        if not every:
            return any(fits(full, base) for full in fulls)
        # A link inside an allowed folder may lead out of it, so the allow list asks the disk.
        real = os.path.realpath(base)
        return bool(fulls) and all(
            fits(full, base) and fits(os.path.realpath(full), real) for full in fulls
        )

    return test


def _paths(args: Mapping[str, Any]) -> Iterator[str]:
    return (value for key in _PATH_KEYS if isinstance(value := args.get(key), str))


def _domain(name: str, *, unknown: bool) -> Test:
    """Compare the host of the address; *unknown* is the answer where it has none."""
    from urllib.parse import urlsplit  # few settings need it

    wanted = glob_pattern(rf"\A{glob_regex(name)}\Z", fold=True)

    def test(event: canon.ToolEvent) -> bool:
        url = event.tool_args.get("url")
        try:
            host = urlsplit(url).hostname if isinstance(url, str) else None
        except ValueError:  # "http://[": no address at all
            host = None
        return unknown if host is None else wanted.match(host) is not None

    return test


def _text(what: str, *, every: bool) -> Test:
    """Compare the texts among the arguments; for a subagent or a skill, its name alone."""
    wanted = glob_pattern(rf"\A{glob_regex(what)}\Z", dotall=True)

    def test(event: canon.ToolEvent) -> bool:
        args = event.tool_args
        named = [args[key] for key in _NAME_KEYS.get(event.tool_name, ()) if key in args]
        texts = [
            one for one in (named if every and named else args.values()) if isinstance(one, str)
        ]
        fitting = (wanted.match(text) is not None for text in texts)
        return bool(texts) and all(fitting) if every else any(fitting)

    return test
