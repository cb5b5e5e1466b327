"""Matchers that never match, or that nobody asks."""

import re
from collections.abc import Iterable, Iterator

from snaphook.config.conditions import compile_condition
from snaphook.config.entries import ABOUT_NAMES, FILE_LIKE
from snaphook.config.matchers import SUBJECTS, Matcher, compile_matcher
from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook, Dialect
from snaphook.config.take import closest
from snaphook.config.tools import KNOWN, MCP_SAMPLES, OPEN_VALUES, OTHERS, VALUES
from snaphook.errors import ConfigError
from snaphook.shell.patterns import Searches

from .scene import beside

_ALL = (None, "", "*", ".*", ".+", "^.*$", "**")
_TOOL_EVENTS = frozenset(event for event, field in SUBJECTS.items() if field == "tool_name")
_WAVE_MATCHED = frozenset({"PreToolUse", "PostToolUse", "PermissionRequest"})
_ARGUMENTS = re.compile(r"\w+\(.*\)")
_EVERYTHING = frozenset({"all", "any", "everything", "every", "always", "default"})
_WORD = re.compile(r"[A-Za-z_]\w{2,}")


def an_event_without_a_matcher(hook: CommandHook, notes: Notes) -> None:
    """Note a matcher on an event that has nothing to match; the hook runs every time."""
    if hook.matcher in _ALL:
        return
    wave = hook.dialect is Dialect.WAVE
    if hook.event in (_WAVE_MATCHED if wave else SUBJECTS):
        return
    notes.error(
        "matcher-ignored",
        beside(hook, "matcher"),
        f"'{hook.event}' takes no matcher, so '{hook.matcher}' is ignored and the hook always runs",
        "Remove the matcher, or choose an event that has one, such as PreToolUse.",
        tolerable=True,
    )


def a_value_the_event_never_has(hook: CommandHook, notes: Notes) -> None:
    """Note a SessionStart for ``startpu``, or one for a tool."""
    values = VALUES.get(hook.event, ())
    matcher = _compiled(hook)
    if matcher is None or hook.matcher in _ALL:
        return
    if hook.event in OPEN_VALUES:
        usual = OPEN_VALUES[hook.event]
        for name in sorted(matcher.names - set(usual)):
            if closest(name, usual) or name in KNOWN[hook.dialect]:
                _no_such(hook, notes, name, usual)
    if not values:
        return
    for name in sorted(matcher.names - set(values)):
        _no_such(hook, notes, name, values)
    if matcher.patterns and not any(matcher.matches(value) for value in values):
        _no_such(hook, notes, str(hook.matcher), values)


def a_tool_that_no_host_has(hook: CommandHook, notes: Notes) -> None:
    """Note names, globs and expressions that hold for no tool we know."""
    matcher = _compiled(hook)
    if hook.event not in _TOOL_EVENTS or matcher is None or hook.matcher in _ALL:
        return
    known = KNOWN[hook.dialect]
    if FILE_LIKE.search(hook.matcher or "") or _ARGUMENTS.fullmatch(hook.matcher or ""):
        _not_a_name(hook, notes)
        return
    for name in sorted(_as_written(matcher.names, hook.matcher or "")):
        _check_name(name, hook, notes)
    if re.search(r"\|\s*(\||$)|^\s*\|", hook.matcher or ""):
        what = f"'{hook.matcher}' has an alternative with nothing in it"
        notes.warning("empty-alternative", beside(hook, "matcher"), what, "Remove the extra |.")
    for part in _patterns(hook):
        if not any(part.search(name) for name in (*known, *MCP_SAMPLES)) and not _is_mcp(part):
            _never_matches(part.pattern, hook, notes)


def a_condition_that_never_holds(hook: CommandHook, notes: Notes) -> None:
    """Note an ``if`` on an event without a tool, or for a tool that the matcher excludes."""
    if not hook.condition:
        return
    if hook.event not in _TOOL_EVENTS:
        what = f"'if' works on tool events only, so on '{hook.event}' the hook never runs"
        notes.error("never-runs", beside(hook, "if"), what, "Remove 'if'.", tolerable=True)
        return
    try:
        tools = compile_condition(hook.condition).tools
    except ConfigError:
        return
    matcher = _compiled(hook)
    named = {name for name in KNOWN[hook.dialect] if tools.matches(name)}
    tool = hook.condition.partition("(")[0].strip()
    if not named and not tool.startswith("mcp__") and "*" not in tool:
        _check_name(tool, hook, notes, key="if")
    elif matcher and named and not any(matcher.matches(name) for name in named):
        what = f"the matcher '{hook.matcher}' excludes every tool in 'if': '{hook.condition}'"
        fix = f"Make the matcher include {tool}, or remove one of them."
        notes.error("never-runs", beside(hook, "if"), what, fix, tolerable=True)


