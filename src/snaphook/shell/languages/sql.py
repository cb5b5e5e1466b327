"""SQL: what its statements drop, empty or rewrite.

'DELETE FROM users; SELECT 1'  ->  empties users

sqlglot reads the statements; it is loaded only for text in which a word that can do harm occurs.
What it cannot read is judged by its first words.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from snaphook.shell.facts import Act, Action, Call, Code, Effect, File, Shell
from snaphook.shell.languages.common import on_path
from snaphook.shell.paths import resolve

if TYPE_CHECKING:
    from types import ModuleType

_MAY_HARM = re.compile(
    r"drop|truncat|delet|updat|alter|grant|revoke|program|cmdshell|replace|overwrite|detach",
    re.IGNORECASE,
)
_CLIENT_LINE = re.compile(r"^[ \t]*(?:\\|\.)(?P<word>[!\w]+)[ \t]*(?P<rest>.*)$", re.MULTILINE)
_RUNS = frozenset({"!", "shell", "system", "sh"})
_INCLUDES = frozenset({"read", "i", "ir", "include"})
_SOURCE = re.compile(r"(?:^|;)\s*source\s+([^;\s]+)", re.IGNORECASE)
_OUTPUTS = frozenset(
    {"output", "once", "o", "out", "backup", "save", "tee", "log", "clone", "spool"}
)
"""Commands of clients that send what is printed, or the whole database, to a file."""
_PROGRAM = re.compile(r"\bprogram\s+'((?:[^']|'')*)'", re.IGNORECASE)
_CMDSHELL = re.compile(r"xp_cmdshell\s*\(?\s*N?'((?:[^']|'')*)'", re.IGNORECASE)
_EXECUTES = re.compile(r"\bexecute\s+(?:immediate\s+)?'((?:[^']|'')*)'", re.IGNORECASE)
_SYSTEM = re.compile(r"(?:^|;)\s*system\s+([^;]+)", re.IGNORECASE)
_NOISE = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'", re.DOTALL)
_FIRST_WORDS = {
    "drop": Act.DROP,
    "truncate": Act.EMPTY,
    "delete": Act.EMPTY,
    "update": Act.REWRITE,
    "grant": Act.GRANT,
    "revoke": Act.GRANT,
}

_DEEPEST = 200


def sql(code: Code, call: Call) -> Iterator[Action]:
    """Return what *code* does to the database, and the commands it starts."""
    text = code.text
    for line in _CLIENT_LINE.finditer(text):
        if line["word"] in _RUNS:
            yield Shell(text=line["rest"], span=code.span, via=f"{call.program} \\{line['word']}")
        elif line["word"] == "drop":
            yield _effect(Act.DROP, code, call, line["rest"])
        elif line["word"] in _INCLUDES and (path := line["rest"].strip().strip("'\"")):
            yield File(path=resolve(path, call.cwd), language="sql", span=code.span)
        elif line["word"] in _OUTPUTS and (path := line["rest"].strip().strip("'\"")):
            yield on_path(Act.OVERWRITE, path, code, call)
    if call.program in ("mysql", "mariadb", "mysqlsh"):
        for found in _SOURCE.finditer(text):
            yield File(path=resolve(found[1], call.cwd), language="sql", span=code.span)
        for found in _SYSTEM.finditer(text):
            yield Shell(text=found[1], span=code.span, via=f"{call.program} system")
    if not _MAY_HARM.search(text):
        return
    for shape in (_PROGRAM, _CMDSHELL):
        for found in shape.finditer(text):
            yield Shell(text=found[1].replace("''", "'"), span=code.span, via=call.program)
    for found in _EXECUTES.finditer(text):
        yield Code(language="sql", text=found[1].replace("''", "'"), span=code.span)
    for act, name in _harms(_CLIENT_LINE.sub("", text)):
        yield _effect(act, code, call, name)


def _effect(act: Act, code: Code, call: Call, name: str) -> Effect:
    return Effect(act=act, call=call, span=code.span, path=name, language="sql")


def _harms(text: str) -> Iterator[tuple[Act, str]]:
    """Return what each statement does to which table."""
    sqlglot = _sqlglot()
    if text.count("(") > _DEEPEST:  # deeper than anyone writes, and slow to read
        yield from _by_first_words(text)
        return
    try:
        statements = sqlglot.parse(text)
    except (sqlglot.errors.SqlglotError, RecursionError):
        yield from _by_first_words(text)
        return
    for statement in statements:
        if statement is not None:
            yield from _of(statement, sqlglot.exp)


@cache
def _sqlglot() -> ModuleType:
    import sqlglot

    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    return sqlglot


def _of(statement: Any, exp: Any) -> Iterator[tuple[Act, str]]:
    """Return what *statement* and the ones inside it do."""
    for node in statement.walk():
        if isinstance(node, exp.Drop):
            if str(node.args.get("kind", "")).upper() != "INDEX":  # an index is built again
                yield Act.DROP, node.sql()[5:]
        elif isinstance(node, exp.TruncateTable):
            yield Act.EMPTY, ", ".join(one.sql() for one in node.expressions)
        elif isinstance(node, exp.Delete) and _everything(node, exp):
            yield Act.EMPTY, _table(node)
        elif isinstance(node, exp.Update) and _everything(node, exp):
            yield Act.REWRITE, _table(node)
        elif isinstance(node, exp.Grant | exp.Revoke):
            yield Act.GRANT, "rights"
        elif isinstance(node, exp.Command):
            yield from _by_first_words(f"{node.this} {node.expression}")
            return


def _table(node: Any) -> str:
    bare = hasattr(node.this, "sql")  # half a statement has no table
    return node.this.sql(comments=False) if bare else ""


def _everything(node: Any, exp: Any) -> bool:
    """Say whether no condition holds the statement back; a join or a limit counts as one."""
    where = node.args.get("where")
    if where is not None:
        return _always_true(where.this, exp)
    bound = ("limit", "from_", "from")
    return not any(node.args.get(name) for name in bound) and not node.find(exp.Join)


def _always_true(node: Any, exp: Any) -> bool:
    """Say whether a condition holds for every row: `true`, `1`, `1=1`, `id=id`, `… or 1=1`."""
    if isinstance(node, exp.Paren):
        return _always_true(node.this, exp)
    if isinstance(node, exp.Or):
        return _always_true(node.left, exp) or _always_true(node.right, exp)
    if isinstance(node, exp.And):
        return _always_true(node.left, exp) and _always_true(node.right, exp)
    if isinstance(node, exp.Not):
        return isinstance(node.this, exp.Boolean) and not node.this.this
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Literal):
        return node.this not in ("0", "")
    if isinstance(node, exp.EQ | exp.GTE | exp.LTE | exp.Is | exp.NullSafeEQ):
        return bool(node.left == node.right)
    if isinstance(node, exp.NEQ | exp.GT | exp.LT):
        return isinstance(node.left, exp.Literal) and isinstance(node.right, exp.Literal)
    return isinstance(node, exp.Like) and node.expression.name == "%"


def _by_first_words(text: str) -> Iterator[tuple[Act, str]]:
    """Judge statements that cannot be read by how they begin."""
    for statement in _NOISE.sub(" ", text).split(";"):
        words = statement.lower().split()
        act = _FIRST_WORDS.get(words[0]) if words else None
        if act is None:
            if words[:1] == ["alter"] and "drop" in words:
                act = Act.DROP
            elif words[:2] in (["alter", "user"], ["alter", "role"], ["alter", "login"]):
                act = Act.GRANT
        if act is not None and (act not in (Act.EMPTY, Act.REWRITE) or "where" not in words):
            yield act, " ".join(words[1:4])
