"""Take the known keys out of a table; note the unknown ones and the wrong kinds.

table + Keys  ->  values that are what they should be, Problems for the rest
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from .keys import KeyKind, Keys, SettingKey
from .problems import Notes, Pointer

OTHER_WORDS: Mapping[str, str] = {
    "cmd": "command",
    "run": "command",
    "script": "command",
    "exec": "command",
    "shell_command": "command",
    "tool": "matcher",
    "tools": "matcher",
    "tool_name": "matcher",
    "pattern": "matcher",
    "match": "matcher",
    "background": "async",
    "condition": "if",
    "when": "if",
    "arguments": "args",
    "environment": "env",
    "class": "use",
    "module": "use",
    "import": "use",
}
"""What people write from memory."""


def take(table: Mapping[str, Any], known: Keys, pointer: Pointer, notes: Notes) -> dict[str, Any]:
    """Return the values of *table* that fit the keys *known*, by name."""
    taken: dict[str, Any] = {}
    for name, value in table.items():
        key = known.get(name)
        if key is None:
            unknown_key(name, known, (*pointer, name), notes)
        elif fits(value, key, (*pointer, name), notes):
            taken[name] = value
    return taken


def unknown_key(name: str, known: Collection[str], pointer: Pointer, notes: Notes) -> None:
    """Note that *name* is none of *known*, with the one that was meant, if we can tell."""
    meant = meant_key(name, known)
    fix = f"Did you mean '{meant}'?" if meant else f"Known here: {', '.join(sorted(known))}."
    notes.error("unknown-key", pointer, f"unknown key '{name}'", fix, tolerable=True)


def meant_key(name: str, known: Collection[str]) -> str | None:
    """Return the key that *name* stands for: another word for it, or a slip."""
    other = OTHER_WORDS.get(name.lower())
    return other if other in known else closest(name, known)


def fits(value: object, key: SettingKey, pointer: Pointer, notes: Notes) -> bool:
    """Say whether *value* is of the kind that *key* asks for; if not, note why."""
    if not _IS[key.kind](value):
        notes.error(
            "wrong-type",
            pointer,
            f"'{key.name}' is {shown(value)}; expected {key.kind}",
            _how_to_write(value, key),
        )
        return False
    if key.kind is KeyKind.SECONDS and not _is_duration(value):
        notes.error(
            "bad-timeout",
            pointer,
            f"'{key.name}' is {shown(value)}; expected a number of seconds above zero",
            "Give the seconds, such as 30, or leave it out for the default.",
        )
        return False
    if key.kind is KeyKind.COUNT and isinstance(value, int) and value < 0:
        notes.error("bad-count", pointer, f"'{key.name}' is {value}", "Give 0 or more.")
        return False
    if key.choices and value not in key.choices:
        choices = " or ".join(f'"{choice}"' for choice in key.choices)
        what = f"'{key.name}' is {shown(value)}"
        notes.error("bad-choice", pointer, what, f"Write {choices}.")
        return False
    return True


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return 'Did you mean …?' for the nearest of *known*, or nothing."""
    nearest = closest(word, known)
    return f"Did you mean '{nearest}'?" if nearest else ""


def closest(word: str, known: Iterable[str], *, cutoff: float = 0.7) -> str | None:
    """Return the one of *known* that *word* most likely stands for; case and ``-_ `` are free."""
    from difflib import get_close_matches  # for whoever slipped

    plain = {_plain(name): name for name in sorted(known, reverse=True)}
    found = get_close_matches(_plain(word), plain, n=1, cutoff=cutoff)
    return plain[found[0]] if found else None


def shown(value: object) -> str:
    """Return *value* as a message quotes it: short, and with its kind where that is the point."""
    match value:
        case str():
            return f'the string  "{value:.40}"'
        case bool():
            return str(value).lower()
        case None:
            return "null"
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return f"{value!s:.40}"


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "").replace(" ", "")


def _is_duration(value: object) -> bool:
    return isinstance(value, int | float) and 0 < value < math.inf


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


_IS: Mapping[KeyKind, Callable[[Any], bool]] = {
    KeyKind.TEXT: lambda value: isinstance(value, str),
    KeyKind.FLAG: lambda value: isinstance(value, bool),
    KeyKind.SECONDS: _is_number,
    KeyKind.COUNT: lambda value: isinstance(value, int) and not isinstance(value, bool),
    KeyKind.TABLE: lambda value: isinstance(value, dict),
    KeyKind.LIST: lambda value: isinstance(value, list),
    KeyKind.TEXTS: lambda value: isinstance(value, list) and _is_texts(value),
    KeyKind.WORDS: lambda value: isinstance(value, dict) and _is_texts(value.values()),
}


def _how_to_write(value: object, key: SettingKey) -> str:
    """Return the advice that fits the most likely slip: quotes too many, quotes missing, a list."""
    bare = value.strip().strip("\"'").lower() if isinstance(value, str) else ""
    match key.kind:
        case KeyKind.SECONDS | KeyKind.COUNT if bare.replace(".", "", 1).isdigit():
            return f"Write {bare} without quotes."
        case KeyKind.SECONDS if bare:
            return 'Write the seconds as a number: 30, not "30s".'
        case KeyKind.FLAG if bare in ("true", "false", "yes", "no", "on", "off"):
            return f"Write {'true' if bare in ('true', 'yes', 'on') else 'false'} without quotes."
        case KeyKind.TEXT if isinstance(value, list) and key.name == "command":
            return 'Write one shell command as a string; put the arguments of a program in "args".'
        case KeyKind.TEXT if isinstance(value, list) and key.name == "matcher":
            return 'Join the names with |: "Edit|Write".'
        case KeyKind.TEXT if value is None:
            return "Remove it."
        case _:
            return f"Make it {key.kind}."
