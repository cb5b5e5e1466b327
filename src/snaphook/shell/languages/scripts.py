"""Calls in the text of a script, for languages that share their looks: names, strings, brackets.

'require("fs").rmSync("/", {recursive: true})'  ->  ScriptCall('rmSync', ['/', …])

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

from snaphook.shell.languages.tokens import ScriptToken, TokenDialect, tokens
from snaphook.shell.limits import PastLimit
from snaphook.shell.text import UNKNOWN, globbed

_MOST_STEPS = 120_000
_TEXTS = ("string", "rich", "run")
_JOINS = frozenset({"join", "resolve", "joinpath"})
_HOMES = frozenset({"homedir", "HOME", "USERPROFILE", "Dir.home", "home"})
_HERE = frozenset({"__dirname", "cwd", "__DIR__", "getcwd"})
_PATHS = _JOINS | _HOMES | _HERE
_PATH_WORDS = frozenset(
    {
        *_JOINS,
        "require",
        "os",
        "path",
        "process",
        "env",
        "ENV",
        "Dir",
        "File",
        "import",
        "normalize",
    }
)
"""Names that say how a path is put together, and are no part of it."""


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


class ScriptCall(NamedTuple):
    """A call: its name, the text it is called on, its arguments as text, the whole of them."""

    name: str
    receiver: str
    args: Sequence[str]
    raw: str


class ScriptText:
    """One text in one dialect: gives its calls and commands in order."""

    def __init__(self, text: str, dialect: TokenDialect) -> None:
        self.dialect = dialect
        self.tokens = tokens(text, dialect)
        self.steps = 0
        self.values: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.lists: dict[str, list[str]] = {}

    def calls(self) -> Iterator[ScriptCall]:
        """Return every call; a command in backticks is a call of '`'."""
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "run":
                yield ScriptCall("`", "", [self._rich(token.text)], token.text)
            elif token.kind == "name":
                self._assigned(at)
                yield from self._call(at, token.text)
            elif token == ScriptToken("mark", "["):
                end = self._end(at + 1)
                if self._mark(end) == "]" and self._mark(end + 1) == "(":
                    yield from self._call(end, self._fold(at + 1, end) or "")
            elif token == ScriptToken("mark", "|") and self._mark(at + 2) == "|":
                self._each(at)
            at += 1

    def _mark(self, at: int) -> str:
        if not 0 <= at < len(self.tokens) or self.tokens[at].kind not in ("mark", "name"):
            return ""
        return self.tokens[at].text

    def _assigned(self, at: int) -> None:
        """Remember `name = 'text'`, `name = other.name` and `{ name: alias }`."""
        name = self.tokens[at].text
        if self._mark(at + 1) == "=" and self._mark(at + 2) == "[":
            self.lists[name] = self._arguments(at + 3)[0]
        elif self._mark(at + 1) == "=" and self._mark(at + 2) not in ("=", "~"):
            value = self._fold(at + 2, self._end(at + 2))
            if value is not None:
                self.values[name] = value
            else:
                self._aliased(name, at + 2)
        elif name in self.lists and self._mark(at + 2) in ("push", "append", "unshift", "concat"):
            self.lists[name] += self._arguments(at + 4)[0]
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
        depth, begin = 0, at
        while at < len(self.tokens):
            text = self.tokens[at].text if self.tokens[at].kind == "mark" else ""
            if text in ("(", "[", "{"):
                depth += 1
            elif text in (")", "]", "}"):
                depth -= 1
                if depth < 0:
                    break
            elif text in (";", ",") and depth == 0:
                break
            at += 1
        self._count(at - begin)
        return at

    def _count(self, steps: int) -> None:
        """Count what was looked at, and stop at a text too tangled to follow."""
        self.steps += steps
        if self.steps > _MOST_STEPS:
            raise PastLimit("holds a script too tangled to follow")

    def _call(self, at: int, name: str) -> Iterator[ScriptCall]:
        name = self.aliases.get(name, name)
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else ScriptToken("mark", "")
        if after.text == "(" and after.kind == "mark":
            args, end = self._arguments(at + 2)
        elif after.kind in _TEXTS or (after.kind == "name" and self._is_value(at + 1)):
            args, end = self._arguments(at + 1)
        else:
            args, end = [], at + 1
        raw = " ".join(one.text for one in self.tokens[at + 1 : end])
        before = self.tokens[at - 2] if at > 1 and self._mark(at - 1) == "." else None
        receiver = before.text if before is not None and before.kind in _TEXTS else ""
        yield ScriptCall(name, receiver, args, raw)

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
        if end == at + 1 and self.tokens[at].text in self.lists:
            return self.lists[self.tokens[at].text]
        folded = self._fold(at, end)
        return [UNKNOWN if folded is None else folded]

    def _fold(self, at: int, end: int) -> str | None:
        """Return the text that the tokens join up to, or nothing when they are no text."""
        self._count(end - at)
        if any(token.text in _PATHS for token in self.tokens[at:end] if token.kind == "name"):
            return self._path(at, end)
        parts: list[str] = []
        texts = 0
        globs = ScriptToken("name", "glob") in self.tokens[at:end]
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

    def _path(self, at: int, end: int) -> str:
        """Return the path that `path.join(os.homedir(), "x")` and its kin come to."""
        parts: list[str] = []
        joins = any(token.text in _JOINS for token in self.tokens[at:end])
        for token in self.tokens[at:end]:
            if token.text in _HOMES:
                parts.append("~")
            elif token.text in _HERE:
                parts.append(".")
            elif token.kind == "string":
                parts.append(token.text)
            elif token.kind == "rich":
                parts.append(self._rich(token.text))
            elif token.kind == "name" and token.text not in _PATH_WORDS:
                parts.append(self.values.get(token.text, UNKNOWN))
        named = [part for part in parts if part not in ("os", "path", "node:os", "node:path", "fs")]
        return (
            "/".join(part.strip("/") if at else part for at, part in enumerate(named))
            if joins
            else "".join(named)
        )

    def _rich(self, text: str) -> str:
        """Return *text* with what is interpolated known or unknown."""
        if not self.dialect.interpolation:
            return text

        def value(found: re.Match[str]) -> str:
            name = next((one for one in found.groups() if one), "")
            return self.values.get(name) or self.values.get(f"${name}") or UNKNOWN

        return re.sub(self.dialect.interpolation, value, text)
