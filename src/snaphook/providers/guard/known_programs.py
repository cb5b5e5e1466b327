"""Every program the guard knows by name.

name  ->  its families' modules, loaded when it is first met  ->  Program
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from snaphook.providers.guard.index import homes, load
from snaphook.shell.programs.program import Program, Teller, saying

FAMILIES = (
    "batch",
    "copy",
    "databases",
    "delete",
    "disks",
    "editors",
    "git",
    "interpreters",
    "network",
    "permissions",
    "remote",
    "runners",
    "search",
    "shells",
    "tasks",
    "tools",
    "windows",
    "wrappers",
)
"""The modules whose ``PROGRAMS`` describe programs; where two do, the later one counts."""
MORE = ("tasks.SCRIPTS", "escapes.TELLERS", "uploads.TELLERS")
"""The tables that have more to say about programs, whoever describes them."""


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
    """Return what the index should say, every family being loaded for it."""
    found: dict[str, tuple[str, ...]] = {
        name: (family,) for family in FAMILIES for name in load("programs", family).PROGRAMS
    }
    for table in MORE:
        for name in _table(table):
            found[name] = (*found.get(name, ()), table)
    return found


def _found(name: str, where: tuple[str, ...]) -> Program:
    entry = Program()
    for home in where:
        entry = (
            saying(entry, _table(home)[name])
            if "." in home
            else load("programs", home).PROGRAMS[name]
        )
    return entry


def _table(place: str) -> Mapping[str, Teller]:
    module, _, table = place.partition(".")
    found: Mapping[str, Teller] = getattr(load("programs", module), table)
    return found


PROGRAMS: Mapping[str, Program] = Programs(homes())
