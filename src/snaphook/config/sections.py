"""Check a table that another package reads against the Struct that package gave us.

table + Struct  ->  Problems

Every field is tried by itself, so that one wrong type does not hide the next.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Struct

from .problems import Notes, Pointer
from .take import unknown_key

_PATH = re.compile(r" - at `\$?(?P<path>[^`]*)`$")
_STOPPING = ("wrong-type", "missing-key")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def check_section(
    table: Mapping[str, Any],
    kind: type[Struct],
    pointer: Pointer,
    notes: Notes,
    others: Mapping[str, type[Struct]] | None = None,
    *,
    thorough: bool = False,
) -> None:
    """Note every key of *table* that *kind* does not have, and every value of a wrong type.

    *thorough*: what else a package finds wrong with its table, in a static method ``find_errors``, and what
    it takes for a slip, in ``find_warnings``. Answering a hook does without: neither stops the loading. A
    *kind* with ``each`` is a table of such tables; in those, the tables of the *others* may stand.
    """
    if (each := getattr(kind, "each", None)) is not None:
        _check_each(table, each, pointer, notes, others or {}, thorough=thorough)
        table = {}
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    fields = {name: field for name, field in fields.items() if name[0] != "("}  # our own notes
    for name, value in table.items():
        at = (*pointer, name)
        if name not in fields:
            unknown_key(name, fields, at, notes)
            continue
        before = len(notes.problems)
        for nested, inside, step in _nested(fields[name].type, value):
            check_section(inside, nested, (*at, *step), notes, thorough=thorough)
        try:
            msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as bad:
            if not any(problem.code in _STOPPING for problem in notes.problems[before:]):
                _wrong(str(bad), at, notes)
    if thorough:
        for place, what, fix in getattr(kind, "find_errors", _no_errors)(table):
            notes.error("bad-value", (*pointer, *place), what, fix, tolerable=True)
        for place, what, fix in getattr(kind, "find_warnings", _no_errors)(table):
            notes.warning("doubtful", (*pointer, *place), what, fix)
    for name, field in fields.items():
        if field.required and name not in table:
            fix = f"Add {name} = …."
            notes.error("missing-key", pointer, f"'{name}' is missing", fix)


def _check_each(
    table: Mapping[str, Any],
    each: type[Struct],
    pointer: Pointer,
    notes: Notes,
    others: Mapping[str, type[Struct]],
    *,
    thorough: bool,
) -> None:
    for name, inside in table.items():
        at = (*pointer, name)
        if not isinstance(inside, dict):
            notes.error("wrong-type", at, "is not a table", f"Write [{'.'.join(map(str, at))}].")
            continue
        foreign = inside.keys() & set(others) - {str(pointer[0])}
        for key in foreign:
            if isinstance(inside[key], dict):
                check_section(inside[key], others[key], (*at, key), notes, thorough=thorough)
            else:
                notes.error("wrong-type", (*at, key), "is not a table", "Write a table.")
        own = {key: value for key, value in inside.items() if key not in foreign}
        check_section(own, each, at, notes, thorough=thorough)
        for place, what, fix in getattr(each, "misnamed", lambda _name: ())(name):
            notes.error("bad-value", (*at, *place), what, fix)


def _no_errors(_: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    return iter(())


def tightens(kind: type[Struct] | None) -> frozenset[str]:
    """Return the keys by which anyone may make *kind* stricter (its ``tightens``)."""
    return frozenset(getattr(kind, "tightens", ()))


def switches_off(kind: type[Struct] | None) -> frozenset[str]:
    """Return the keys that anyone may set to false (its ``switches_off``)."""
    return frozenset(getattr(kind, "switches_off", ()))


def _nested(kind: Any, value: object) -> Iterator[tuple[type[Struct], Mapping[str, Any], Pointer]]:
    """Yield the Struct inside *kind* with each table of it, and where that stands."""
    if isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, dict):
        yield kind, value, ()
    elif get_origin(kind) is tuple and isinstance(value, list):
        for at, one in enumerate(value):
            for inner, table, step in _nested(get_args(kind)[0], one):
                yield inner, table, (at, *step)


def _wrong(message: str, pointer: Pointer, notes: Notes) -> None:
    """Note a type error in the words of msgspec, with its path made a pointer."""
    place = _PATH.search(message)
    steps = _STEP.findall(place["path"]) if place else []
    inside: Pointer = tuple(int(index) if index else name for name, index in steps)
    what = _PATH.sub("", message)
    what = f"{what[:1].lower()}{what[1:]}"
    notes.error("wrong-type", (*pointer, *inside), what, "Use a value of that type.")
