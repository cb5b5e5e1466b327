"""Calls in the text of a script, for languages that share their looks: names, strings, brackets.

'require("fs").rmSync("/", {recursive: true})'  ->  Found('rmSync', ['/', …])

No grammar: the text is cut into strings, names and marks, so that what stands in a string or a
comment is never taken for a call. Strings are followed through simple assignments, `+` and `.`,
and through interpolation. Each language's own file says which names do what.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from snaphook.providers.guard.text import UNKNOWN, globbed

_MOST_TOKENS = 4_000
_TEXTS = ("string", "rich", "run")


_DECODERS = frozenset(
    {"from", "decode64", "base64_decode", "atob", "decode_base64", "strict_decode64"}
)


def _decoded(texts: Sequence[str]) -> str:
    """Return the first of *texts* as base64 decodes it, or unknown."""
    try:
        padded = texts[0] + "=" * (-len(texts[0]) % 4)
        return base64.b64decode(padded).decode("utf-8", "replace")
    except (binascii.Error, ValueError, IndexError):
        return UNKNOWN


class Dialect(NamedTuple):
    """How a language looks: its comments, what its backticks are, how text is interpolated."""

    comment: str
    backtick_runs: bool
    interpolation: str
    glue: str


class Found(NamedTuple):
    """A call: its name, the text it is called on, its arguments as text, the whole of them."""

    name: str
    receiver: str
    args: Sequence[str]
    raw: str


class Token(NamedTuple):
    """A piece of the text: a name, a string, a command in backticks, or a mark."""

    kind: str
    text: str


def tokens(text: str, dialect: Dialect) -> list[Token]:
    """Return *text* cut into pieces; comments and space are left out."""
    shape = re.compile(
        rf"(?P<comment>{dialect.comment})"
        r"|(?P<quoted>%x|qx|%q|%Q|qq|q)(?:\((?P<a>.*?)\)|\[(?P<b>.*?)\]|\{(?P<c>.*?)\}"
        r"|<(?P<d>.*?)>|([|!/])(?P<e>.*?)\6)"
        r"|(?P<string>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
        r"|(?P<tick>`(?:\\.|[^`\\])*`)"
        r"|(?P<name>[$@%&]?[A-Za-z_][\w]*[!?]?(?:::[A-Za-z_]\w*[!?]?)*|\d[\w.]*)"
        r"|(?P<mark>->|=>|\?\.|\.\.|[^\s\w])",
        re.DOTALL,
    )
    out: list[Token] = []
    for found in shape.finditer(text):
        kind = found.lastgroup
        if kind == "comment" or len(out) > _MOST_TOKENS:
            continue
        if found["quoted"]:
            runs = found["quoted"] in ("%x", "qx")
            inner = next(found[one] for one in "abcde" if found[one] is not None)
            out.append(Token("run" if runs else "string", inner))
        elif kind == "string":
            out.append(
                Token("string" if found[0][0] == "'" else "rich", _unescaped(found[0][1:-1]))
            )
        elif kind == "tick":
            out.append(Token("run" if dialect.backtick_runs else "rich", found[0][1:-1]))
        else:
            out.append(Token(str(kind), found[0]))
    return out


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    text = re.sub(r"\\x([0-9a-fA-F]{2})", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(r"\\u\{?([0-9a-fA-F]{4})\}?", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


class Script:
    """One text in one dialect: gives its calls and commands in order."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.dialect = dialect
        self.tokens = tokens(text, dialect)
        self.values: dict[str, str] = {}
        self.aliases: dict[str, str] = {}

    def calls(self) -> Iterator[Found]:
        """Return every call; a command in backticks is a call of '`'."""
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "run":
                yield Found("`", "", [self._rich(token.text)], token.text)
            elif token.kind == "name":
                self._assigned(at)
                yield from self._call(at, token.text)
            elif token == Token("mark", "["):
                end = self._end(at + 1)
                if self._mark(end) == "]" and self._mark(end + 1) == "(":
                    yield from self._call(end, self._fold(at + 1, end) or "")
            elif token == Token("mark", "|") and self._mark(at + 2) == "|":
                self._each(at)
            at += 1

    def _mark(self, at: int) -> str:
        if not 0 <= at < len(self.tokens) or self.tokens[at].kind not in ("mark", "name"):
            return ""
        return self.tokens[at].text

    def _assigned(self, at: int) -> None:
        """Remember `name = 'text'`, `name = other.name` and `{ name: alias }`."""
        name = self.tokens[at].text
        if self._mark(at + 1) == "=" and self._mark(at + 2) not in ("=", "~"):
            value = self._fold(at + 2, self._end(at + 2))
            if value is not None:
                self.values[name] = value
            else:
                self._aliased(name, at + 2)
        elif self._mark(at + 1) == ":" and at + 2 < len(self.tokens):
            after = self.tokens[at + 2]
            if after.kind == "name" and self._mark(at + 3) in (",", "}"):
                self.aliases[after.text] = name

    def _each(self, at: int) -> None:
        """Let the name in `"…".each { |name|` hold any of what stands before it."""
        texts = [one.text for one in self.tokens[max(0, at - 8) : at] if one.kind in _TEXTS]
        if texts:
            self.values[self.tokens[at + 1].text] = globbed(texts[-1])

    def _aliased(self, name: str, at: int) -> None:
        last = self._end(at) - 1
        if last > at and self.tokens[last].kind == "name" and self._mark(last - 1) == ".":
            self.aliases[name] = self.tokens[last].text

    def _end(self, at: int) -> int:
        """Return where the expression that begins at *at* ends."""
        depth = 0
        while at < len(self.tokens):
            text = self.tokens[at].text if self.tokens[at].kind == "mark" else ""
            if text in ("(", "[", "{"):
                depth += 1
            elif text in (")", "]", "}"):
                depth -= 1
                if depth < 0:
                    return at
            elif text in (";", ",") and depth == 0:
                return at
            at += 1
        return at

    def _call(self, at: int, name: str) -> Iterator[Found]:
        name = self.aliases.get(name, name)
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else Token("mark", "")
        if after.text == "(" and after.kind == "mark":
            args, end = self._arguments(at + 2)
        elif after.kind in _TEXTS or (after.kind == "name" and self._is_value(at + 1)):
            args, end = self._arguments(at + 1)
        else:
            args, end = [], at + 1
        raw = " ".join(one.text for one in self.tokens[at + 1 : end])
        before = self.tokens[at - 2] if at > 1 and self._mark(at - 1) == "." else None
        receiver = before.text if before is not None and before.kind in _TEXTS else ""
        yield Found(name, receiver, args, raw)

    def _is_value(self, at: int) -> bool:
        """Say whether a name without brackets before it is an argument."""
        text = self.tokens[at].text
        known = text[:1] in "$@" or text == "glob" or text in self.values
        return known and self._mark(at + 1) != "="

    def _arguments(self, at: int) -> tuple[list[str], int]:
        args: list[str] = []
        while at < len(self.tokens):
            end = self._end(at)
            if end > at:
                args.extend(self._words(at, end))
            at = end
            if self._mark(at) != ",":
                break
            at += 1
        return args, at

    def _words(self, at: int, end: int) -> list[str]:
        """Return the text of one argument; a list gives its items."""
        if self._mark(at) == "[" and self._mark(end - 1) == "]":
            return self._arguments(at + 1)[0]
        if self._mark(at) == "{":
            inner = next((one for one in range(at, end) if self._mark(one) == "["), None)
            return self._arguments(inner + 1)[0] if inner is not None else [UNKNOWN]
        folded = self._fold(at, end)
        return [UNKNOWN if folded is None else folded]

    def _fold(self, at: int, end: int) -> str | None:
        """Return the text that the tokens join up to, or nothing when they are no text."""
        parts: list[str] = []
        texts = 0
        globs = Token("name", "glob") in self.tokens[at:end]
        for token in self.tokens[at:end]:
            if token.kind == "string":
                parts.append(token.text)
                texts += 1
            elif token.kind == "rich":
                parts.append(self._rich(token.text))
                texts += 1
            elif token.kind == "name" and token.text in self.values:
                parts.append(self.values[token.text])
                texts += 1
            elif token.text in ("glob", "(", ")", self.dialect.glue):
                continue
            else:
                parts.append(UNKNOWN)
        joined = "".join(parts)
        if any(token.text in _DECODERS for token in self.tokens[at:end]):
            joined = _decoded([token.text for token in self.tokens[at:end] if token.kind in _TEXTS])
        return None if not texts else globbed(joined) if globs else joined

    def _rich(self, text: str) -> str:
        """Return *text* with what is interpolated known or unknown."""
        if not self.dialect.interpolation:
            return text

        def value(found: re.Match[str]) -> str:
            name = next((one for one in found.groups() if one), "")
            return self.values.get(name) or self.values.get(f"${name}") or UNKNOWN

        return re.sub(self.dialect.interpolation, value, text)
