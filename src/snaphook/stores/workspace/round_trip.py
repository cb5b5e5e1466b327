"""Changing a YAML file as a whole, its comments, order and quotes kept.

text + change  ->  text, checked by reading it back
"""

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .parse import parse, unreadable
from .write_yaml import WORDS

_NESTED = re.compile(r"(?m)^( *)[^\s#-][^\r\n]*:[ \t]*\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)-[ ]")


def changed(text: str, change: Callable[[Any], None], *, where: Path) -> str:
    """Return *text* after *change* was made to what it holds."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    trip = YAML()
    trip.preserve_quotes = True
    trip.width = 1 << 16
    trip.allow_unicode = True
    offset = _offset(text)
    trip.indent(mapping=2, sequence=2 + offset, offset=offset)
    try:
        held = trip.load(text)
    except YAMLError as error:
        raise unreadable(where, error) from error
    before = parse(text, where=where)
    change(held)
    written = io.StringIO()
    trip.dump(held, written)
    after = written.getvalue()
    if "\r\n" in text:
        after = after.replace("\r\n", "\n").replace("\n", "\r\n")
    now = parse(after, where=where)
    if now == before:
        return text
    return after


def quoted(value: Any) -> Any:
    """Return *value* with quotes around words that older readers of YAML take for something else."""
    if isinstance(value, dict):
        return {name: quoted(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [quoted(inner) for inner in value]
    if isinstance(value, str) and value.lower() in WORDS:
        from ruamel.yaml.scalarstring import SingleQuotedScalarString

        return SingleQuotedScalarString(value)
    return value


def _offset(text: str) -> int:
    """Return how far this file sets its dashes in from the key above them."""
    found = _NESTED.search(text)
    return max(0, len(found[2]) - len(found[1])) if found else 2
