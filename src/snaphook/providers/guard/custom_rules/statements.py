"""SQL text as the statements a rule may speak of.

'DELETE FROM users WHERE id = 1; SELECT 1'  ->  delete users, select

Read by sqlglot, loaded only where a rule asks about SQL and a command runs some.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from msgspec import Struct

_KINDS_TEXT = """
    alter analyze begin call commit copy create delete describe drop explain grant insert merge
    pragma replace revoke rollback select set show truncate update use vacuum with
"""
KINDS = frozenset(_KINDS_TEXT.split())
_KNOWN = {"truncatetable": "truncate", "union": "select", "intersect": "select", "except": "select"}
_NOISE = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'", re.DOTALL)
_NAME = re.compile(r"[\w.]+")
_MOST = 20_000


class Statement(Struct, frozen=True):
    """What one statement does, and the tables it names, in lower case."""

    kind: str
    tables: frozenset[str]


@lru_cache(maxsize=256)
def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of *text*; those nobody can read are told by their words."""
    if len(text) > _MOST or text.count("(") > 200:
        return _by_words(text)
    import sqlglot

    try:
        parsed = [one for one in sqlglot.parse(text) if one is not None]
    except (sqlglot.errors.SqlglotError, RecursionError):
        return _by_words(text)
    return tuple(found for one in parsed for found in _read(one, sqlglot.exp))


def _read(node: Any, exp: Any) -> list[Statement]:
    """Return the statement, and those that stand inside it: `WITH gone AS (DELETE …)`."""
    if isinstance(node, exp.Command):
        return list(_by_words(f"{node.this} {node.expression}"))
    inner = [one for one in node.find_all(exp.Delete, exp.Update, exp.Insert) if one is not node]
    return [_statement(one, exp) for one in (node, *inner)]


def _statement(node: Any, exp: Any) -> Statement:
    kind = type(node).__name__.lower()
    tables = {name.lower() for table in node.find_all(exp.Table) for name in _names(table)}
    return Statement(_KNOWN.get(kind, kind), frozenset(tables))


def _names(table: Any) -> list[str]:
    return [table.name, f"{table.db}.{table.name}"] if table.db else [table.name]


def _by_words(text: str) -> tuple[Statement, ...]:
    found = []
    for part in _NOISE.sub(" ", text).lower().split(";"):
        words = _NAME.findall(part)
        if words:
            found.append(Statement(words[0], frozenset(words[1:])))
    return tuple(found)
