"""Options, as settings tables and keyword arguments spell them, to the policies they choose.

{"allowedWritePaths": ["src/**"]}  ->  PolicyConfig, or every mistake at once

Squad's spelling is understood too. Pure.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

import msgspec

from snaphook.errors import ConfigError
from snaphook.shell.patterns import PatternError, text_pattern

from .config import PolicyConfig, PolicyMode
from .paths import compatible_glob, glob


class OptionError(NamedTuple):
    """A mistake in some options: where in them, what, and what to do next."""

    pointer: tuple[str | int, ...]
    what: str
    fix: str


def read_options(options: Any = None, *, where: str = "policies") -> PolicyConfig:
    """Return the config that *options* describe; raise ``ConfigError`` with all that is wrong."""
    problems = problems_in(options, where=where)
    if problems:
        raise _together(problems, where)
    named = {_our_name(key): value for key, value in (options or {}).items()}
    given = {key: value for key, value in named.items() if value is not None}
    return msgspec.convert(given, PolicyConfig)


def sound(config: PolicyConfig | Mapping[str, Any] | None) -> PolicyConfig:
    """Return *config* once it is known to hold no mistake; a mapping is read as options."""
    if isinstance(config, PolicyConfig):
        read_options(msgspec.to_builtins(config))
        return config
    return read_options(config)


def problems_in(options: object, *, where: str = "policies") -> tuple[ConfigError, ...]:
    """Return every mistake in *options* as an error, in the order in which they are written."""
    return tuple(
        ConfigError(where=_spelled(where, error.pointer), what=error.what, fix=error.fix)
        for error in errors_in(options)
    )


def errors_in(options: object) -> Iterator[OptionError]:
    """Yield every mistake in *options*, in the order in which they are written."""
    if options is None:
        return
    if not isinstance(options, Mapping):
        fix = "Write a table of policies, such as {scrub_pii = true}."
        yield OptionError((), f"{options!r:.60} is not a table", fix)
        return
    strict = options.get("mode", PolicyMode.STRICT) != PolicyMode.COMPATIBLE
    seen: dict[str, object] = {}
    for key, value in options.items():
        name = _our_name(key)
        if name not in _TYPES:
            yield _unknown(key, name)
        elif name in seen:
            yield OptionError((str(key),), f"duplicates '{seen[name]}'", f"Keep '{name}'.")
        elif value is not None:
            for error in _in_value(name, value, strict=strict):
                yield error._replace(pointer=(str(key), *error.pointer))
        seen.setdefault(name, key)


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
    "salt_file": "the path of a file",
}


def _in_value(name: str, value: object, *, strict: bool) -> Iterator[OptionError]:
    try:
        typed = msgspec.convert(value, _TYPES[name])
    except msgspec.ValidationError:
        yield OptionError((), f"{value!r:.60} does not fit here", f"Write {_EXPECTED[name]}.")
        return
    if name == "max_ask_user_per_session" and strict and typed < 0:
        fix = "Write 0 to forbid questions, or leave it out for no limit."
        yield OptionError((), f"invalid number of questions {typed}", fix)
    for index, entry in enumerate(typed if isinstance(typed, tuple) else ()):
        for error in _in_entry(name, entry, strict=strict):
            yield error._replace(pointer=(index,))


def _in_entry(name: str, entry: str, *, strict: bool) -> Iterator[OptionError]:
    if strict and not entry.strip():
        fix = "Remove the entry: an empty one would match everything or nothing."
        yield OptionError((), "is empty", fix)
    elif name != "allowed_write_paths" and is_regex(entry):
        yield from _in_regex(entry)
    elif name == "allowed_write_paths":
        yield from _in_glob(entry, strict=strict)
    elif strict and name == "blocked_commands" and _OPERATORS.search(entry):
        fix = "Name one command per entry, or write a regular expression between slashes."
        yield OptionError((), f"{entry!r} is more than one command", fix)


_OPERATORS = re.compile(r"[|;&<>`\n]|\$\(")


def is_regex(entry: str) -> bool:
    """Say whether *entry* is a regular expression: something between slashes."""
    return len(entry) > 2 and entry.startswith("/") and entry.endswith("/")


def _in_regex(entry: str) -> Iterator[OptionError]:
    try:
        text_pattern(entry[1:-1])
    except (re.error, PatternError) as error:
        fix = "Fix it, or remove the slashes to compare words."
        yield OptionError((), f"{entry!r} is not a valid regular expression: {error}", fix)


def _in_glob(entry: str, *, strict: bool) -> Iterator[OptionError]:
    try:
        _ = glob(entry, "/") if strict else compatible_glob(entry)
    except (re.error, PatternError) as error:
        fix = "Fix it; '*', '**', '?', '[abc]' and '{a,b}' are special."
        yield OptionError((), f"{entry!r} is not a valid glob: {error}", fix)


def _our_name(key: object) -> str:
    """Return *key* in our spelling: ``allowedWritePaths`` is ``allowed_write_paths``."""
    snake = re.sub(r"(?<=[a-z])([A-Z])", r"_\1", str(key)).lower().replace("-", "_")
    return _ALIASES.get(snake, snake)


def _unknown(key: object, name: str) -> OptionError:
    close = get_close_matches(name, [*_TYPES, *_ALIASES], n=1)
    guess = f"Did you mean '{close[0]}'?" if close else f"Use one of: {', '.join(_TYPES)}."
    return OptionError((str(key),), f"unknown policy '{key}'", guess)


def _spelled(where: str, pointer: tuple[str | int, ...]) -> str:
    """Return the place in one word: ``policies.blocked_commands[0]``."""
    return where + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in pointer)


def _together(problems: tuple[ConfigError, ...], where: str) -> ConfigError:
    if len(problems) == 1:
        return problems[0]
    lines = "".join(f"\n  {problem}" for problem in problems)
    what = f"{len(problems)} problems:{lines}\nNo policy was enabled"
    return ConfigError(where=where, what=what, fix="Fix them and try again.")
