"""Every program we know by name.

name  ->  its families' modules, loaded when it is first met  ->  Program

A family is any module of ``programs/`` that has ``PROGRAMS``; where two describe a program, the later one by
name counts. ``SCRIPTS`` and ``TELLERS`` are tables that have more to say about programs, whoever describes
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from snaphook.shell import programs, programs_index
from snaphook.shell.index_stamp import is_current
from snaphook.shell.programs.program import Program, Teller, saying

_MORE = ("SCRIPTS", "TELLERS")


class Programs(Mapping[str, Program]):
    """Programs by name, each loaded when it is asked for."""

    def __init__(self, homes: Mapping[str, tuple[str, ...]]) -> None:
        self._homes = homes
        self._known: dict[str, Program] = {}

    def __getitem__(self, name: str) -> Program:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = _found(name, self._homes[name])
        return found

    def get(self, name: str, default: Any = None) -> Any:
        """Return the program *name*, or *default*; most names are strange, and raise nothing."""
        return self[name] if name in self._homes else default

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


def places() -> dict[str, tuple[str, ...]]:
    """Return where each program is described, every family being loaded for it."""
    families = sorted(module.name for module in iter_modules(programs.__path__))
    found: dict[str, tuple[str, ...]] = {
        name: (family,) for family in families for name in getattr(_module(family), "PROGRAMS", ())
    }
    for family in families:
        for table in _MORE:
            for name in getattr(_module(family), table, ()):
                found[name] = (*found.get(name, ()), f"{family}.{table}")
    return found


def homes() -> Mapping[str, tuple[str, ...]]:
    """Return the same from the index, where that belongs to the modules beside it."""
    if not is_current(programs_index.__file__, programs.__path__[0], programs_index.STAMPS):
        return places()
    found = {}
    for line in programs_index.PROGRAMS.strip().replace("\n ", " ").splitlines():
        where, names = line.split("|")
        found.update(dict.fromkeys(names.split(), tuple(where.split())))
    return found


def _module(name: str) -> Any:
    return import_module(f"{programs.__name__}.{name}")


def _found(name: str, where: tuple[str, ...]) -> Program:
    entry = Program()
    for home in where:
        entry = saying(entry, _table(home)[name]) if "." in home else _module(home).PROGRAMS[name]
    return entry


def _table(place: str) -> Mapping[str, Teller]:
    module, _, table = place.partition(".")
    found: Mapping[str, Teller] = getattr(_module(module), table)
    return found


PROGRAMS: Mapping[str, Program] = Programs(homes())
