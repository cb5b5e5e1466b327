"""Our entries in a TOML file whose hooks are ``[[hooks]]`` tables, each naming its event.

text + Placement + command  ->  text

Comments, order and other tables stay as they are. Pure.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from snaphook.errors import ConfigError
from snaphook.hosts.placement import Placement

from .entries import handler, is_ours


def wired_tables(text: str, placement: Placement, command: Sequence[str], host: str) -> str:
    """Return *text* with a table of ours for each event."""
    wanted = [
        {placement.event_key: wired.event, **handler(placement, wired, command, host)}
        for wired in placement.wired
    ]
    document = _read(text)
    if [dict(table) for table in _ours(document, placement, host)] == wanted:
        return text
    text = unwired_tables(text, placement, host)
    document = _read(text)
    if not isinstance(document.get("hooks", tomlkit.aot()), AoT):
        raise ConfigError(
            where="hooks",
            what=f"is {document['hooks']!r:.40}; expected [[hooks]] tables",
            fix="Fix it by hand; nothing was changed.",
        )
    added = tomlkit.document()
    tables = tomlkit.aot()
    for entry in wanted:
        table = tomlkit.table()
        table.update(entry)
        tables.append(table)
    added["hooks"] = tables
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return text + gap + tomlkit.dumps(added)


def unwired_tables(text: str, placement: Placement, host: str) -> str:
    """Return *text* without our tables; a comment that stands below one of them stays."""
    _read(text)
    kept: list[str] = []
    lines = text.splitlines(keepends=True)
    while lines:
        block = _block(lines)
        if not any(is_ours(_value(line, placement.command_key), host) for line in block):
            kept += block
        elif lines[len(block) : len(block) + 1] in (["\n"], ["\r\n"]):
            block.append("\n")
        del lines[: len(block)]
    return "".join(kept)


def _block(lines: list[str]) -> list[str]:
    """Return the table that *lines* begin with, header and keys, or else the first line alone."""
    if lines[0].strip() != "[[hooks]]":
        return lines[:1]
    keys = takewhile(lambda line: line.strip() and line.lstrip()[0] not in "#[", lines[1:])
    return [lines[0], *keys]


def _value(line: str, key: str) -> object:
    name, _, value = line.partition("=")
    if name.strip() != key:
        return None
    return value.strip()[1:-1]


def lines_of(text: str, placement: Placement, host: str) -> list[tuple[str, str]]:
    """Return each event that *text* wires us to, and the command line it has."""
    return [
        (str(table[placement.event_key]), str(table[placement.command_key]))
        for table in _ours(_read(text), placement, host)
    ]


def _ours(document: Any, placement: Placement, host: str) -> list[Any]:
    tables = document.get("hooks", [])
    if not isinstance(tables, AoT):
        return []
    return [table for table in tables if is_ours(table.get(placement.command_key), host)]


def _read(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as problem:
        raise ConfigError(
            where="settings", what=f"not TOML: {problem}", fix="Fix it; nothing was changed."
        ) from None
