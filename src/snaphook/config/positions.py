"""Where in a file each value stands: worked out only when somebody asks.

bytes  ->  tree-sitter  ->  {pointer: (line, column)}

The parser is tolerant, so the places stay right in a file with a mistake elsewhere.
"""

import json
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tree_sitter import Language, Node, Parser

from .problems import Pointer

Position = tuple[int, int]
"""Line and column, counted from one."""

_NEWLINE = ord("\n")
_STRINGS = ("string", "quoted_key")
_CONTAINERS = ("object", "array", "inline_table")


class Positions:
    """Every place of one file, and the names that were given twice."""

    def __init__(self, raw: bytes, *, toml: bool) -> None:
        self.known: dict[Pointer, Position] = {}
        self.repeated: list[tuple[Pointer, Position, Position]] = []
        """Names given twice in one table: the pointer, where first, where again."""
        self._entries: dict[Pointer, int] = {}
        self._breaks = [at for at, byte in enumerate(raw) if byte == _NEWLINE]
        root = _parser(toml).parse(raw).root_node
        if toml:
            self._walk_toml(root)
        else:
            for child in root.named_children:
                self._walk(child, ())

    def at(self, pointer: Pointer) -> Position:
        """Return where *pointer* stands, or the nearest thing around it that has a place."""
        while pointer and pointer not in self.known:
            pointer = pointer[:-1]
        return self.known.get(pointer, (1, 1))

    def _walk(self, node: Node, pointer: Pointer) -> None:
        """Note what is inside a value; broken parts are looked into, too."""
        if node.type == "array":
            for index, child in enumerate(_values(node)):
                self._note((*pointer, index), child)
                self._walk(child, (*pointer, index))
        elif node.type in _CONTAINERS or node.type == "ERROR":
            for child in node.named_children:
                if child.type == "pair":
                    self._pair(child, pointer)
                elif child.type == "ERROR":
                    self._walk(child, pointer)

    def _pair(self, node: Node, inside: Pointer) -> None:
        """Note a name and what it holds; a name that stands there already is a repeated one."""
        if not node.named_children:
            return
        key, value = node.named_children[0], node.named_children[-1]
        *outer, last = _names(key)
        for name in outer:
            inside = (*inside, name)
            self._note(inside, key)
        pointer = (*inside, last)
        if pointer in self.known:
            self._forget(pointer, self._position(key))
        self._note(pointer, key)
        if value is not key:
            self._walk(value, pointer)

    def _forget(self, pointer: Pointer, again: Position) -> None:
        """Drop what stood under a name that is given again: the last one counts."""
        self.repeated.append((pointer, self.known[pointer], again))
        depth = len(pointer)
        for inside in [known for known in self.known if known[:depth] == pointer]:
            del self.known[inside]

    def _walk_toml(self, root: Node) -> None:
        for node in root.named_children:
            if node.type in ("table", "table_array_element"):
                pointer = self._header(node, listed=node.type == "table_array_element")
                pairs = node.named_children[1:]
            else:
                pointer, pairs = (), [node]
            for pair in pairs:
                if pair.type == "pair":
                    self._pair(pair, pointer)
                elif pair.type == "ERROR":
                    self._walk(pair, pointer)

    def _header(self, node: Node, *, listed: bool) -> Pointer:
        """Return the pointer that ``[a.b]`` or ``[[a.b]]`` opens; a list is at its last entry."""
        pointer: Pointer = ()
        names = list(_names(node.named_children[0])) if node.named_children else []
        for depth, name in enumerate(names, start=1):
            pointer = (*pointer, name)
            self._note(pointer, node)
            if listed and depth == len(names):
                self._entries[pointer] = self._entries.get(pointer, -1) + 1
            if pointer in self._entries:
                pointer = (*pointer, self._entries[pointer])
                self._note(pointer, node)
        return pointer

    def _position(self, node: Node) -> Position:
        """Return where *node* starts; its own ``start_point`` can crash in tree-sitter 0.26."""
        line = bisect_left(self._breaks, node.start_byte)
        start = self._breaks[line - 1] + 1 if line else 0
        return line + 1, node.start_byte - start + 1

    def _note(self, pointer: Pointer, node: Node) -> None:
        self.known.setdefault(pointer, self._position(node))


def positions(raw: bytes, path: Path) -> Positions:
    """Return the places in *raw*, read as the name of *path* says."""
    return Positions(raw, toml=path.suffix == ".toml")


@cache
def _parser(toml: bool) -> Parser:
    from importlib import import_module

    grammar = import_module("tree_sitter_toml" if toml else "tree_sitter_json")
    return Parser(Language(grammar.language()))


def _names(node: Node) -> Iterator[str]:
    """Yield the names of a key; a dotted key has several."""
    if node.type == "dotted_key":
        for child in node.named_children:
            yield from _names(child)
    else:
        yield _name(node)


def _name(node: Node) -> str:
    text = (node.text or b"").decode(errors="replace")
    if node.type not in _STRINGS:
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return text.strip("\"'")


def _values(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in ("comment", "ERROR")]
