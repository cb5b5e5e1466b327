"""The tables of ``snaphook.toml`` that packages read, as a part of the settings page.

SECTION_SPECS  ->  docs/reference/settings.md
"""

import ast
import inspect
import json
from collections.abc import Iterator
from enum import EnumMeta
from itertools import pairwise
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct

from snaphook.wiring.sections import every_section

_HEAD = """
## The tables of other parts

Each belongs to the part of Snaphook that it is named after; the how-to pages say what they are for.

"""


def section_tables() -> str:
    """Return a section with the keys of every package's table."""
    return _HEAD + "\n".join(
        part for name, kind in every_section().items() for part in _table(f"[{name}]", name, kind)
    )


def _table(title: str, name: str, kind: type[Struct]) -> Iterator[str]:
    told = docstrings(kind)
    rows = []
    nested = []
    for field in msgspec.structs.fields(kind):
        if field.encode_name.startswith("("):
            continue
        if inner := _inner(field.type):
            nested.append((f"[[{name}.{field.encode_name}]]", f"{name}.{field.encode_name}", inner))
        default = "needed" if field.required else _default(field)
        meaning = told.get(field.name, "").replace("|", "\\|")
        rows.append(f"| `{field.encode_name}` | {_kind(field.type)} | {default} | {meaning} |")
    head = "| key | value | default | meaning |\n|---|---|---|---|"
    yield f"### `{title}`\n\n{inspect.cleandoc(kind.__doc__ or '').splitlines()[0]}\n"
    yield "\n".join([head, *rows, ""])
    for one in nested:
        yield from _table(*one)


def _inner(kind: Any) -> type[Struct] | None:
    """Return the Struct that a list of tables holds."""
    if get_origin(kind) is tuple:
        [first, *_] = get_args(kind)
        return first if isinstance(first, type) and issubclass(first, Struct) else None
    return None


def _default(field: Any) -> str:
    value = field.default if field.default is not NODEFAULT else field.default_factory()
    if value in ((), {}, "", None, []):
        return "–"
    try:
        return f"`{json.dumps(value)}`".replace("|", "\\|")
    except TypeError:
        return "–"


def _kind(kind: Any) -> str:
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _kind(args[0])
    if isinstance(kind, EnumMeta):
        return " or ".join(f"`{one.value}`" for one in kind)
    if origin is Literal:
        return " or ".join(f"`{one}`" for one in args)
    if origin in (Union, type(str | int)):
        return " or ".join(dict.fromkeys(_kind(one) for one in args if one is not type(None)))
    if _inner(kind):
        return "tables"
    if origin in (tuple, list, frozenset):
        return "a list of strings" if args and args[0] is str else "a list"
    names = {str: "a string", bool: "true or false", int: "a number", float: "a number"}
    return names.get(kind, "a table")


def docstrings(kind: type[Struct]) -> dict[str, str]:
    """Return what stands below each field in the source."""
    told: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        if one in (Struct, object) or one.__module__.startswith("msgspec"):
            continue
        [tree] = ast.parse(inspect.getsource(one).strip()).body
        body = getattr(tree, "body", [])
        for field, after in pairwise(body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                value = getattr(after, "value", None)
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    told[field.target.id] = " ".join(value.value.split())
    return told
