"""What the guard knows, by name, before any of it is loaded.

``indexed.py``  ->  rows of rules, homes of programs

A call without a daemon pays for every module it imports. So a rule is imported when a call or an
effect that it watches is there, and a program when it is named. ``make generate`` writes the index
from the rules and programs themselves, and a test says whether it is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from snaphook.providers.guard import indexed

NONE = "-"
_PACKAGES = {"rules": "snaphook.providers.guard.rules", "programs": "snaphook.shell.programs"}


class RuleRow(NamedTuple):
    """What can be known of a rule without its module."""

    id: str
    module: str
    answer: str
    optional: bool
    pack: str
    acts: tuple[str, ...]
    programs: tuple[str, ...]


def rows() -> Iterator[RuleRow]:
    """Yield every rule's row, in the order in which rules are asked."""
    for line in _lines(indexed.RULES):
        about, acts, programs = line.split("|")
        name, module, answer, optional, pack = about.split()
        yield RuleRow(
            name,
            module,
            answer,
            optional == "optional",
            "" if pack == NONE else pack,
            tuple(acts.split()),
            tuple(programs.split()),
        )


def homes() -> Mapping[str, tuple[str, ...]]:
    """Return where each program is described: its family, then the tables with more to say."""
    found = {}
    for line in _lines(indexed.PROGRAMS):
        where, names = line.split("|")
        found.update(dict.fromkeys(names.split(), tuple(where.split())))
    return found


def load(folder: str, name: str) -> Any:
    """Return the module *name* of ``guard/rules`` or ``guard/programs``."""
    return import_module(f"{_PACKAGES[folder]}.{name}")


def _lines(text: str) -> list[str]:
    return text.strip().replace("\n ", " ").splitlines()
