"""What is wrong with a ``[guard]`` table that its types cannot tell.

table  ->  where, what, and what to do next

Everything here does not do what it says: it can never match, cannot be read, or names what is not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from snaphook.config.take import did_you_mean
from snaphook.providers.guard.custom_rules import time
from snaphook.providers.guard.custom_rules.paths import shape
from snaphook.providers.guard.custom_rules.statements import KINDS
from snaphook.providers.guard.examine import POWERSHELLS, SHELLS
from snaphook.providers.guard.rules.table import BY_ID, RULES
from snaphook.providers.guard.settings import ANSWERS, SettingError
from snaphook.providers.guard.snapshots import RECOVERABLE
from snaphook.shell.patterns import PatternError, linear

_WHO = frozenset({"agent", "host", "project", "days", "hours", "timezone", "unless_ran"})
_SAYS = frozenset({"id", "verdict", "message", "instead"})
_WITHIN = frozenset({"program", "subcommand", "flags", "without", "args", "sql", "tables"})
"""What only a shell's command has."""
_DATA = frozenset({"drops", "empties", "rewrites", "grants"})
_LIST = "'snaphook guard rules' lists all."


def find_errors(table: Mapping[str, Any]) -> Iterator[SettingError]:
    """Yield every flaw of *table*, in the order in which its keys are documented."""
    yield from _lines(table.get("rules"))
    yield from _packs(table.get("packs"))
    yield from _net(table.get("safety_net"))
    own = [one for one in _tables(table, "rule") if isinstance(one, dict)]
    for at, rule in enumerate(own):
        for place, what, fix in _rule(rule, own[:at]):
            yield ("rule", at, *place), what, fix
    for at, role in enumerate(_tables(table, "role")):
        for place, what, fix in _role(role, _tables(table, "role")[:at]):
            yield ("role", at, *place), what, fix
    known = {*BY_ID, *(str(one.get("id")) for one in own), "limit", "failure"}
    for at, test in enumerate(_tables(table, "test")):
        for place, what, fix in _test(test, known):
            yield ("test", at, *place), what, fix


def _lines(rules: Any) -> Iterator[SettingError]:
    for rule, answer in rules.items() if isinstance(rules, dict) else ():
        if rule not in BY_ID:
            fix = f"{did_you_mean(rule, BY_ID)} {_LIST}".strip()
            yield ("rules", rule), f"unknown guard rule '{rule}'", fix
        elif answer not in ANSWERS:
            fix = 'Write "off", "warn", "ask" or "deny".'
            yield ("rules", rule), f"invalid answer '{answer}'", fix


def _packs(packs: Any) -> Iterator[SettingError]:
    known = sorted({rule.pack for rule in RULES if rule.pack})
    for pack in packs if isinstance(packs, list) else ():
        if pack not in known:
            hint = f"{did_you_mean(str(pack), known)} There are: {', '.join(known)}."
            yield ("packs",), f"unknown pack '{pack}'", hint.strip()


def _net(rules: Any) -> Iterator[SettingError]:
    for at, rule in enumerate(rules if isinstance(rules, list) else ()):
        if rule not in RECOVERABLE:
            what = f"a snapshot cannot undo what '{rule}' blocks"
            yield ("safety_net", at), what, f"It helps against: {', '.join(RECOVERABLE)}."


# --- [[guard.rule]] ------------------------------------------------------------------------


def _rule(rule: Mapping[str, Any], earlier: list[dict[str, Any]]) -> Iterator[SettingError]:
    yield from _name(rule, earlier)
    conditions = rule.keys() - _SAYS
    if not conditions:
        fix = "Give a condition: program, paths, tool, about …."
        yield (), f"the rule says '{rule.get('verdict')}' for every call", fix
    elif rule.get("verdict") == "allow" and conditions <= _WHO:
        fix = "Say what is allowed: program, paths, tool or about."
        yield (), "the rule allows everything that the guard would block", fix
    for find in _FINDERS:
        yield from find(rule)


def _name(rule: Mapping[str, Any], earlier: list[dict[str, Any]]) -> Iterator[SettingError]:
    name = rule.get("id", "")
    if any(one.get("id") == name for one in earlier):
        yield ("id",), f"'{name}' is already the id of another rule", "Give each rule a unique id."
    elif name in BY_ID:
        fix = f'To change the guard\'s rule, write: about = "{name}".'
        yield ("id",), f"'{name}' is a built-in rule of the guard", fix
    elif not re.fullmatch(r"[\w.-]+", str(name)) or str(name).startswith(("self.", "role.")):
        fix = "Use letters, digits, '-' and '.'; 'self.' and 'role.' are taken."
        yield ("id",), f"'{name}' cannot be the id of a rule", fix


