"""Read simple commands: assignments, words, redirections, here-documents.

text at a position  ->  Simple
"""

from __future__ import annotations

import re

from snaphook.lazy import regex
from snaphook.shell.syntax import scan
from snaphook.shell.syntax.scan import ShellSyntaxError
from snaphook.shell.syntax.tree import Array, Assignment, Redirect, Simple, Text, Word
from snaphook.shell.syntax.words import WordReader
from snaphook.shell.text import disarmed

_SPACE = regex(r"(?:[ \t\r]+|\\\r?\n|#[^\n]*)*")
_SPACE_AFTER_WORD = regex(r"(?:[ \t\r]|\\\r?\n)*")
_REDIRECT = regex(r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>>|>\||>&|&>>|&>|<(?!\()|>(?!\())")
_ASSIGNMENT = regex(r"([A-Za-z_]\w*)(?:\[([^\]\s]*)\])?(\+?)=", re.ASCII)
_DECLARES = frozenset({"declare", "local", "export", "readonly", "typeset"})
_RESERVED = regex(r"[^\s;&|()<>'\"`$\\]+")


_MORE_SPACE = frozenset({" ", "\t", "\r", "\\", "#", ""})


class SimpleReader(WordReader):
    """Reads one simple command, and the space, line ends and here-documents around it."""

    __slots__ = ("heredocs",)

    def __init__(self, text: str, *, depth: int = 0) -> None:
        super().__init__(text, depth=depth)
        self.heredocs: list[int] = []

    def simple(self) -> Simple:
        """Read assignments, words and redirections up to the end of the command."""
        start = self.at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        text = self.text
        while True:
            if redirect := self.redirect():
                redirects.append(redirect)
            elif not words and (assignment := self._assignment()):
                assignments.append(assignment)
            elif words and words[0].bare in _DECLARES and (declared := self._declared()):
                words.append(declared)
            elif (word := self.word()) is not None:
                words.append(word)
            else:
                break
            end = self.at
            self.space()
            if self.at >= len(text) or text[self.at] in ";|)\n":
                break
        if self.at == start:
            raise ShellSyntaxError(f"a {text[start : start + 1]!r} that begins nothing", start)
        return Simple(
            start=start, end=end, assignments=tuple(assignments), words=tuple(words),
            redirects=tuple(redirects),
        )  # fmt: skip

    def _assignment(self) -> Assignment | None:
        found = _ASSIGNMENT.match(self.text, self.at)
        if found is None:
            return None
        start, self.at = self.at, found.end()
        value = self.array() if self.text.startswith("(", self.at) else self.word()
        if value is None:
            value = Word(start=self.at, end=self.at, parts=(), bare="")
        return Assignment(
            start=start, end=self.at, name=found[1], index=found[2] or "", appends=bool(found[3]),
            value=value,
        )  # fmt: skip

    def _declared(self) -> Word | None:
        """Read `name=(…)` after declare, local, export and the like as one word."""
        found = _ASSIGNMENT.match(self.text, self.at)
        if found is None or not self.text.startswith("(", found.end()):
            return None
        start, self.at = self.at, found.end()
        array = self.array()
        return Word(start=start, end=self.at, parts=(Text(found[0], quoted=True), *array.parts))

    def array(self) -> Word:
        """Read `(a b c)`."""
        start = self.at
        self.at += 1
        words: list[Word] = []
        while True:
            self.newlines()
            if self.text.startswith(")", self.at):
                self.at += 1
                return Word(start=start, end=self.at, parts=(Array(tuple(words)),))
            word = self.word()
            if word is None:
                raise ShellSyntaxError("an array that never closes", start)
            words.append(word)

    def redirects(self) -> tuple[Redirect, ...]:
        """Read the redirections that follow a compound command."""
        found: list[Redirect] = []
        self.space()
        while redirect := self.redirect():
            found.append(redirect)
            self.space()
        return tuple(found)

    def redirect(self) -> Redirect | None:
        """Read a redirection here, or return nothing when none begins here."""
        text, start = self.text, self.at
        if start >= len(text) or text[start] not in "<>&{0123456789":
            return None
        head = _REDIRECT.match(text, start)
        if head is None:
            return None
        descriptor, operator = head[1] or "", head[2]
        self.at = _SPACE_AFTER_WORD.match(text, head.end()).end()  # type: ignore[union-attr]
        target = self.word()
        if target is None:
            raise ShellSyntaxError(f"nothing follows {operator}", start)
        body = self._heredoc_body(target, operator) if operator in ("<<", "<<-") else None
        return Redirect(
            start=start, end=self.at, operator=operator, target=target, descriptor=descriptor,
            body=body,
        )  # fmt: skip

    def _heredoc_body(self, delimiter: Word, operator: str) -> Word:
        """Read the body that begins on the next line, and cut it out of the way.

        The bodies of one line follow each other; `_newline` steps over them all.
        """
        quoted = any(isinstance(part, Text) and part.quoted for part in delimiter.parts)
        name = "".join(part.value for part in delimiter.parts if isinstance(part, Text))
        begin = self.heredocs[-1] if self.heredocs else self._line_end() + 1
        body, body_end, over = scan.heredoc(self.text, begin, name, strips_tabs=operator == "<<-")
        self.heredocs.append(over + 1)
        parts = (Text(disarmed(body), quoted=True),) if quoted else self.heredoc(body)
        return Word(start=min(begin, len(self.text)), end=body_end, parts=parts)

    def _line_end(self) -> int:
        newline = self.text.find("\n", self.at)
        return len(self.text) if newline < 0 else newline

    def space(self) -> None:
        """Step over blanks, continued lines and, where a word may begin, comments."""
        text, at = self.text, self.at
        if text[at : at + 1] == " " and text[at + 1 : at + 2] not in _MORE_SPACE:
            self.at = at + 1  # one blank between two words: most of all space
        elif at < len(text) and text[at] in " \t\r\\#":
            pattern = _SPACE if not at or text[at - 1] in " \t\r\n;&|()" else _SPACE_AFTER_WORD
            found = pattern.match(text, at)
            assert found is not None
            self.at = found.end()
            if pattern is _SPACE_AFTER_WORD and text.startswith("#", self.at) and self.at > at:
                self.space()

    def newlines(self) -> None:
        """Step over blanks, comments, line ends and the here-documents that begin there."""
        while True:
            self.space()
            if not self.text.startswith("\n", self.at):
                return
            if self.heredocs:
                self.at = min(self.heredocs[-1], len(self.text))
                self.heredocs.clear()
            else:
                self.at += 1

    def peek(self) -> str:
        """Return the unquoted word that begins here, without stepping over it."""
        found = _RESERVED.match(self.text, self.at)
        return found[0] if found else ""

    def take(self, word: str) -> None:
        """Step over the reserved *word*, which must stand here."""
        self.newlines()
        if self.peek() != word:
            raise ShellSyntaxError(f"a {word} is missing", self.at)
        self.at += len(word)
