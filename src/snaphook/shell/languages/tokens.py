"""A script cut into strings, names and marks, for languages that share their looks.

'rm("/") // all'  ->  rm  (  "/"  )

One pass, whatever the text: what is opened and never closed reaches to the end.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from snaphook.shell.limits import PastLimit

_MOST_TOKENS = 30_000
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BODIES = {quote: re.compile(rf"[^{quote}\\]*(?:\\.[^{quote}\\]*)*", re.DOTALL) for quote in "\"'`"}


class TokenDialect(NamedTuple):
    """How a language looks: its comments, what backticks do, how text is joined and filled in."""

    lines: tuple[str, ...]
    block: tuple[str, str] | None
    backtick_runs: bool
    interpolation: str
    glue: str


class ScriptToken(NamedTuple):
    """A piece of the text: a string, a rich one (filled in), a run (a command), a name, a mark."""

    kind: str
    text: str


def tokens(text: str, dialect: TokenDialect) -> list[ScriptToken]:
    """Return *text* cut into pieces; comments and space are left out."""
    shape = _shape(dialect.lines, dialect.block)
    out: list[ScriptToken] = []
    at = 0
    while found := shape.search(text, at):
        at = found.end()
        kind = str(found.lastgroup)
        if kind == "block":
            end = text.find(dialect.block[1] if dialect.block else "", at)
            at = len(text) if end < 0 else end + 2
        elif kind == "quoted":
            closer = _CLOSERS.get(text[at - 1], text[at - 1])
            end = text.find(closer, at)
            inner, at = (text[at:], len(text)) if end < 0 else (text[at:end], end + 1)
            out.append(ScriptToken("run" if found[0][:2] in ("%x", "qx") else "string", inner))
        elif kind == "quote":
            body = _BODIES[found[0]].match(text, at)
            inner = body[0] if body else ""
            at += len(inner) + 1
            out.append(_string(found[0], inner, dialect))
        elif kind != "line":
            out.append(ScriptToken(kind, found[0]))
        if len(out) > _MOST_TOKENS:
            raise PastLimit(f"holds a script of more than {_MOST_TOKENS} words")
    return out


@cache
def _shape(lines: tuple[str, ...], block: tuple[str, str] | None) -> re.Pattern[str]:
    remarks = "|".join(rf"{re.escape(mark)}[^\n]*" for mark in lines)
    return re.compile(
        (rf"(?P<block>{re.escape(block[0])})|" if block else "") + rf"(?P<line>{remarks})"
        r"|(?P<quoted>(?:%x|qx|%q|%Q|qq|\bq)[(\[{<|!/])"
        r"|(?P<quote>[\"'`])"
        r"|(?P<name>[$@%&]?[A-Za-z_]\w*[!?]?(?:::[A-Za-z_]\w*[!?]?)*|\d[\w.]*)"
        r"|(?P<mark>->|=>|\?\.|\.\.|[^\s\w])"
    )


def _string(quote: str, inner: str, dialect: TokenDialect) -> ScriptToken:
    if quote == "`":
        return ScriptToken("run" if dialect.backtick_runs else "rich", inner)
    return ScriptToken("string" if quote == "'" else "rich", _unescaped(inner))


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    text = re.sub(r"\\x([0-9a-fA-F]{2})", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(r"\\u\{?([0-9a-fA-F]{4})\}?", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)
