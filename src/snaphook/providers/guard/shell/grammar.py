"""Read a script: lists, pipelines, compound commands, redirections, here-documents.

command text  ->  Script

Linear in the text, bounded in depth. What is not a script raises `ShellSyntaxError`, which
carries the commands that were complete before it (the shell may already have run those).
"""

from __future__ import annotations

import re

from snaphook.providers.guard.shell import scan
from snaphook.providers.guard.shell.scan import ShellSyntaxError
from snaphook.providers.guard.shell.tree import (
    Array,
    Assignment,
    Case,
    Command,
    Coproc,
    For,
    Function,
    Group,
    If,
    Item,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Test,
    Text,
    Word,
)
from snaphook.providers.guard.shell.words import WordReader
from snaphook.providers.guard.text import disarmed

_SPACE = re.compile(r"(?:[ \t\r]+|\\\r?\n|#[^\n]*)*")
_SPACE_AFTER_WORD = re.compile(r"(?:[ \t\r]|\\\r?\n)*")
_REDIRECT = re.compile(
    r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>>|>\||>&|&>>|&>|<(?!\()|>(?!\())"
)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[([^\]\s]*)\])?(\+?)=", re.ASCII)
_FUNCTION = re.compile(r"([^\s;&|()<>'\"`$\\=]+)[ \t]*\([ \t]*\)")
_FUNCTION_KEYWORD = re.compile(r"function[ \t]+([^\s;&|()<>'\"`$\\]+)(?:[ \t]*\([ \t]*\))?")
_CLOSERS = frozenset({"then", "do", "done", "fi", "elif", "else", "esac", "}", "in"})
_OPENERS = frozenset(
    {"if", "while", "until", "for", "select", "case", "{", "function", "[[", "coproc", "time", "!"}
)


def parse(text: str) -> Script:
    """Return *text* as a script, or raise `ShellSyntaxError`."""
    return ScriptReader(text).script(until="")


