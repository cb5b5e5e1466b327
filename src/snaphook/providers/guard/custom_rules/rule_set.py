"""A set of rules that somebody shares: read, checked, and pinned by its hash.

rules.toml  ->  RuleSet

The file holds ``name``, ``description``, ``[[rule]]`` as under ``[[guard.rule]]``, and ``[[test]]`` as
under ``[[guard.test]]``. Pure: who fetches it and who writes it down is the command's business.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import ConfigError
from snaphook.providers.guard.custom_rules.tables import CustomRule, Expectation

FILE = "rules.toml"
"""The file that a directory, a repository or a package offers."""
LONGEST = 1_000_000
_NAME = re.compile(r"[a-z][a-z0-9-]{1,40}")


class RuleSetFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file as it is written."""

    name: str
    description: str = ""
    rule: tuple[CustomRule, ...] = ()
    test: tuple[Expectation, ...] = ()


class RuleSet(Struct, frozen=True, kw_only=True):
    """A set as it is used: its tables with the set's name in front of every id."""

    name: str
    description: str
    sha256: str
    """Of the file's bytes: the same hash is the same set."""
    rules: tuple[dict[str, Any], ...]
    tests: tuple[dict[str, Any], ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its rules."""
        return tuple(rule["id"] for rule in self.rules)

    @property
    def loosens(self) -> tuple[str, ...]:
        """The rules that lift what the guard says."""
        return tuple(rule["id"] for rule in self.rules if rule.get("verdict") == "allow")


def read_rule_set(data: bytes, where: str) -> RuleSet:
    """Return the set that *data* holds; raises ``ConfigError`` for one that cannot be used."""
    import tomlkit
    from tomlkit.exceptions import ParseError

    if len(data) > LONGEST:
        raise _error(where, f"is longer than {LONGEST:,} bytes", "Split it up.")
    try:
        table = tomlkit.parse(data.decode()).unwrap()
        found = msgspec.convert(table, RuleSetFile)
    except (ParseError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise _error(where, f"cannot be read: {problem}", f"Fix {FILE}.") from None
    if not _NAME.fullmatch(found.name):
        raise _error(
            where, f"invalid name '{found.name}'", "Use letters, digits and '-': acme-rules."
        )
    if not found.rule:
        raise _error(where, "holds no [[rule]]", "Add one, with id and verdict.")
    made = _named(table, found.name, sha256(data).hexdigest())
    _check(made, where)
    return made


def _named(table: dict[str, Any], name: str, digest: str) -> RuleSet:
    """Return the set with its name in front of each id, so that two sets never clash."""
    rules = [{**rule, "id": _prefixed(rule["id"], name)} for rule in table.get("rule", [])]
    own = {rule["id"] for rule in rules}
    tests = []
    for test in table.get("test", []):
        meant = _prefixed(test.get("rule", ""), name)
        tests.append({**test, "rule": meant} if meant in own else dict(test))
    return RuleSet(
        name=name,
        description=str(table.get("description", "")),
        sha256=digest,
        rules=tuple(rules),
        tests=tuple(tests),
    )


def _prefixed(rule: str, name: str) -> str:
    return rule if rule.startswith(f"{name}.") else f"{name}.{rule}"


def _check(made: RuleSet, where: str) -> None:
    """Raise for what the types cannot tell: ids used twice, expressions that cannot be compiled."""
    from snaphook.providers.guard.custom_rules.errors import find_errors

    if len(set(made.ids)) != len(made.ids):
        raise _error(where, "uses an id for two rules", "Give each rule an id of its own.")
    for kind, rows in ((CustomRule, made.rules), (Expectation, made.tests)):
        known = {field.encode_name for field in msgspec.structs.fields(kind)}
        for row in rows:
            if unknown := sorted(set(row) - known):
                fix = f"Use one of: {', '.join(sorted(known))}."
                raise _error(where, f"unknown key '{unknown[0]}'", fix)
    for place, what, fix in find_errors({"rule": list(made.rules), "test": list(made.tests)}):
        at = ".".join(map(str, place))
        raise _error(f"{where}: {at}", what, fix)


def _error(where: str, what: str, fix: str) -> ConfigError:
    return ConfigError(where=where, what=what, fix=fix)
