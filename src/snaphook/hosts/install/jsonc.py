"""A JSON file changed in place: comments, order, spacing and unknown keys stay as they are.

text  ->  JsonNode (where everything is)        text + JsonNode + change  ->  text

Reads what agents read: JSON with ``//`` and ``/* */`` comments and trailing commas. Each edit
returns a new text; whoever makes several reads it anew in between. Pure.
"""

import json
import re
from typing import Any

from msgspec import Struct

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"', re.DOTALL)
_ATOM = re.compile(r"[^\s,\]}/]+")
_DEPTH = 200
_LINE = 80


class JsonNode(Struct, frozen=True):
    """A value and where it stands: ``text[start:end]``."""

    value: Any
    start: int
    end: int
    members: dict[str, "Member"] = {}
    """Of an object: the last of equal keys, as parsers have it."""
    items: tuple["JsonNode", ...] = ()
    """Of an array."""
    spans: tuple[tuple[int, int], ...] = ()
    """Of both: from where each part starts (its key, in an object) to where it ends."""

    @property
    def is_object(self) -> bool:
        """Say whether this is an object."""
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        """Say whether this is an array."""
        return isinstance(self.value, list)


class Member(Struct, frozen=True):
    """One part of an object: the place of its key, and its value."""

    index: int
    node: JsonNode


def parse(text: str) -> JsonNode:
    """Return the one value in *text*; ``ValueError`` tells where it is not JSON."""
    node, end = _value(text, _skip(text, 0), 0)
    end = _skip(text, end)
    if end != len(text):
        raise _mistake(text, end, "something follows the value")
    return node


def set_member(text: str, parent: JsonNode, key: str, value: Any) -> str:
    """Return *text* with *key* of the object *parent* set to *value*."""
    if (member := parent.members.get(key)) is not None:
        node = member.node
        return text[: node.start] + _rendered(text, node.start, value) + text[node.end :]
    return _append(text, parent, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def append_item(text: str, array: JsonNode, value: Any) -> str:
    """Return *text* with *value* at the end of *array*."""
    return _append(text, array, "", value)


def remove_part(text: str, parent: JsonNode, index: int) -> str:
    """Return *text* without the part at *index* of an object or array, and without its comma.

    Comments around it stay: they may be about its neighbours.
    """
    start, end = parent.spans[index]
    comma = _skip(text, end)
    close = parent.end - 1
    if text[comma] == ",":
        before, after = text[:start], text[end:comma] + text[comma + 1 :]
        is_last = index + 1 == len(parent.spans)
        return before.rstrip() + after if is_last and index else before + after.lstrip()
    if index == 0:
        around = text[parent.start + 1 : start], text[end:close]
        kept = "" if not "".join(around).strip() else "".join(around)
        return text[: parent.start + 1] + kept + text[close:]
    previous = parent.spans[index - 1][1]
    comma = _skip(text, previous)
    between, rest = text[previous:comma] + text[comma + 1 : start], text[end:]
    if not between.strip() or rest.lstrip(" \t").startswith(("\n", "\r\n")):
        between = between.rstrip()
    return text[:previous] + between + rest


def _append(text: str, parent: JsonNode, before: str, value: Any) -> str:
    close = parent.end - 1
    if not parent.spans:
        inside = text[parent.start + 1 : close]
        if inside.strip():  # a comment lives here
            head, lead = text[:close].rstrip(), _newline(text)
        else:
            head, lead = text[: parent.start + 1], _newline(text)
        outer = _indent_at(text, parent.start)
        inner = outer + _unit(text)
        body = before + _pretty(text, value, inner)
        return f"{head}{lead}{inner}{body}{lead}{outer}{text[close:]}"
    last = parent.spans[-1][1]
    after = _skip(text, last)
    has_comma = text[after] == ","
    tail = text[last:close]
    head = text[:last] + ("" if has_comma else ",")
    on_one_line = "\n" not in text[parent.start : close]
    compact = before + json.dumps(value, ensure_ascii=False)
    if on_one_line and len(compact) < _LINE:
        return f"{head}{tail.rstrip()} {compact}{tail[len(tail.rstrip()) :]}{text[close:]}"
    inner = _indent_at(text, parent.spans[0][0]) + (_unit(text) if on_one_line else "")
    body = before + _pretty(text, value, inner)
    lead = _newline(text)
    return f"{head}{tail.rstrip()}{lead}{inner}{body}{lead}{_indent_at(text, close)}{text[close:]}"


def _rendered(text: str, at: int, value: Any) -> str:
    return _pretty(text, value, _indent_at(text, at))


def _pretty(text: str, value: Any, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found.group(1) if found else "  "


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> tuple[JsonNode, int]:
    if depth > _DEPTH:
        raise _mistake(text, at, "nested too deeply")
    match text[at : at + 1]:
        case "{":
            return _object(text, at, depth)
        case "[":
            return _array(text, at, depth)
        case '"':
            found = _STRING.match(text, at)
        case _:
            found = _ATOM.match(text, at)
    if found is None:
        raise _mistake(text, at, "expected a value")
    try:
        value = json.loads(found.group(), parse_constant=_no_constant)
    except ValueError:
        raise _mistake(text, at, f"invalid value {found.group()!r:.40}") from None
    return JsonNode(value, at, found.end()), found.end()


def _object(text: str, at: int, depth: int) -> tuple[JsonNode, int]:
    members: dict[str, Member] = {}
    spans: list[tuple[int, int]] = []
    here = _skip(text, at + 1)
    while text[here : here + 1] != "}":
        key = _STRING.match(text, here)
        if key is None:
            raise _mistake(text, here, "expected a key in double quotes")
        colon = _skip(text, key.end())
        if text[colon : colon + 1] != ":":
            raise _mistake(text, colon, "expected a colon")
        node, end = _value(text, _skip(text, colon + 1), depth + 1)
        members[json.loads(key.group())] = Member(len(spans), node)
        spans.append((here, end))
        here = _next(text, end, "}")
    value = {name: member.node.value for name, member in members.items()}
    return JsonNode(value, at, here + 1, members=members, spans=tuple(spans)), here + 1


def _array(text: str, at: int, depth: int) -> tuple[JsonNode, int]:
    items: list[JsonNode] = []
    here = _skip(text, at + 1)
    while text[here : here + 1] != "]":
        node, end = _value(text, here, depth + 1)
        items.append(node)
        here = _next(text, end, "]")
    spans = tuple((item.start, item.end) for item in items)
    value = [item.value for item in items]
    return JsonNode(value, at, here + 1, items=tuple(items), spans=spans), here + 1


def _next(text: str, end: int, close: str) -> int:
    here = _skip(text, end)
    if text[here : here + 1] == ",":
        return _skip(text, here + 1)
    if text[here : here + 1] != close:
        raise _mistake(text, here, f"expected a comma or '{close}'")
    return here


def _mistake(text: str, at: int, what: str) -> ValueError:
    line = text.count("\n", 0, at) + 1
    return ValueError(f"line {line}: {what}")


def _no_constant(word: str) -> None:
    raise ValueError(word)