class ScriptReader(WordReader):
    """Reads commands; one method for each thing the grammar knows."""

    __slots__ = ("heredocs", "partial")

    def __init__(self, text: str, *, depth: int = 0) -> None:
        super().__init__(text, depth=depth)
        self.heredocs: list[tuple[int, str, bool, bool]] = []
        self.partial: list[Item] = []

    # --- lists -----------------------------------------------------------------------------

    def script(self, *, until: str) -> Script:
        """Read commands up to *until* and step over it; with no *until*, to the end of the text."""
        start = self.at
        items = self._items(self.partial if not until and not self.depth else [])
        if until:
            if not self.text.startswith(until, self.at):
                raise ShellSyntaxError(f"a {until} is missing", start)
            end = self.at
            self.at += len(until)
        else:
            end = self.at
            if end < len(self.text):
                raise ShellSyntaxError(f"a {self.text[end]} that closes nothing", end)
        return Script(start=start, end=end, items=tuple(items))

    def _body(self, *closers: str) -> Script:
        """Read commands up to one of the reserved words *closers*, and stay in front of it."""
        start = self.at
        items = self._items([])
        found = self._peek()
        if found not in closers:
            raise ShellSyntaxError(f"a {closers[0]} is missing", start)
        return Script(start=start, end=self.at, items=tuple(items))

    def _items(self, items: list[Item]) -> list[Item]:
        joined = ""
        while True:
            self._newlines()
            command = self._pipeline()
            if command is None:
                if joined:
                    raise ShellSyntaxError(f"nothing follows {joined}", self.at)
                return items
            text = self.text
            self._space()
            if text.startswith("&&", self.at) or text.startswith("||", self.at):
                items.append(Item(command, joined))
                joined = text[self.at : self.at + 2]
                self.at += 2
                continue
            background = text.startswith("&", self.at)
            items.append(Item(command, joined, background))
            joined = ""
            if text.startswith(";;", self.at) or text.startswith(";&", self.at):
                return items
            if background or text.startswith(";", self.at):
                self.at += 1
            elif not text.startswith("\n", self.at):
                return items

    def _pipeline(self) -> Command | None:
        first = self._command()
        if first is None:
            return None
        self._space()
        if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
            return first
        commands = [first]
        while self.text.startswith("|", self.at) and not self.text.startswith("||", self.at):
            self.at += 2 if self.text.startswith("|&", self.at) else 1
            self._newlines()
            following = self._command()
            if following is None:
                raise ShellSyntaxError("nothing follows |", self.at)
            commands.append(following)
            self._space()
        return Pipeline(start=first.start, end=self.at, commands=tuple(commands))

    # --- commands --------------------------------------------------------------------------

    def _command(self) -> Command | None:
        self._space()
        text, at = self.text, self.at
        if at >= len(text) or text[at] in ");&|\n":
            return None
        if text[at] == "(":
            return self._parenthesis()
        keyword = self._peek()
        if keyword in _CLOSERS:
            return None
        if keyword in _OPENERS:
            return self._compound(keyword)
        if (named := _FUNCTION.match(text, at)) and text[at] != "!":
            self.at = named.end()
            return self._function(named[1], at)
        return self._simple()

    def _compound(self, keyword: str) -> Command | None:
        start = self.at
        if keyword == "function":
            named = _FUNCTION_KEYWORD.match(self.text, start)
            if named is None:
                return self._simple()
            self.at = named.end()
            return self._function(named[1], start)
        self.at += len(keyword)
        match keyword:
            case "!" | "time":
                if keyword == "time":
                    self._space()
                    while self._peek() in ("-p", "--"):
                        self.at += 2
                        self._space()
                return self._command() or Simple(start=start, end=self.at, assignments=(), words=())
            case "coproc":
                return self._coproc(start)
            case "[[":
                return self._test(start)
        self.deeper()
        match keyword:
            case "{":
                body = self._body("}")
                self._take("}")
                made: Command = Group(
                    start=start, end=self.at, body=body, redirects=self._redirects()
                )
            case "if":
                made = self._if(start)
            case "while" | "until":
                condition = self._body("do")
                made = self._loop(start, condition)
            case "case":
                made = self._case(start)
            case _:
                made = self._for(start)
        self.depth -= 1
        return made

    def _parenthesis(self) -> Command:
        start = self.at
        if self.text.startswith("((", start):
            closing = scan.arithmetic_end(self.text, start + 2)
            if closing >= 0:
                word = self._arithmetic(start + 2, closing)
                self.at = closing + 2
                return Test(start=start, end=self.at, words=(word,), redirects=self._redirects())
        self.at += 1
        self.deeper()
        body = self.script(until=")")
        self.depth -= 1
        redirects = self._redirects()
        return Group(start=start, end=self.at, body=body, subshell=True, redirects=redirects)

    def _arithmetic(self, start: int, end: int) -> Word:
        return Word(start=start, end=end, parts=self.heredoc(self.text[start:end]))

    def _if(self, start: int) -> If:
        branches: list[tuple[Script | None, Script]] = []
        condition: Script | None = self._body("then")
        while True:
            if condition is not None:
                self._take("then")
            branches.append((condition, self._body("fi", "elif", "else")))
            match self._peek():
                case "elif":
                    self._take("elif")
                    condition = self._body("then")
                case "else":
                    self._take("else")
                    condition = None
                case _:
                    self._take("fi")
                    redirects = self._redirects()
                    return If(
                        start=start, end=self.at, branches=tuple(branches), redirects=redirects
                    )

    def _loop(self, start: int, condition: Script) -> Loop:
        self._take("do")
        body = self._body("done")
        self._take("done")
        redirects = self._redirects()
        return Loop(start=start, end=self.at, condition=condition, body=body, redirects=redirects)

    def _for(self, start: int) -> Command:
        self._space()
        if self.text.startswith("((", self.at):
            return self._arithmetic_for(start)
        name = self.word()
        if name is None or name.bare is None:
            raise ShellSyntaxError("a for without a name", start)
        words: list[Word] | None = None
        self._newlines()
        if self._peek() == "in":
            self._take("in")
            words = []
            self._space()
            while (word := self.word()) is not None:
                words.append(word)
                self._space()
        if self.text.startswith(";", self.at):
            self.at += 1
        self._newlines()
        body = self._do_body()
        walked = None if words is None else tuple(words)
        return For(
            start=start, end=self.at, name=name.bare, words=walked, body=body,
            redirects=self._redirects(),
        )  # fmt: skip

    def _arithmetic_for(self, start: int) -> Loop:
        opened = self.at
        closing = scan.arithmetic_end(self.text, opened + 2)
        if closing < 0:
            raise ShellSyntaxError("a (( that never closes", opened)
        head = Test(start=opened, end=closing, words=(self._arithmetic(opened + 2, closing),))
        self.at = closing + 2
        self._newlines()
        if self.text.startswith(";", self.at):
            self.at += 1
        self._newlines()
        condition = Script(start=opened, end=self.at, items=(Item(head),))
        body = self._do_body()
        redirects = self._redirects()
        return Loop(start=start, end=self.at, condition=condition, body=body, redirects=redirects)

    def _do_body(self) -> Script:
        opener, closer = ("{", "}") if self._peek() == "{" else ("do", "done")
        self._take(opener)
        body = self._body(closer)
        self._take(closer)
        return body

    def _case(self, start: int) -> Case:
        self._space()
        subject = self.word()
        self._newlines()
        if subject is None or self._peek() != "in":
            raise ShellSyntaxError("a case without its in", start)
        self._take("in")
        branches: list[tuple[tuple[Word, ...], Script]] = []
        while True:
            self._newlines()
            if self._peek() == "esac":
                self._take("esac")
                redirects = self._redirects()
                return Case(
                    start=start, end=self.at, subject=subject, branches=tuple(branches),
                    redirects=redirects,
                )  # fmt: skip
            branches.append(self._case_branch())

    def _case_branch(self) -> tuple[tuple[Word, ...], Script]:
        if self.text.startswith("(", self.at):
            self.at += 1
        patterns: list[Word] = []
        while True:
            self._space()
            pattern = self.word()
            if pattern is None:
                raise ShellSyntaxError("a case pattern is missing", self.at)
            patterns.append(pattern)
            self._space()
            if not self.text.startswith("|", self.at):
                break
            self.at += 1
        if not self.text.startswith(")", self.at):
            raise ShellSyntaxError("a ) is missing after a case pattern", self.at)
        self.at += 1
        start = self.at
        items = self._items([])
        body = Script(start=start, end=self.at, items=tuple(items))
        for ending in (";;&", ";;", ";&"):
            if self.text.startswith(ending, self.at):
                self.at += len(ending)
                break
        else:
            if self._peek() != "esac":
                raise ShellSyntaxError("a case branch that never ends", start)
        return tuple(patterns), body

    def _function(self, name: str, start: int) -> Function:
        self._newlines()
        self.deeper()
        body = self._command()
        self.depth -= 1
        if body is None:
            raise ShellSyntaxError(f"the function {name} has no body", start)
        return Function(start=start, end=self.at, name=disarmed(name), body=body)

    def _coproc(self, start: int) -> Coproc:
        self._space()
        mark = self.at
        name = self.word()
        self._space()
        if name is None or not (self._peek() in _OPENERS or self.text.startswith("(", self.at)):
            self.at = mark
        command = self._command()
        if command is None:
            raise ShellSyntaxError("a coproc without a command", start)
        return Coproc(start=start, end=self.at, command=command)

    def _test(self, start: int) -> Test:
        words: list[Word] = []
        while True:
            self._newlines()
            if self._peek() == "]]":
                self.at += 2
                redirects = self._redirects()
                return Test(start=start, end=self.at, words=tuple(words), redirects=redirects)
            word = self.test_word()
            if word is None:
                raise ShellSyntaxError("a [[ that never closes", start)
            words.append(word)

    # --- simple commands -------------------------------------------------------------------

    def _simple(self) -> Simple:
        start = self.at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        text = self.text
        while True:
            if redirect := self._redirect():
                redirects.append(redirect)
            elif not words and (assignment := self._assignment()):
                assignments.append(assignment)
            elif words and (declared := self._declared(words)):
                words.append(declared)
            elif (word := self.word()) is not None:
                words.append(word)
            else:
                break
            end = self.at
            self._space()
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
        value = self._array() if self.text.startswith("(", self.at) else self.word()
        if value is None:
            value = Word(start=self.at, end=self.at, parts=(), bare="")
        return Assignment(
            start=start, end=self.at, name=found[1], index=found[2] or "", appends=bool(found[3]),
            value=value,
        )  # fmt: skip

    def _declared(self, words: list[Word]) -> Word | None:
        """Read `name=(…)` after declare, local, export and the like as one word."""
        if words[0].bare not in ("declare", "local", "export", "readonly", "typeset"):
            return None
        found = _ASSIGNMENT.match(self.text, self.at)
        if found is None or not self.text.startswith("(", found.end()):
            return None
        start, self.at = self.at, found.end()
        array = self._array()
        return Word(start=start, end=self.at, parts=(Text(found[0], quoted=True), *array.parts))

    def _array(self) -> Word:
        start = self.at
        self.at += 1
        words: list[Word] = []
        while True:
            self._newlines()
            if self.text.startswith(")", self.at):
                self.at += 1
                return Word(start=start, end=self.at, parts=(Array(tuple(words)),))
            word = self.word()
            if word is None:
                raise ShellSyntaxError("an array that never closes", start)
            words.append(word)

    def _redirects(self) -> tuple[Redirect, ...]:
        """Read the redirections that follow a compound command."""
        found: list[Redirect] = []
        self._space()
        while redirect := self._redirect():
            found.append(redirect)
            self._space()
        return tuple(found)

    def _redirect(self) -> Redirect | None:
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
        begin = self.heredocs[-1][0] if self.heredocs else self._line_end() + 1
        body, body_end, over = scan.heredoc(self.text, begin, name, strips_tabs=operator == "<<-")
        self.heredocs.append((over + 1, name, quoted, operator == "<<-"))
        parts = (Text(disarmed(body), quoted=True),) if quoted else self.heredoc(body)
        return Word(start=min(begin, len(self.text)), end=body_end, parts=parts)

    def _line_end(self) -> int:
        newline = self.text.find("\n", self.at)
        return len(self.text) if newline < 0 else newline

    # --- space and reserved words ------------------------------------------------------------

    def _space(self) -> None:
        """Step over blanks, continued lines and, where a word may begin, comments."""
        text, at = self.text, self.at
        if at < len(text) and text[at] in " \t\r\\#":
            pattern = _SPACE if not at or text[at - 1] in " \t\r\n;&|()" else _SPACE_AFTER_WORD
            found = pattern.match(text, at)
            assert found is not None
            self.at = found.end()
            if pattern is _SPACE_AFTER_WORD and text.startswith("#", self.at) and self.at > at:
                self._space()

    def _newlines(self) -> None:
        """Step over blanks, comments, line ends and the here-documents that begin there."""
        while True:
            self._space()
            if not self.text.startswith("\n", self.at):
                return
            if self.heredocs:
                self.at = min(self.heredocs[-1][0], len(self.text))
                self.heredocs.clear()
            else:
                self.at += 1

    def _peek(self) -> str:
        """Return the unquoted word that begins here, without stepping over it."""
        found = _RESERVED.match(self.text, self.at)
        return found[0] if found else ""

    def _take(self, word: str) -> None:
        self._newlines()
        if self._peek() != word:
            raise ShellSyntaxError(f"a {word} is missing", self.at)
        self.at += len(word)


_RESERVED = re.compile(r"[^\s;&|()<>'\"`$\\]+")
