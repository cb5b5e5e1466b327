"""The person's own rules in a host that say: ask me.

PermissionRequest + the host's settings  ->  the rule that made it ask, or nothing

A host that asks because of such a rule asks the person, and gets no answer from us. What cannot be
read counts as a rule.
"""

import ast
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from snaphook.canon import HookContext, ToolEvent
from snaphook.config import Environment
from snaphook.config.conditions import compile_condition
from snaphook.errors import ConfigError
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.reader import GuardReader
from snaphook.shell.facts import Call

_SHELL_NAMES = ("Bash", "Shell", "ShellTool", "run_shell_command")
UNREADABLE = "a rules file that cannot be read"
Prefix = tuple[tuple[str, ...], ...]
"""The words a command begins with, each with its alternatives."""


def asks_about(
    event: ToolEvent, context: HookContext, guard: GuardProvider, around: Environment
) -> str:
    """Return the rule of the person that made the host ask about *event*."""
    if context.host == "codex":
        home = Path(around.env.get("CODEX_HOME") or around.home / ".codex")
        return _codex(event, context, guard, home)
    if context.host == "qwen-code":
        roots = (around.home, Path(context.team_root or context.cwd or "/"))
        files = [root / ".qwen" / "settings.json" for root in roots]
        return _qwen(event, guard, files)
    return ""


def _qwen(event: ToolEvent, guard: GuardProvider, files: Sequence[Path]) -> str:
    """Return the entry of ``permissions.ask`` that means one of the commands of *event*."""
    reader = GuardReader(lambda: guard)
    for file in files:
        for rule in _asks(file):
            if rule == UNREADABLE:
                return rule
            name, _, rest = rule.partition("(")
            shell = f"Bash({rest}" if rest else "Bash"
            try:
                found = compile_condition(shell if name in _SHELL_NAMES else rule)
            except ConfigError:
                return rule
            if found.holds(event, reader.everything):
                return rule
    return ""


def _asks(file: Path) -> tuple[str, ...]:
    try:
        seen = file.stat()
    except OSError:
        return ()
    return _read_asks(file, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=32)
def _read_asks(file: Path, _time: int, _size: int) -> tuple[str, ...]:
    try:
        read: Any = json.loads(file.read_text())
        asks = read.get("permissions", {}).get("ask", [])
        return tuple(str(one) for one in asks)
    except (OSError, ValueError, AttributeError, TypeError):
        return (UNREADABLE,)


def _codex(event: ToolEvent, context: HookContext, guard: GuardProvider, home: Path) -> str:
    """Return the prefix rule that says prompt or forbidden and means one of the commands."""
    project = Path(context.team_root or context.cwd or "/")
    prefixes = [one for folder in (home, project / ".codex") for one in _prefixes(folder / "rules")]
    if not prefixes:
        return ""
    if () in prefixes:
        return UNREADABLE
    judgement, _ = guard.judged(event, context)
    for call in judgement.calls:
        for prefix in prefixes:
            if _begins(call, prefix):
                return " ".join(one[0] for one in prefix)
    return ""


def _begins(call: Call, prefix: Prefix) -> bool:
    words = [call.program, *(arg.text for arg in call.args)]
    return len(words) >= len(prefix) and all(
        word in choices for word, choices in zip(words, prefix, strict=False)
    )


def _prefixes(folder: Path) -> Iterator[Prefix]:
    for file in sorted(folder.glob("*.rules")) if folder.is_dir() else ():
        seen = file.stat()
        yield from _read_prefixes(file, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=32)
def _read_prefixes(file: Path, _time: int, _size: int) -> tuple[Prefix, ...]:
    """Return the prefixes that are not simply allowed; the empty one for a file we cannot read.

    The files are Starlark, whose calls with literal arguments are Python's as well.
    """
    try:
        tree = ast.parse(file.read_text())
        return tuple(_prefix(node) for node in ast.walk(tree) if _is_strict(node))
    except (OSError, SyntaxError, ValueError):
        return ((),)


def _is_strict(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
        return False
    said = {one.arg: one.value for one in node.keywords}
    decision = said.get("decision")
    return node.func.id == "prefix_rule" and not (
        decision is None or (isinstance(decision, ast.Constant) and decision.value == "allow")
    )


def _prefix(node: ast.AST) -> Prefix:
    assert isinstance(node, ast.Call)
    pattern = next(one.value for one in node.keywords if one.arg == "pattern")
    words = ast.literal_eval(pattern)
    return tuple((word,) if isinstance(word, str) else tuple(map(str, word)) for word in words)
