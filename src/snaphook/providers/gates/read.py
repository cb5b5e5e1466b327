"""Read the gates of a project.

``.sauna/hooks.json``  ->  Gates

A list, in order: ``"make test"`` or ``{"command": "make test", "name": …, "timeout": …}``. No file, an
empty one or an empty list means no gates; anything else that is not such a list is an error told
before any work starts.
"""

import difflib
import json
from pathlib import Path
from typing import Any

from snaphook.errors import ConfigError

from .gate import Gate

FILE = Path(".sauna") / "hooks.json"
KEYS = ("command", "name", "timeout", "group")


def read_gates(codebase: Path) -> tuple[Gate, ...]:
    """Return the gates of the project at *codebase*, shared by all its jobs."""
    path = codebase / FILE
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(path, f"cannot be read: {error}", "Make it a readable UTF-8 file.") from error
    if not text.strip():
        return ()
    try:
        listed = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{path}:{error.lineno}"
        raise ConfigError(
            where=place, what=f"is not JSON: {error.msg} (column {error.colno})", fix="Fix it."
        ) from error
    if not isinstance(listed, list):
        raise _wrong(path, "hooks.json must contain a JSON array", 'Write ["make test"].')
    gates = [_gate(entry, path, number) for number, entry in enumerate(listed)]
    return tuple(sorted(gates, key=lambda gate: gate.group))


def _gate(entry: Any, path: Path, number: int) -> Gate:
    at = f"[{number}]"
    if isinstance(entry, str):
        return Gate(command=entry)
    if not isinstance(entry, dict):
        raise _wrong(
            path,
            f"{at}: every element in hooks.json must be a string or an object with a command",
            'Write "make test" or {"command": "make test"}.',
        )
    for key in entry:
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"A gate takes {', '.join(KEYS)}."
            raise _wrong(path, f"{at}: unknown key '{key}'", hint)
    command = entry.get("command")
    if not isinstance(command, str):
        raise _wrong(path, f"{at}: 'command' must be a string", 'Write {"command": "make test"}.')
    name, timeout, group = entry.get("name", ""), entry.get("timeout"), entry.get("group", 0)
    if not isinstance(name, str):
        raise _wrong(path, f"{at}: 'name' must be a string", "Quote it.")
    if timeout is not None and (not _is_number(timeout) or timeout <= 0):
        raise _wrong(path, f"{at}: 'timeout' must be a number of seconds above zero", "Write 60.")
    if not isinstance(group, int) or isinstance(group, bool):
        raise _wrong(path, f"{at}: 'group' must be a whole number", "Write 0, 1, 2 …")
    return Gate(command=command, name=name, timeout=timeout, group=group)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _wrong(path: Path, what: str, fix: str) -> ConfigError:
    return ConfigError(where=str(path), what=what, fix=fix)
