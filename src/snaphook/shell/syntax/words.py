"""Read one word: quotes, escapes, expansions, substitutions.

text at a position  ->  Word

What a word means (values, globs, splitting) is decided later, in `expand`; here it is only read.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from snaphook.lazy import regex
from snaphook.shell.limits import MOST_PARTS
from snaphook.shell.syntax import scan
from snaphook.shell.syntax.scan import DEEPEST, ShellSyntaxError, TooDeep
from snaphook.shell.syntax.tree import (
    Arithmetic,
    Param,
    Part,
    ProcessSubstitution,
    Script,
    Substitution,
    Text,
    Word,
)
from snaphook.shell.text import disarmed

_ESCAPES = regex(r"(?:\\[^\r\n]){2,}")
_PLAIN = regex(r"[^\s;&|()<>\\'\"`$]+")
_PLAIN_IN_TEST = regex(r"[^\s\\'\"`$]+")
_PLAIN_IN_QUOTES = regex(r"[^\\\"`$]+")
_PLAIN_IN_HEREDOC = regex(r"[^\\`$]+")
_PLAIN_IN_BRACES = regex(r"[^\\'\"`$}]+")
_NAME = regex(r"[A-Za-z_]\w*|[0-9]|[@*#?$!\-]", re.ASCII)
_BRACED_NAME = regex(r"([#!]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!\-])", re.ASCII)
_OPERATOR = regex(r":?[-=?+]|##?|%%?|//?|\^\^?|,,?|@|:")
_BACKTICK_ESCAPE = regex(r"\\([\\`$])")
_BACKTICK_QUOTED_ESCAPE = regex(r"\\([\\`$\"])")
_BACKTICK_END = regex(r"(?:[^\\`]|\\.)*", re.DOTALL)
_EXTGLOB = frozenset("@!+?*")


class WordReader(ABC):
    """Reads words from *text*; the reader of scripts below it lends it `script`."""

    __slots__ = ("at", "count", "depth", "text")

    def __init__(self, text: str, *, depth: int = 0) -> None:
        self.text = text
        self.at = 0
        self.count = 0
        self.depth = depth

    @abstractmethod
    def script(self, *, until: str) -> Script:
        """Read commands up to the closing *until* and step over it."""

    def deeper(self) -> None:
        """Count one more level of nesting, and refuse the one too many."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooDeep(f"nests deeper than {DEEPEST} levels", self.at)

    def counted(self) -> None:
        """Count one more word or part, and refuse the one too many."""
        self.count += 1
        if self.count > MOST_PARTS:
            raise TooDeep(f"has more than {MOST_PARTS} words and expansions", self.at)

    def word(self, *, plain: re.Pattern[str] = _PLAIN) -> Word | None:
        """Read a word here, or return nothing when none begins here."""
        text, start = self.text, self.at
        self.counted()
        if run := plain.match(text, start):
            end = run.end()
            if end == len(text) or text[end] in " \t\n;|&)":
                self.at = end
                value = disarmed(run[0])
                return Word(start=start, end=end, parts=(Text(value, quoted=False),), bare=value)
        parts: list[Part] = []
        while self._part(parts, plain):
            pass
        if self.at == start:
            return None
        return Word(start=start, end=self.at, parts=tuple(parts))

    def test_word(self) -> Word | None:
        """Read a word of `[[ … ]]`, where brackets and bars are ordinary characters."""
        return self.word(plain=_PLAIN_IN_TEST)

    def _part(self, parts: list[Part], plain: re.Pattern[str]) -> bool:
        text, at = self.text, self.at
        if run := plain.match(text, at):
            self.at = run.end()
            parts.append(Text(disarmed(run[0]), quoted=False))
            return True
        if at >= len(text):
            return False
        match text[at]:
            case "'":
                closing = text.find("'", at + 1)
                if closing < 0:
                    raise ShellSyntaxError("a ' that never closes", at)
                parts.append(Text(disarmed(text[at + 1 : closing]), quoted=True))
                self.at = closing + 1
            case '"':
                self.at = at + 1
                self._quoted(parts)
            case "\\":
                self._escape(parts)
            case "$":
                self._dollar(parts, quoted=False)
            case "`":
                self._backticks(parts, quoted=False)
            case "<" | ">" if text.startswith("(", at + 1) and plain is _PLAIN:
                self.at = at + 2
                self.deeper()
                parts.append(ProcessSubstitution(self.script(until=")"), writes=text[at] == ">"))
                self.depth -= 1
            case "(" if at and text[at - 1] in _EXTGLOB and parts:
                self._extglob(parts)
            case _:
                return False
        return True

    def _escape(self, parts: list[Part]) -> None:
        if run := _ESCAPES.match(self.text, self.at):  # all at once: there may be thousands
            self.at = run.end()
            parts.append(Text(disarmed(run[0][1::2]), quoted=True))
            return
        following = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if following == "\r" and self.text.startswith("\n", self.at):
            self.at += 1
        elif following not in ("\n", ""):
            parts.append(Text(disarmed(following), quoted=True))

    def _extglob(self, parts: list[Part]) -> None:
        closing = self.text.find(")", self.at)
        if closing < 0:
            raise ShellSyntaxError("a ( that never closes", self.at)
        parts.append(Text(f"*{disarmed(self.text[self.at : closing + 1])}", quoted=False))
        self.at = closing + 1

    def _quoted(self, parts: list[Part]) -> None:
        """Read up to the closing double quote."""
        opened = self.at - 1
        if self.text.startswith('"', self.at):
            parts.append(Text("", quoted=True))
        while not self.text.startswith('"', self.at):
            if self.at >= len(self.text):
                raise ShellSyntaxError('a " that never closes', opened)
            self.inside(parts, _PLAIN_IN_QUOTES, '$`"\\\n')
        self.at += 1

    def inside(self, parts: list[Part], plain: re.Pattern[str], escapes: str) -> None:
        """Read one part of text where only `$`, backticks and some escapes count."""
        text, at = self.text, self.at
        self.counted()
        if run := plain.match(text, at):
            self.at = run.end()
            parts.append(Text(disarmed(run[0]), quoted=True))
        elif text[at] == "$":
            self._dollar(parts, quoted=True)
        elif text[at] == "`":
            self._backticks(parts, quoted=True)
        else:
            following = text[at + 1 : at + 2]
            self.at = at + 2
            if following != "\n":
                kept = following if following and following in escapes else f"\\{following}"
                parts.append(Text(disarmed(kept), quoted=True))

    def heredoc(self, body: str) -> tuple[Part, ...]:
        """Return the parts of an unquoted here-document's *body*."""
        inner = self.of(body, depth=self.depth)
        parts: list[Part] = []
        while inner.at < len(body):
            inner.inside(parts, _PLAIN_IN_HEREDOC, "$`\\\n")
        return tuple(parts)

    def of(self, text: str, *, depth: int) -> WordReader:
        """Return a reader like this one for another text."""
        return type(self)(text, depth=depth)

    def _backticks(self, parts: list[Part], *, quoted: bool) -> None:
        start = self.at + 1
        body = _BACKTICK_END.match(self.text, start)
        if body is None or not self.text.startswith("`", body.end()):
            raise ShellSyntaxError("a ` that never closes", self.at)
        escape = _BACKTICK_QUOTED_ESCAPE if quoted else _BACKTICK_ESCAPE
        self.deeper()
        inner = self.of(escape.sub(r"\1", body[0]), depth=self.depth)
        script = inner.script(until="")
        self.depth -= 1
        self.at = body.end() + 1
        parts.append(Substitution(script, quoted=quoted))

    def _dollar(self, parts: list[Part], *, quoted: bool) -> None:
        text, at = self.text, self.at
        following = text[at + 1 : at + 2]
        if following == "(":
            self._substitution(parts, quoted=quoted)
        elif following == "{":
            self._braced(parts, quoted=quoted)
        elif following == "'" and not quoted:
            value, self.at = scan.ansi(text, at + 2)
            parts.append(Text(disarmed(value), quoted=True))
        elif following == '"' and not quoted:
            self.at = at + 1
        elif following == "[":
            closing = text.find("]", at)
            if closing < 0:
                raise ShellSyntaxError("a $[ that never closes", at)
            parts.append(Arithmetic(self.heredoc(text[at + 2 : closing])))
            self.at = closing + 1
        elif name := _NAME.match(text, at + 1):
            self.at = name.end()
            parts.append(Param(name[0], quoted=quoted))
        else:
            self.at = at + 1
            parts.append(Text("$", quoted=True))

    def _substitution(self, parts: list[Part], *, quoted: bool) -> None:
        text, at = self.text, self.at
        self.deeper()
        if text.startswith("((", at + 1):
            closing = scan.arithmetic_end(text, at + 3)
            if closing >= 0:
                parts.append(Arithmetic(self.heredoc(text[at + 3 : closing])))
                self.at = closing + 2
                self.depth -= 1
                return
        self.at = at + 2
        parts.append(Substitution(self.script(until=")"), quoted=quoted))
        self.depth -= 1

    def _braced(self, parts: list[Part], *, quoted: bool) -> None:
        """Read `${…}`."""
        text, opened = self.text, self.at
        head = _BRACED_NAME.match(text, opened + 2)
        if head is None:
            raise ShellSyntaxError("a ${…} without a name", opened)
        self.deeper()
        prefix, name = head.groups()
        self.at = head.end()
        index = self._index() if text.startswith("[", self.at) else ""
        operator = ""
        if not text.startswith("}", self.at) and (found := _OPERATOR.match(text, self.at)):
            operator, self.at = found[0], found.end()
        word: list[Part] = []
        while not text.startswith("}", self.at):
            if self.at >= len(text):
                raise ShellSyntaxError("a ${ that never closes", opened)
            before = self.at
            if quoted and text[self.at] == "'":
                word.append(Text("'", quoted=True))
                self.at += 1
            elif not self._part(word, _PLAIN_IN_BRACES) or self.at == before:
                raise ShellSyntaxError("a ${…} that cannot be read", opened)
        self.at += 1
        self.depth -= 1
        parts.append(
            Param(
                name,
                quoted,
                operator=operator,
                word=tuple(word),
                index=index,
                prefix=prefix,
                inside=self.heredoc(index) if "`" in index or "$" in index else (),
            )
        )

    def _index(self) -> str:
        closing = scan.bracket_end(self.text, self.at + 1)
        if closing < 0:
            raise ShellSyntaxError("a [ that never closes", self.at)
        index = self.text[self.at + 1 : closing]
        self.at = closing + 1
        return index
