"""The indexes of rules and programs, so that a call loads only those it is about.

guard/rules/*.py     ->  src/snaphook/providers/guard/rules_index.py
shell/programs/*.py  ->  src/snaphook/shell/programs_index.py
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import fill

from snaphook.providers.guard import rules
from snaphook.providers.guard.index import NONE, RuleRow, row_of
from snaphook.providers.guard.rules.table import by_module
from snaphook.shell import programs
from snaphook.shell.index_stamp import stamps
from snaphook.shell.known_programs import places

_RULES_HEAD = '''"""The guard's rules by what they watch. Made by 'make generate': change the rules, not this.

id module answer optional|always pack | acts | programs
"""
'''
_PROGRAMS_HEAD = '''"""The programs by name. Made by 'make generate': change the programs, not this.

modules | programs
"""
'''


def rules_index() -> str:
    """Return the text of the module that lists the rules."""
    rows = (_row(row_of(rule, module)) for module, found in by_module() for rule in found)
    made = f'STAMPS = """\n{stamps(rules.__path__[0])}\n"""\n\nRULES = """\n{_rows(rows)}"""\n'
    return f"{_RULES_HEAD}\n{made}"


def programs_index() -> str:
    """Return the text of the module that lists the programs."""
    made = f'STAMPS = """\n{stamps(programs.__path__[0])}\n"""\n\nPROGRAMS = """\n{_rows(_programs())}"""\n'
    return f"{_PROGRAMS_HEAD}\n{made}"


def _row(row: RuleRow) -> str:
    when = "optional" if row.optional else "always"
    about = (row.id, row.module, row.answer, when, row.pack or NONE)
    return f"{' '.join(about)} | {' '.join(row.acts)} | {' '.join(row.programs)}"


def _programs() -> Iterator[str]:
    found = sorted(places().items(), key=lambda one: (one[1], one[0]))
    for where, entries in groupby(found, key=lambda one: one[1]):
        yield f"{' '.join(where)} | {' '.join(name for name, _ in entries)}"


def _rows(rows: Iterable[str]) -> str:
    return "".join(
        fill(row, 98, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + "\n"
        for row in rows
    )
