"""Add a hook to a settings file and leave the rest of it as it is.

file + hook  ->  the same file, one entry longer
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import AoT, Array, Table

from snaphook.errors import ConfigError

from .documents import Malformed, parse, read_bytes
from .write import write_settings


def add_hook(path: Path, event: str, hook: Mapping[str, Any]) -> bool:
    """Put *hook* at the end of *event* in *path*; say whether the file changed.

    A hook that stands there with the same command and matcher is not added again. Comments and
    order of a TOML file stay; a JSON file keeps its order and its indentation.
    """
    raw = read_bytes(path) if path.exists() else b""
    try:
        data = parse(raw, path)
        if any(_same(known, hook) for known in _hooks(data, event)):
            return False
        text = raw.decode("utf-8-sig")
        native = path.suffix == ".toml"
        new = into_toml(text, event, hook) if native else into_json(text, event, hook)
    except (Malformed, _Unfit) as why:
        raise ConfigError(
            where=str(path),
            what=f"a hook cannot be added to a file that {why}",
            fix="Run 'snaphook check', fix it, and try again.",
        ) from None
    write_settings(path, new)
    return True


def add_to_list(path: Path, key: tuple[str, str], lines: list[str], *, comment: str = "") -> None:
    """Put *lines* at the end of the list under *key* in the TOML file *path*; what is there stays."""
    _edit(path, lambda text: into_list(text, key, lines, comment))


def set_value(path: Path, key: tuple[str, str], value: Any) -> None:
    """Write *value* under *key* in the TOML file *path*; what else is there stays."""
    _edit(path, lambda text: _with_value(text, key, value))


def _edit(path: Path, change: Callable[[str], str]) -> None:
    """Replace the TOML file *path* by what *change* makes of it; one that cannot be read is left alone."""
    raw = read_bytes(path) if path.exists() else b""
    try:
        parse(raw, path)
        new = change(raw.decode("utf-8-sig"))
    except (Malformed, _Unfit) as why:
        raise ConfigError(
            where=str(path),
            what=f"nothing can be added to a file that {why}",
            fix="Run 'snaphook check', fix it, and try again.",
        ) from None
    write_settings(path, new)


def _with_value(text: str, key: tuple[str, str], value: Any) -> str:
    document = tomlkit.parse(text)
    table = document.setdefault(key[0], tomlkit.table())
    if not isinstance(table, Table):
        raise _Unfit(f"holds something else under '{key[0]}'")
    table[key[1]] = value
    return tomlkit.dumps(document)


def into_list(text: str, key: tuple[str, str], lines: list[str], comment: str = "") -> str:
    """Return *text* with *lines* at the end of the list, those that stand there already left out."""
    document = tomlkit.parse(text)
    table = document.setdefault(key[0], tomlkit.table())
    items = table.setdefault(key[1], tomlkit.array()) if isinstance(table, Table) else None
    if not isinstance(items, Array):
        raise _Unfit(f"holds something else under '{key[0]}.{key[1]}'")
    for line in lines:
        if line not in items:
            items.add_line(_toml_value(line), comment=comment, add_comma=True)
    items.multiline(True)
    return tomlkit.dumps(document)


class _Unfit(Exception):  # noqa: N818 - it says what the file is
    """The file has something else where the hooks should be."""


def _hooks(data: Mapping[str, Any], event: str) -> Iterator[Mapping[str, Any]]:
    """Yield the hooks of *event*, each with its matcher, in whichever shape they are written."""
    hooks = data.get("hooks", {})
    groups = hooks.get(event, []) if isinstance(hooks, dict) else None
    if not isinstance(groups, list):
        raise _Unfit(f"holds something else under 'hooks' or '{event}'")
    for group in groups:
        if not isinstance(group, dict):
            raise _Unfit(f"holds something else than tables under '{event}'")
        inside = group.get("hooks", [group])
        for handler in inside if isinstance(inside, list) else ():
            if isinstance(handler, dict):
                yield {"matcher": group.get("matcher"), **handler}


def _same(known: Mapping[str, Any], hook: Mapping[str, Any]) -> bool:
    same_tools = (known.get("matcher") or "*") == (hook.get("matcher") or "*")
    return same_tools and known.get("command") == hook.get("command")


def into_toml(text: str, event: str, hook: Mapping[str, Any]) -> str:
    """Return *text* with the hook as a last ``[[hooks.Event]]``."""
    document = tomlkit.parse(text)
    hooks = document.setdefault("hooks", tomlkit.table(is_super_table=True))
    entries = hooks.setdefault(event, tomlkit.aot())
    if not isinstance(hooks, Table) or not isinstance(entries, AoT):
        raise _Unfit(f"spells 'hooks' inline, where [[hooks.{event}]] is needed")
    entry = tomlkit.table()
    for name, value in hook.items():
        entry.add(name, _toml_value(value))
    entries.append(entry)
    return tomlkit.dumps(document)


def _toml_value(value: Any) -> Any:
    """Return a text in the quotes that need no escapes, as people would write it."""
    if not isinstance(value, str) or not re.search(r'["\\\n]', value) or value.endswith("'"):
        return value
    if "'''" in value:
        return value
    many = "'" in value or "\n" in value
    return tomlkit.string(value, literal=True, multiline=many)


def into_json(text: str, event: str, hook: Mapping[str, Any]) -> str:
    """Return *text* with the hook in a group of its own."""
    data = json.loads(text or "{}")
    handler = {"type": "command"} | {name: hook[name] for name in hook if name != "matcher"}
    group = {"matcher": hook["matcher"]} if hook.get("matcher") else {}
    data.setdefault("hooks", {}).setdefault(event, []).append({**group, "hooks": [handler]})
    indent = re.search(r"\n([ \t]+)\S", text)
    return json.dumps(data, indent=indent[1] if indent else 2, ensure_ascii=False) + "\n"
