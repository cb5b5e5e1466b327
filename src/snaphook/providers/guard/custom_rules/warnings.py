"""What works in a ``[guard]`` table and is hardly meant.

rules  ->  pairs of which one never counts, names that look like slips
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import msgspec

from snaphook.config.settings import Dialect
from snaphook.config.take import closest
from snaphook.config.tools import KNOWN
from snaphook.providers.guard.custom_rules.tables import AgentRole, CustomRule, words
from snaphook.providers.guard.settings import SettingError
from snaphook.shell.known_programs import PROGRAMS

_STRENGTH = {"allow": 0, "warn": 1, "ask": 2, "deny": 3}
_SAYS = frozenset({"id", "verdict", "message", "instead", "standing"})
_ANY_OF_TEXT = """
    program subcommand flags paths sql tables tool about agent host project
"""
_ANY_OF = frozenset(_ANY_OF_TEXT.split())
_CONDITIONS = tuple(name for name in CustomRule.__struct_fields__ if name not in _SAYS)
_TOOLS = KNOWN[Dialect.SNAPHOOK]


def find_warnings(table: Mapping[str, Any]) -> Iterator[SettingError]:
    """Yield what is probably not meant; what cannot be read at all is someone else's to tell."""
    try:
        rules = msgspec.convert(table.get("rule", []), list[CustomRule])
        roles = msgspec.convert(table.get("role", []), list[AgentRole])
    except msgspec.ValidationError:
        return
    yield from _overlaps(rules)
    yield from _slips(rules, roles)
    yield from _pointless(rules, table)


def _overlaps(rules: Sequence[CustomRule]) -> Iterator[SettingError]:
    """Yield each rule that another one makes pointless."""
    told = [_given(rule) for rule in rules]
    wide = _Wide(told)
    for at, rule in enumerate(rules):
        for other in wide.perhaps_above(told[at]):
            stricter = rules[other]
            if other == at or not _covers(told[other], told[at]):
                continue
            if told[other] == told[at]:
                if other < at:
                    yield ("rule", at), *_twin(rule, stricter)
            elif _pale(rule, stricter):
                yield ("rule", at), *_shadowed(rule, stricter)
                break


class _Wide:
    """Rules by a word they are about, so that of a thousand few are held against each other."""

    def __init__(self, told: Sequence[Mapping[str, Any]]) -> None:
        self._named: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._others: dict[frozenset[str], list[int]] = defaultdict(list)
        for at, given in enumerate(told):
            plain = next((name for name in given if _is_plain(name, given[name])), "")
            for word in given[plain] if plain else ():
                self._named[plain, word].append(at)
            if given and not plain:
                self._others[frozenset(given)].append(at)

    def perhaps_above(self, given: Mapping[str, Any]) -> Iterator[int]:
        """Yield, in order, the rules that may hold for all that *given* holds for."""
        found = {
            at
            for name in given.keys() & _ANY_OF
            for word in given[name]
            for at in self._named.get((name, word), ())
        }
        for names, others in self._others.items():
            if names <= given.keys():
                found.update(others)
        return iter(sorted(found))


def _is_plain(name: str, value: Any) -> bool:
    return name in _ANY_OF and not any(_is_glob(word) for word in value)


def _twin(rule: CustomRule, earlier: CustomRule) -> tuple[str, str]:
    if rule.verdict == earlier.verdict:
        what = f"'{rule.id}' duplicates '{earlier.id}'"
        return what, "Remove one."
    what = f"'{rule.id}' says {rule.verdict} where '{earlier.id}' says {earlier.verdict}"
    return f"{what} of the same calls", "Remove one: only the stricter one applies."


def _pale(rule: CustomRule, stricter: CustomRule) -> bool:
    """Say whether *rule* changes nothing beside one that covers it."""
    if bool(rule.about) != bool(stricter.about) or (
        stricter.verdict == "allow" and rule.verdict != "allow"
    ):
        return False
    return _STRENGTH[rule.verdict] <= _STRENGTH[stricter.verdict]


def _shadowed(rule: CustomRule, stricter: CustomRule) -> tuple[str, str]:
    what = (
        f"'{rule.id}' never applies: '{stricter.id}' already gives {stricter.verdict} for all "
        "its calls"
    )
    return what, f"Narrow '{stricter.id}', or remove '{rule.id}'."


def _given(rule: CustomRule) -> dict[str, Any]:
    """Return the conditions of *rule*, those with several words as sets."""
    found: dict[str, Any] = {}
    for name in _CONDITIONS:
        value = getattr(rule, name)
        if value:
            plain = name in ("input", "hours", "timezone", "unless_read")
            found[name] = value if plain else frozenset(words(value))
    return found


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Say whether all that *narrow* holds for, *wide* holds for too."""
    for name, value in wide.items():
        other = narrow.get(name)
        if other is None:
            return False
        if name in _ANY_OF:
            if not other <= value and not _all_like(other, value):
                return False
        elif name in ("does", "days"):
            if not other <= value:
                return False
        elif name == "without":
            if not value <= other:
                return False
        elif value != other:
            return False
    return True


def _all_like(texts: frozenset[str], shapes: frozenset[str]) -> bool:
    """Say whether each of *texts* is, or fits, one of *shapes*."""
    globs = [shape for shape in shapes if _is_glob(shape)]
    return bool(globs) and all(
        one in shapes or any(fnmatchcase(one, shape) for shape in globs) for one in texts
    )


def _slips(rules: Sequence[CustomRule], roles: Sequence[AgentRole]) -> Iterator[SettingError]:
    """Yield names that are nearly those of a program or tool, and not theirs."""
    for at, rule in enumerate(rules):
        for name in words(rule.program):
            if not _is_glob(name) and name not in PROGRAMS and not shutil.which(name):
                alike = [one for one in PROGRAMS if one[:1] == name[:1] and _as_long(one, name)]
                if near := closest(name, alike, cutoff=0.8):
                    what = f"'{name}' is not a known program and not installed here"
                    yield ("rule", at, "program"), what, f"Did you mean '{near}'?"
        yield from _tool_slips(("rule", at, "tool"), words(rule.tool))
    for at, role in enumerate(roles):
        yield from _tool_slips(("role", at, "tools"), words(role.tools))


def _as_long(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) <= 2


def _tool_slips(place: tuple[str | int, ...], names: tuple[str, ...]) -> Iterator[SettingError]:
    for name in names:
        if _is_glob(name) or name in _TOOLS or name.startswith("mcp__"):
            continue
        near = closest(name, _TOOLS, cutoff=0.8)
        if near:
            yield place, f"unknown tool '{name}'", f"Did you mean '{near}'?"


def _pointless(rules: Sequence[CustomRule], table: Mapping[str, Any]) -> Iterator[SettingError]:
    lines = table.get("rules")
    lines = lines if isinstance(lines, Mapping) else {}  # of another type: told as an error already
    off = {name for name, said in lines.items() if said in ("off", "allow")}
    for at, rule in enumerate(rules):
        for name in words(rule.about):
            if name in off:
                fix = f'Remove "{name}" from [guard.rules], or remove this rule.'
                yield ("rule", at, "about"), f"'{name}' is off, so it never blocks", fix
        if rule.timezone and not rule.days and not rule.hours:
            yield ("rule", at, "timezone"), "a time zone without days or hours", "Give hours."
    for shape in table.get("allow") or ():
        if isinstance(shape, str) and not shape.strip("* "):
            what = f"'{shape}' allows every command"
            yield ("allow",), what, "Name the commands; 'mode = \"audit\"' blocks nothing."


def _is_glob(name: str) -> bool:
    return "*" in name or "?" in name or "[" in name