def _about(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    for name in _words(rule, "about"):
        if not any(fnmatchcase(one, name) for one in BY_ID):
            yield ("about",), f"unknown guard rule '{name}'", _hint(name, BY_ID, _LIST)
        elif all(one.startswith("self.") for one in BY_ID if fnmatchcase(one, name)):
            fix = "Remove the rule: rules that protect the guard cannot be disabled."
            yield ("about",), f"'{name}' protects the guard itself", fix


def _programs(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    for name in _words(rule, "program"):
        first, _, rest = name.partition(" ")
        if rest:
            fix = f'Write program = "{first}" and subcommand = "{rest}".'
            yield ("program",), f"invalid program name '{name}'", fix
        elif "/" in name or "\\" in name:
            bare = re.split(r"[/\\]", name)[-1]
            yield ("program",), f"'{name}' is a path", f'Write the bare name: "{bare}".'
    for key in ("flags", "without"):
        for flag in _words(rule, key):
            if not flag.startswith("-"):
                fix = f'Write "--{flag}"; words without a dash go into subcommand or args.'
                yield (key,), f"'{flag}' is not an option", fix
    for flag in set(_words(rule, "flags")) & set(_words(rule, "without")):
        yield (
            ("without",),
            f"'{flag}' is both required and forbidden",
            "Remove it from one of them.",
        )


def _expressions(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    given: list[tuple[tuple[str, ...], str]] = [(("args",), text) for text in _words(rule, "args")]
    table = rule.get("input")
    for name, text in table.items() if isinstance(table, dict) else ():
        given.append((("input", name), str(text)))
    for place, text in given:
        try:
            linear(text)
        except PatternError as bad:
            fix = "Use RE2 syntax; a plain dot, star or bracket needs a backslash."
            yield place, f"'{text}' is not a valid regular expression: {bad}", fix


def _globs(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    for key in ("paths", "project"):
        for glob in _words(rule, key):
            if glob.startswith("../") or "/../" in glob:
                fix = "Write it from the root, '/…', or from home, '~/…'."
                yield (key,), f"'{glob}' is outside the project, so it never matches", fix
            try:
                shape(glob, project="/project", home="/home")
            except (ValueError, re.error) as bad:
                open_at = max(glob.find(one) for one in "[{") + 1
                fix = "Close it, or leave the bracket out."
                yield (key,), f"'{glob}' {bad} at character {open_at}", fix


def _kinds(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    for kind in _words(rule, "sql"):
        if kind not in KINDS:
            fix = _hint(kind, KINDS, "Write them in lower case: delete, drop, alter.")
            yield ("sql",), f"unknown SQL statement '{kind}'", fix
    does = set(rule.get("does") or ()) if isinstance(rule.get("does"), list) else set()
    if does and does <= _DATA and rule.get("paths"):
        fix = "Name tables, or what happens to files: reads, writes, deletes."
        yield ("paths",), "SQL drops and truncates tables, not paths", fix


def _hours(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    days = rule.get("days")
    checks: list[tuple[str, Callable[[str], object], str, str]] = [
        ("hours", time.minutes, str(rule.get("hours") or ""), "Write 09:00-17:30."),
        ("timezone", time.zone, str(rule.get("timezone") or ""), "Write a name: Europe/Berlin."),
        *(
            ("days", time.day, str(one), f"Write {', '.join(time.DAYS)}.")
            for one in (days if isinstance(days, list) else ())
        ),
    ]
    for key, read, text, fix in checks:
        if not text:
            continue
        try:
            value = read(text)
        except ValueError as bad:
            yield (key,), str(bad), fix
        else:
            if key == "hours" and isinstance(value, tuple) and value[0] == value[1]:
                yield (key,), f"'{text}' covers no time", fix


def _never(rule: Mapping[str, Any]) -> Iterator[SettingError]:
    """Yield conditions that exclude each other."""
    tools = _words(rule, "tool")
    shells = {*SHELLS, *POWERSHELLS}
    inside = sorted(_WITHIN & rule.keys())
    if tools and inside and not any(fnmatchcase(one, tool) for tool in tools for one in shells):
        fix = f"Leave one out: '{inside[0]}' is about commands, which the tool Bash runs."
        yield ("tool",), f"{' and '.join(tools)} does not run commands, so this never matches", fix
    if rule.get("unless_read") and tools and set(tools) <= {"Read", "Grep", "Glob", "LS"}:
        fix = "Name the tools that write: Edit, MultiEdit, Write."
        yield ("unless_read",), f"{' and '.join(tools)} does not change files", fix
    if rule.get("verdict") == "allow" and (rule.get("unless_read") or rule.get("unless_ran")):
        fix = "Reverse it: deny or ask unless it was done."
        yield ("verdict",), "an 'allow' rule that stops applying once the work is done", fix


_FINDERS = (_about, _programs, _expressions, _globs, _kinds, _hours, _never)


# --- [[guard.role]] and [[guard.test]] -----------------------------------------------------


def _role(role: Any, earlier: list[Any]) -> Iterator[SettingError]:
    if not isinstance(role, dict):
        return
    name = role.get("name")
    if any(isinstance(one, dict) and one.get("name") == name for one in earlier):
        yield (
            ("name",),
            f"'{name}' is already the name of another role",
            "Give each role a unique name.",
        )
    if not role.get("tools") and not role.get("programs"):
        fix = 'Add tools = ["Read", "Grep"], or programs = ["git"].'
        yield (), f"the role '{name}' allows everything", fix
    if "agents" in role and not _words(role, "agents"):
        yield ("agents",), f"the role '{name}' has no agents", 'Name agents: ["reviewer"].'


def _test(test: Any, known: Collection[str]) -> Iterator[SettingError]:
    if not isinstance(test, dict):
        return
    if bool(test.get("command")) == bool(test.get("tool")):
        what = "both a command and a tool" if test.get("command") else "neither command nor tool"
        yield (), f"the test has {what}", "Give one of the two."
    rule = str(test.get("rule") or "")
    if rule and rule not in known and not rule.startswith("role."):
        yield ("rule",), f"unknown rule '{rule}'", _hint(rule, known, _LIST)
    try:
        datetime.fromisoformat(str(test.get("at") or "2000-01-01"))
    except ValueError:
        yield ("at",), f"invalid time '{test['at']}'", "Write 2026-05-01T12:00."


def _tables(table: Mapping[str, Any], key: str) -> list[Any]:
    value = table.get(key)
    return value if isinstance(value, list) else []


def _words(rule: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = rule.get(key)
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _hint(word: str, known: Collection[str], otherwise: str) -> str:
    return did_you_mean(word, known) or otherwise
