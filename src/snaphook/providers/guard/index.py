"""The rules of the guard by what they watch, before any of them is loaded.

``rules_index.py``, or the rules themselves where that is stale  ->  RuleRows

A call without a daemon pays for every module it imports, so a rule is imported when a call or an effect
that it watches is there. ``make generate`` writes the index from the rules. An index that does not
belong to the files beside it is not believed: the rules are all loaded then, which is slower and right.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from snaphook.providers.guard import rules, rules_index
from snaphook.shell.index_stamp import is_current

if TYPE_CHECKING:
    from snaphook.providers.guard.rules.rule import Rule

NONE = "-"


class RuleRow(NamedTuple):
    """What can be known of a rule without its module."""

    id: str
    module: str
    answer: str
    optional: bool
    pack: str
    acts: tuple[str, ...]
    programs: tuple[str, ...]


@cache
def rows() -> tuple[RuleRow, ...]:
    """Return every rule's row, in the order in which rules are asked."""
    if is_current(rules_index.__file__, rules.__path__[0], rules_index.STAMPS):
        return tuple(written_rows())
    from snaphook.providers.guard.rules.table import by_module

    return tuple(row_of(rule, module) for module, found in by_module() for rule in found)


def written_rows() -> Iterator[RuleRow]:
    """Yield the rows of the index as it is, current or not."""
    for line in rules_index.RULES.strip().replace("\n ", " ").splitlines():
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


def row_of(rule: Rule, module: str) -> RuleRow:
    """Return the row of *rule*, which stands in *module*."""
    return RuleRow(
        rule.id,
        module,
        rule.answer.name.lower(),
        rule.optional,
        rule.pack,
        tuple(act.name for act in rule.acts),
        tuple(sorted(rule.programs)),
    )


def load(name: str) -> Any:
    """Return the module *name* of ``guard/rules``."""
    return import_module(f"{rules.__name__}.{name}")
