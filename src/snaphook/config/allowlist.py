"""Allow lists: whether rules cover a whole tool call.

``git status; rm -rf src``  against  ``Bash(git status*)``  ->  no

Every simple command of a shell line must be covered by some rule, and every file that a redirection
writes by an ``Edit`` rule. What only the run can tell is covered by no pattern, only by the bare tool.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from snaphook import canon

from .commandline import CommandLine, CommandReader, SimpleCommand
from .conditions import SHELLS, Condition

_PLAIN = re.compile(r"[\w ./:\\,=@%+-]*")
"""PowerShell without operators, quotes, variables or blocks: one command, and all of it seen."""


def allows(rules: Sequence[Condition], event: canon.ToolEvent, read: CommandReader) -> bool:
    """Say whether *rules* together cover all that *event* does."""
    about = [rule for rule in rules if rule.tools.matches(event.tool_name)]
    if any(rule.test is None for rule in about):
        return True
    if event.tool_name not in SHELLS:
        return any(rule.covers is not None and rule.covers(event) for rule in about)
    patterns = [rule for rule in about if rule.command is not None]
    if not patterns:
        return False
    if event.tool_name == "PowerShell":
        return _plain_line(patterns, event.tool_args)
    line = read(event)
    return (
        line.complete
        and not line.steered
        and bool(line.commands)
        and all(_covered(one, line, patterns) for one in line.commands)
        and all(_may_write(path, rules, event) for path in line.writes)
    )


def uncovered(rules: Sequence[Condition], event: canon.ToolEvent, read: CommandReader) -> str:
    """Return the first command of *event* that no rule covers; empty where that cannot be told."""
    patterns = [rule for rule in rules if rule.command is not None]
    if event.tool_name not in SHELLS or not patterns:
        return ""
    line = read(event)
    return next((one.text for one in line.commands if not _covered(one, line, patterns)), "")


def _covered(one: SimpleCommand, line: CommandLine, patterns: Sequence[Condition]) -> bool:
    if not one.sure:  # a guess about the words of a command that is itself in the list
        return True
    return any(
        _matches(rule, one.text) or (one.wrapped and _names(rule, one, line)) for rule in patterns
    )


def _matches(rule: Condition, text: str) -> bool:
    """Say whether *rule* means *text*; people quote in either way."""
    return rule.command is not None and any(
        rule.command.match(spelled) for spelled in (text, text.replace("'", '"'))
    )


def _names(rule: Condition, one: SimpleCommand, line: CommandLine) -> bool:
    """Say whether *rule* names the wrapped program itself: ``uv run pytest*``, not ``uv run *``."""
    for outer in line.commands:
        start = len(outer.text) - len(one.text)
        if outer is one or start <= 0 or not outer.text.endswith(f" {one.text}"):
            continue
        if not _matches(rule, outer.text):
            continue
        named = len(rule.literal) >= start + len(one.text.partition(" ")[0])
        if named and outer.text.startswith(rule.literal):
            return True
    return False


def _may_write(path: str, rules: Sequence[Condition], event: canon.ToolEvent) -> bool:
    write = replace(event, tool_name="Write", tool_args={"file_path": path})
    return bool(path) and any(
        rule.tools.matches("Write") and (rule.test is None or (rule.covers or _no)(write))
        for rule in rules
    )


def _no(_event: canon.ToolEvent) -> bool:
    return False


def _plain_line(patterns: Sequence[Condition], args: Mapping[str, Any]) -> bool:
    line = args.get("command")
    return (
        isinstance(line, str)
        and _PLAIN.fullmatch(line) is not None
        and any(rule.command is not None and rule.command.match(line.strip()) for rule in patterns)
    )
