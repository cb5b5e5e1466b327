"""The policies a project chooses, as one frozen value.

options (a settings table, keyword arguments)  ->  PolicyConfig

Every problem of the options is told at once: where, what, and what to do next.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import ConfigError

from .paths import compatible_glob, glob

DEFAULT_BLOCKED_COMMANDS = ("rm -rf", "git push --force", "git rebase", "git reset --hard")


class Mode(StrEnum):
    """How the policies read a call."""

    STRICT = "strict"
    """By what it does: resolved paths, parsed commands, every host's tool names."""
    COMPATIBLE = "compatible"
    """By its letters, exactly as Squad's own pipeline does."""


class PolicyConfig(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which policies are on."""

    allowed_write_paths: tuple[str, ...] = ()
    """Globs, relative to the project's root; empty allows every path."""
    blocked_commands: tuple[str, ...] | None = None
    """``None`` is ``DEFAULT_BLOCKED_COMMANDS``; an empty list blocks nothing."""
    max_ask_user_per_session: int | None = None
    scrub_pii: bool = False
    scrub_secrets: bool = False
    reviewer_lockout: bool = False
    mode: Mode = Mode.STRICT
    scrub_allow: tuple[str, ...] = ()
    """Values never scrubbed: exact texts, or ``/regular expressions/``."""
    state_dir: str = ""
    """Where counts and lockouts outlive this process; empty keeps them in memory."""

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the blocked commands, the default ones where none were given."""
        given = self.blocked_commands
        return DEFAULT_BLOCKED_COMMANDS if given is None else given

    @classmethod
    def of(cls, config: "PolicyConfig | Mapping[str, Any] | None") -> "PolicyConfig":
        """Return *config* once it is known to be sound; a mapping is read as options."""
        if isinstance(config, PolicyConfig):
            problems = problems_in(msgspec.to_builtins(config))
            if problems:
                raise _together(problems, "policies")
            return config
        return cls.from_options(config)

    @classmethod
    def from_options(
        cls, options: Mapping[str, Any] | None = None, *, where: str = "policies"
    ) -> "PolicyConfig":
        """Return the config that *options* describe; raise ``ConfigError`` with all that is wrong.

        Squad's spelling (``allowedWritePaths``, ``maxAskUser``) is understood too.
        """
        problems = problems_in(options, where=where)
        if problems:
            raise _together(problems, where)
        named = {_our_name(key): value for key, value in (options or {}).items()}
        given = {key: value for key, value in named.items() if value is not None}
        return msgspec.convert(given, cls)


def problems_in(options: object, *, where: str = "policies") -> tuple[ConfigError, ...]:
    """Return every problem of *options*, in the order in which they are written."""
    if options is None:
        return ()
    if not isinstance(options, Mapping):
        fix = "Write a table of policies, such as {scrub_pii = true}."
        return (ConfigError(where=where, what=f"{options!r:.60} is not a table", fix=fix),)
    return tuple(_problems(options, where))


_TYPES = {field.name: field.type for field in msgspec.structs.fields(PolicyConfig)}
_ALIASES = {"max_ask_user": "max_ask_user_per_session"}
_EXPECTED = {
    "allowed_write_paths": 'a list of globs, such as ["src/**"]',
    "blocked_commands": 'a list of commands, such as ["rm -rf"]',
    "max_ask_user_per_session": "a whole number",
    "scrub_pii": "true or false",
    "scrub_secrets": "true or false",
    "reviewer_lockout": "true or false",
    "mode": "'strict' or 'compatible'",
    "scrub_allow": 'a list of values, such as ["noreply@example.com", "/@example\\\\.org$/"]',
    "state_dir": "the path of a directory",
}


def _problems(options: Mapping[Any, Any], where: str) -> Iterator[ConfigError]:
    seen: dict[str, object] = {}
    for key, value in options.items():
        name = _our_name(key)
        place = f"{where}.{key}"
        if name not in _TYPES:
            yield _unknown(key, name, where)
        elif name in seen:
            fix = f"Keep '{name}'."
            yield ConfigError(where=place, what=f"says the same as '{seen[name]}'", fix=fix)
        elif value is not None:
            yield from _value_problems(name, value, place, options)
        seen.setdefault(name, key)


def _value_problems(
    name: str, value: object, place: str, options: Mapping[Any, Any]
) -> Iterator[ConfigError]:
    try:
        typed = msgspec.convert(value, _TYPES[name])
    except msgspec.ValidationError:
        fix = f"Write {_EXPECTED[name]}."
        yield ConfigError(where=place, what=f"{value!r:.60} does not fit here", fix=fix)
        return
    strict = options.get("mode", Mode.STRICT) != Mode.COMPATIBLE
    if name == "max_ask_user_per_session" and strict and typed < 0:
        fix = "Write 0 to forbid questions, or leave it out for no limit."
        yield ConfigError(where=place, what=f"{typed} questions cannot be asked", fix=fix)
    if isinstance(typed, tuple):
        yield from _entry_problems(name, typed, place, strict=strict)


def _entry_problems(
    name: str, entries: tuple[str, ...], place: str, *, strict: bool
) -> Iterator[ConfigError]:
    for index, entry in enumerate(entries):
        at = f"{place}[{index}]"
        if strict and not entry.strip():
            fix = "Take the entry out: an empty one would match everything or nothing."
            yield ConfigError(where=at, what="is empty", fix=fix)
        elif name in {"blocked_commands", "scrub_allow"} and len(entry) > 1 and is_regex(entry):
            yield from _regex_problems(entry, at)
        elif name == "allowed_write_paths":
            yield from _glob_problems(entry, at, strict=strict)
        elif strict and name == "blocked_commands" and _OPERATORS.search(entry):
            fix = "Name one command per entry, or write a regular expression between slashes."
            yield ConfigError(where=at, what=f"{entry!r} is more than one command", fix=fix)


_OPERATORS = re.compile(r"[|;&<>`\n]|\$\(")


def is_regex(entry: str) -> bool:
    """Say whether *entry* is a regular expression: ``/…/`` with something that is no path in it."""
    return len(entry) > 2 and entry.startswith("/") and entry.endswith("/")


def _regex_problems(entry: str, at: str) -> Iterator[ConfigError]:
    try:
        re.compile(entry[1:-1])
    except re.error as error:
        yield ConfigError(where=at, what=f"{entry!r} is no regular expression: {error}", fix=_REGEX)


def _glob_problems(entry: str, at: str, *, strict: bool) -> Iterator[ConfigError]:
    try:
        _ = glob(entry, "/") if strict else compatible_glob(entry)
    except re.error as error:
        fix = "Mend it; '*', '**', '?', '[abc]' and '{a,b}' have a meaning."
        yield ConfigError(where=at, what=f"{entry!r} is no glob: {error}", fix=fix)


_REGEX = "Mend it, or take the slashes away to compare by words."


def _our_name(key: object) -> str:
    """Return *key* in our spelling: ``allowedWritePaths`` is ``allowed_write_paths``."""
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(key)).lower().replace("-", "_")
    return _ALIASES.get(snake, snake)


def _unknown(key: object, name: str, where: str) -> ConfigError:
    close = get_close_matches(name, [*_TYPES, *_ALIASES], n=1)
    guess = f"Did you mean '{close[0]}'?" if close else f"Known are {', '.join(_TYPES)}."
    return ConfigError(where=where, what=f"unknown policy '{key}'", fix=guess)


def _together(problems: tuple[ConfigError, ...], where: str) -> ConfigError:
    if len(problems) == 1:
        return problems[0]
    lines = "".join(f"\n  {problem}" for problem in problems)
    what = f"{len(problems)} problems:{lines}\nNothing was switched on"
    return ConfigError(where=where, what=what, fix="Mend them all and try again.")
