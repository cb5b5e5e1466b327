"""A YAML file whose bulk is one list, taken apart without being parsed.

text  ->  head + items + tail  ->  the same text, byte for byte

An item is the run of lines from its dash to the next. So one item can be read, changed and put back while
every other line of a large file stays as its author wrote it. Only block lists can be taken apart; a list
in flow style ('[…]') cannot, and its file is then handled whole.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .parse import parse, unreadable

_FIRST = re.compile(r"(?m)^( *)([^\s#].*)")
_DASH = re.compile(r"-(?=[ \r\n]|$)")


class Listing(Struct, frozen=True, kw_only=True):
    """A file taken apart at the dashes of its list."""

    head: str
    items: Sequence[str]
    tail: str
    indent: int
    """How far the dashes stand from the margin."""
    key: str | None
    """What the list is called; ``None`` where the list is the whole document."""

    @property
    def text(self) -> str:
        """Return the file put together again."""
        return "".join((self.head, *self.items, self.tail))

    @property
    def newline(self) -> str:
        """Return how this file ends its lines."""
        return "\r\n" if "\r\n" in self.head or "\r\n" in "".join(self.items[:1]) else "\n"

    def with_item(self, position: int, item: str) -> "Listing":
        """Return it with another item at *position*."""
        return replace(self, items=[*self.items[:position], item, *self.items[position + 1 :]])

    def with_more(self, item: str) -> "Listing":
        """Return it with *item* after the last one."""
        items = list(self.items)
        if items and not items[-1].endswith("\n"):
            items[-1] += self.newline
        return replace(self, items=[*items, item])


def take_apart(text: str, keys: Sequence[str | None]) -> Listing | None:
    """Return *text* taken apart at the first list of *keys*, or ``None`` if that cannot be done."""
    begun = beginning(text, keys)
    return None if begun is None else _from(text, *begun)


def beginning(text: str, keys: Sequence[str | None]) -> tuple[int, int, str | None] | None:
    """Return where the list's first line is, how far its dash is set in, and what it is called."""
    for key in keys:
        if (begun := _begin(text, key)) is not None:
            return *begun, key
    return None


def _begin(text: str, key: str | None) -> tuple[int, int] | None:
    """Return where the first dash's line starts and how far the dash is indented."""
    after = 0
    if key is not None:
        named = re.search(rf"(?m)^(?:{key}|'{key}'|\"{key}\"):[ \t]*(?:#.*)?\r?$", text)
        if named is None:
            return None
        after = named.end()
    first = _FIRST.search(text, after)
    while first is not None and key is None and first[2].startswith(("---", "%", "\ufeff")):
        first = _FIRST.search(text, first.end())
    if first is None or not _DASH.match(first[2]) or (key is None and first[1]):
        return None
    return first.start(), len(first[1])


def _from(text: str, start: int, indent: int, key: str | None) -> Listing:
    """Cut at every dash in the column of the first; anything else there or before it ends the list."""
    edges, end = [], len(text)
    for line in re.compile(rf"(?m)^( {{0,{indent}}})[^\s#]").finditer(text, start):
        if len(line[1]) == indent and _DASH.match(text, line.end() - 1):
            edges.append(line.start())
        elif len(line[1]) <= indent:
            end = line.start()
            break
    bounds = [*edges, end]
    return Listing(
        head=text[:start],
        items=[text[a:b] for a, b in pairwise(bounds)],
        tail=text[end:],
        indent=indent,
        key=key,
    )


def read_items(items: Sequence[str], *, where: Path) -> list[dict[str, Any]]:
    """Return what *items* hold, read in one go.

    A dash that turned out to be inside something else would make them fewer than were cut.
    """
    found = parse("".join(items), where=where) or []
    if len(found) != len(items):
        raise unreadable(where, f"{len(items)} items were counted and {len(found)} read")
    for position, item in enumerate(found):
        if not isinstance(item, dict):
            raise unreadable(where, f"item {position + 1} of the list is not a mapping")
    return found
