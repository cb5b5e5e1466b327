"""The guard's index, so that a call loads only the rules and programs it is about.

rules/table.py, programs/table.py  ->  src/snaphook/providers/guard/indexed.py
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import fill
from types import ModuleType

from snaphook.providers.guard.index import NONE
from snaphook.providers.guard.known_programs import places
from snaphook.providers.guard.rules import table
from snaphook.providers.guard.rules.rule import Rule

_HEAD = '''"""The guard's rules and programs by name. Made by 'make generate': change those, not this.

RULES     id module answer optional|always pack | acts | programs
PROGRAMS  modules | programs
"""
'''


def guard_index() -> str:
    """Return the module's text."""
    rules = (_rule(rule, home) for rule, home in homes())
    return f'{_HEAD}\nRULES = """\n{_rows(rules)}"""\n\nPROGRAMS = """\n{_rows(_programs())}"""\n'


def homes() -> Iterator[tuple[Rule, str]]:
    """Yield every rule and the module that it stands in, in the order in which they are asked."""
    modules = [one for one in vars(table).values() if isinstance(one, ModuleType)]
    where = {
        rule.id: module.__name__.rpartition(".")[2]
        for module in modules
        for rule in getattr(module, "RULES", None) or (module.RULE,)
    }
    return ((rule, where[rule.id]) for rule in table.RULES)


def _rule(rule: Rule, home: str) -> str:
    about = (
        rule.id,
        home,
        rule.answer.name.lower(),
        "optional" if rule.optional else "always",
        rule.pack or NONE,
    )
    acts = (act.name for act in rule.acts)
    return f"{' '.join(about)} | {' '.join(acts)} | {' '.join(sorted(rule.programs))}"


def _programs() -> Iterator[str]:
    found = sorted(places().items(), key=lambda one: (one[1], one[0]))
    for where, entries in groupby(found, key=lambda one: one[1]):
        yield f"{' '.join(where)} | {' '.join(name for name, _ in entries)}"


def _rows(rows: Iterable[str]) -> str:
    return "".join(
        fill(row, 98, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n"
        for row in rows
    )