def _check_name(name: str, hook: CommandHook, notes: Notes, *, key: str = "matcher") -> None:
    """Note a name that is no tool's: wrong case, a slip, half an MCP name, or simply unknown."""
    known = KNOWN[hook.dialect]
    folded = {tool.lower(): tool for tool in sorted(known)}
    wave = hook.dialect is Dialect.WAVE
    whole_mcp = name.startswith("mcp__") and name.strip("_").count("__") > 1
    if name in known or (wave and name.lower() in folded) or whole_mcp:
        return
    at = beside(hook, key)
    if name.startswith("MCP__") and not wave:
        what = f"'{name}' never matches: names are case-sensitive"
        notes.error("no-such-tool", at, what, f"Write 'mcp{name[3:]}'.", tolerable=True)
    elif name.lower().startswith("mcp__"):
        name = name.rstrip("_")
        what = f"'{name}' is a server, but a matcher is compared with full tool names"
        notes.error("no-such-tool", at, what, f"Write {name}__.* instead.", tolerable=True)
    elif name.lower() in folded:
        what = f"'{name}' never matches: names are case-sensitive"
        fix = f"Write '{folded[name.lower()]}'."
        notes.error("no-such-tool", at, what, fix, tolerable=True)
    elif wave and "," in name:
        what = f"'{name}' is read as one name with a comma, which no tool has"
        fix = f"Separate names with |: {'|'.join(part.strip() for part in name.split(','))}."
        notes.error("no-such-tool", at, what, fix, tolerable=True)
    elif name.lower() in _EVERYTHING:
        what = f"'{name}' is read as a tool name, and no tool has that name"
        notes.error("no-such-tool", at, what, "Use *, or remove the matcher.", tolerable=True)
    elif " " in name:
        _not_a_name(hook, notes)
    elif re.match(r"mcp_[^_]", name):
        what = f"'{name}' never matches: the parts of an MCP tool's name are joined by __"
        fix = "Write mcp__SERVER__TOOL, or mcp__SERVER__.* for all of a server's tools."
        notes.error("no-such-tool", at, what, fix, tolerable=True)
    elif name in OTHERS:
        what = f"'{name}' is a tool name of another agent"
        fix = f"The {hook.dialect} dialect has its own names: Bash, Edit, Write, Read …"
        notes.error("no-such-tool", at, what, fix, tolerable=True)
    elif meant := closest(name, known):
        what = f"unknown tool '{name}'"
        notes.error("no-such-tool", at, what, f"Did you mean '{meant}'?", tolerable=True)
    else:
        what = f"unknown tool '{name}'"
        notes.warning("no-such-tool", at, what, "Check the name; it is case-sensitive.")


def _never_matches(pattern: str, hook: CommandHook, notes: Notes) -> None:
    words = _WORD.findall(pattern)
    meant = next((near for word in words if (near := closest(word, KNOWN[hook.dialect]))), None)
    fix = f"Did you mean '{meant}'?" if meant else "Write a tool's name, such as Edit|Write."
    what = f"'{pattern}' matches no known tool"
    notes.error("no-such-tool", beside(hook, "matcher"), what, fix, tolerable=True)


def _not_a_name(hook: CommandHook, notes: Notes) -> None:
    what = f"'{hook.matcher}' never matches: a matcher is compared with the tool's name"
    wave = hook.dialect is Dialect.WAVE
    fix = "Name the tool: Edit|Write." if wave else f"{ABOUT_NAMES}."
    notes.error("no-such-tool", beside(hook, "matcher"), what, fix, tolerable=True)


def _no_such(hook: CommandHook, notes: Notes, name: str, values: tuple[str, ...]) -> None:
    meant = closest(name, values)
    hint = f"Did you mean '{meant}'? " if meant else ""
    known = f"It knows {', '.join(values)}." if values else "Name an agent, or leave it out."
    notes.error(
        "no-such-value",
        beside(hook, "matcher"),
        f"'{hook.event}' never has the value '{name}'",
        f"{hint}{known}",
        tolerable=True,
    )


def _as_written(names: Iterable[str], matcher: str) -> Iterator[str]:
    """Yield *names* in the case in which the matcher has them; wave compares without case."""
    for name in names:
        at = matcher.lower().find(name.lower())
        yield matcher[at : at + len(name)] if at >= 0 else name


def _compiled(hook: CommandHook) -> Matcher | None:
    """Return the matcher, or None where decoding has complained already."""
    try:
        return compile_matcher(hook.matcher, hook.dialect, event=hook.event)
    except ConfigError:
        return None


def _patterns(hook: CommandHook) -> Iterator[Searches]:
    """Yield the expressions one alternative at a time, so that a bad one does not hide."""
    matcher = _compiled(hook)
    flags = re.IGNORECASE if hook.dialect is Dialect.WAVE else 0
    for pattern in matcher.patterns if matcher else ():
        parts = pattern.pattern.split("|")
        try:
            yield from [re.compile(part, flags) for part in parts if part]
        except re.error:
            yield pattern


def _is_mcp(pattern: Searches) -> bool:
    return "mcp" in pattern.pattern
