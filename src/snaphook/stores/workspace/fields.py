"""Changing an item's fields on their own lines, the other lines and every comment left alone.

item + changes  ->  item, checked by reading it back
"""

import re
from collections.abc import Mapping
from typing import Any

from snaphook.errors import StoreError

from .parse import parse
from .write_yaml import flow, scalar

_OPENING = re.compile(r"( *-[ ]+)([^\s#{\[\"'&*!|>])")
_VALUE = re.compile(
    r"""(?P<space>[ \t]*)
        (?P<value>'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|\[[^\[\]{}#'"]*\]|[^\s\[{|>&*!'"#](?:[^\#\r\n]|(?<=\S)\#)*?|)
        (?P<after>[ \t]*|[ \t]+\#[^\r\n]*)(?P<end>\r?\n|\Z)""",
    re.VERBOSE,
)


def with_fields(item: str, changes: Mapping[str, Any]) -> str | None:
    """Return *item* with *changes* made (``None`` takes a field out).

    Where its lines cannot be changed one by one, the answer is ``None``: then somebody with a full
    round-trip parser must do it.
    """
    try:
        (before,) = parse(item, where="item")
    except (StoreError, TypeError, ValueError):
        return None
    wanted = apply(before, changes)
    if wanted == before:
        return item
    changed: str | None = item
    for name, value in changes.items():
        if changed is not None and before.get(name) != value:
            changed = _with_field(changed, name, value)
    if changed is None:
        return None
    try:
        same = parse(changed, where="item") == [wanted]
    except StoreError:
        return None
    return changed if same else None


def apply(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return *before* with *changes* made."""
    kept = {name: value for name, value in before.items() if changes.get(name, "") is not None}
    return kept | {name: value for name, value in changes.items() if value is not None}


def new_item(fields: Mapping[str, Any], *, indent: int, newline: str) -> str:
    """Return *fields* as a new item of a list whose dashes stand at *indent*."""
    margin = " " * indent
    lines = [
        f"{margin}{'  ' if position else '- '}{name}: {scalar(value)}"
        for position, (name, value) in enumerate(fields.items())
    ]
    return newline.join([*lines, ""])


def one_line(fields: Mapping[str, Any], *, indent: int, newline: str) -> str:
    """Return *fields* as a new item on a single line."""
    return f"{' ' * indent}- {flow(dict(fields))}{newline}"


def _with_field(item: str, name: str, value: Any) -> str | None:
    opening = _OPENING.match(item)
    if opening is None:
        return None
    margin = " " * len(opening[1])
    found = re.search(rf"(?m)^(?:{margin}|{re.escape(opening[1])}){re.escape(name)}:(?=\s)", item)
    if found is None:
        return item if value is None else _with_line(item, margin, f"{name}: {scalar(value)}")
    old = _VALUE.match(item, found.end())
    if old is None or _goes_on(item, old.end(), len(margin)):
        return None
    if value is None:
        return None if found.start() == 0 else item[: found.start()] + item[old.end() :]
    return f"{item[: found.end()]} {scalar(value)}{old['after'].rstrip()}{old['end']}{item[old.end() :]}"


def _goes_on(item: str, at: int, margin: int) -> bool:
    """Say whether the value of a field is continued on the line at *at*."""
    following = re.compile(r"( *)(\S)").match(item, at)
    if following is None or following[2] == "#":
        return False
    return len(following[1]) > margin or (len(following[1]) == margin and following[2] == "-")


def _with_line(item: str, margin: str, line: str) -> str:
    """Return *item* with *line* after its last field, before the comments that trail it."""
    newline = "\r\n" if "\r\n" in item else "\n"
    lines = item.splitlines(keepends=True)
    last = max(n for n, text in enumerate(lines) if text.strip() and text.lstrip()[0] != "#")
    if not lines[last].endswith("\n"):
        lines[last] += newline
    return "".join([*lines[: last + 1], f"{margin}{line}{newline}", *lines[last + 1 :]])
