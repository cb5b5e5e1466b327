"""Read a script: lists, pipelines, compound commands.

command text  ->  Script

Linear in the text, bounded in depth. What is not a script raises `ShellSyntaxError`, which
carries the commands that were complete before it (the shell may already have run those).
"""

from __future__ import annotations

from snaphook.lazy import regex
from snaphook.shell.syntax import scan
from snaphook.shell.syntax.scan import ShellSyntaxError
from snaphook.shell.syntax.simple import SimpleReader
from snaphook.shell.syntax.tree import (
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
    Script,
    Simple,
    Test,
    Word,
)
from snaphook.shell.text import disarmed

_FUNCTION = regex(r"([^\s;&|()<>'\"`$\\=]+)[ \t]*\([ \t]*\)")
_FUNCTION_KEYWORD = regex(r"function[ \t]+([^\s;&|()<>'\"`$\\]+)(?:[ \t]*\([ \t]*\))?")
_CLOSERS = frozenset({"then", "do", "done", "fi", "elif", "else", "esac", "}", "in"})
_OPENERS = frozenset(
    {"if", "while", "until", "for", "select", "case", "{", "function", "[[", "coproc", "time", "!"}
)


def parse(text: str) -> Script:
    """Return *text* as a script, or raise `ShellSyntaxError`."""
    return ScriptReader(text).script(until="")


class ScriptReader(SimpleReader):
    """Reads commands; one method for each thing the grammar knows."""

    __slots__ = ("partial",)

    def __init__(self, text: str, *, depth: int = 0) -> None:
        super().__init__(text, depth=depth)
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
        found = self.peek()
        if found not in closers:
            raise ShellSyntaxError(f"a {closers[0]} is missing", start)
        return Script(start=start, end=self.at, items=tuple(items))

    def _items(self, items: list[Item]) -> list[Item]:
        joined = ""
        while True:
            self.newlines()
            command = self._pipeline()
            if command is None:
                if joined:
                    raise ShellSyntaxError(f"nothing follows {joined}", self.at)
                return items
            text = self.text
            self.space()
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
        self.space()
        if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
            return first
        commands = [first]
        while self.text.startswith("|", self.at) and not self.text.startswith("||", self.at):
            self.at += 2 if self.text.startswith("|&", self.at) else 1
            self.newlines()
            following = self._command()
            if following is None:
                raise ShellSyntaxError("nothing follows |", self.at)
            commands.append(following)
            self.space()
        return Pipeline(start=first.start, end=self.at, commands=tuple(commands))

    # --- commands --------------------------------------------------------------------------

    def _command(self) -> Command | None:
        self.space()
        text, at = self.text, self.at
        if at >= len(text) or text[at] in ");&|\n":
            return None
        if text[at] == "(":
            return self._parenthesis()
        keyword = self.peek()
        if keyword in _CLOSERS:
            return None
        if keyword in _OPENERS:
            return self._compound(keyword)
        if (named := _FUNCTION.match(text, at)) and text[at] != "!":
            self.at = named.end()
            return self._function(named[1], at)
        return self.simple()

    def _compound(self, keyword: str) -> Command | None:
        start = self.at
        if keyword == "function":
            named = _FUNCTION_KEYWORD.match(self.text, start)
            if named is None:
                return self.simple()
            self.at = named.end()
            return self._function(named[1], start)
        self.at += len(keyword)
        match keyword:
            case "!" | "time":
                if keyword == "time":
                    self.space()
                    while self.peek() in ("-p", "--"):
                        self.at += 2
                        self.space()
                return self._command() or Simple(start=start, end=self.at, assignments=(), words=())
            case "coproc":
                return self._coproc(start)
            case "[[":
                return self._test(start)
        self.deeper()
        match keyword:
            case "{":
                body = self._body("}")
                self.take("}")
                made: Command = Group(
                    start=start, end=self.at, body=body, redirects=self.redirects()
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
                return Test(start=start, end=self.at, words=(word,), redirects=self.redirects())
        self.at += 1
        self.deeper()
        body = self.script(until=")")
        self.depth -= 1
        redirects = self.redirects()
        return Group(start=start, end=self.at, body=body, subshell=True, redirects=redirects)

    def _arithmetic(self, start: int, end: int) -> Word:
        return Word(start=start, end=end, parts=self.heredoc(self.text[start:end]))

    def _if(self, start: int) -> If:
        branches: list[tuple[Script | None, Script]] = []
        condition: Script | None = self._body("then")
        while True:
            if condition is not None:
                self.take("then")
            branches.append((condition, self._body("fi", "elif", "else")))
            match self.peek():
                case "elif":
                    self.take("elif")
                    condition = self._body("then")
                case "else":
                    self.take("else")
                    condition = None
                case _:
                    self.take("fi")
                    redirects = self.redirects()
                    return If(
                        start=start, end=self.at, branches=tuple(branches), redirects=redirects
                    )

    def _loop(self, start: int, condition: Script) -> Loop:
        self.take("do")
        body = self._body("done")
        self.take("done")
        redirects = self.redirects()
        return Loop(start=start, end=self.at, condition=condition, body=body, redirects=redirects)

    def _for(self, start: int) -> Command:
        self.space()
        if self.text.startswith("((", self.at):
            return self._arithmetic_for(start)
        name = self.word()
        if name is None or name.bare is None:
            raise ShellSyntaxError("a for without a name", start)
        words: list[Word] | None = None
        self.newlines()
        if self.peek() == "in":
            self.take("in")
            words = []
            self.space()
            while (word := self.word()) is not None:
                words.append(word)
                self.space()
        if self.text.startswith(";", self.at):
            self.at += 1
        self.newlines()
        body = self._do_body()
        walked = None if words is None else tuple(words)
        return For(
            start=start, end=self.at, name=name.bare, words=walked, body=body,
            redirects=self.redirects(),
        )  # fmt: skip

    def _arithmetic_for(self, start: int) -> Loop:
        opened = self.at
        closing = scan.arithmetic_end(self.text, opened + 2)
        if closing < 0:
            raise ShellSyntaxError("a (( that never closes", opened)
        head = Test(start=opened, end=closing, words=(self._arithmetic(opened + 2, closing),))
        self.at = closing + 2
        self.newlines()
        if self.text.startswith(";", self.at):
            self.at += 1
        self.newlines()
        condition = Script(start=opened, end=self.at, items=(Item(head),))
        body = self._do_body()
        redirects = self.redirects()
        return Loop(start=start, end=self.at, condition=condition, body=body, redirects=redirects)

    def _do_body(self) -> Script:
        opener, closer = ("{", "}") if self.peek() == "{" else ("do", "done")
        self.take(opener)
        body = self._body(closer)
        self.take(closer)
        return body

    def _case(self, start: int) -> Case:
        self.space()
        subject = self.word()
        self.newlines()
        if subject is None or self.peek() != "in":
            raise ShellSyntaxError("a case without its in", start)
        self.take("in")
        branches: list[tuple[tuple[Word, ...], Script]] = []
        while True:
            self.newlines()
            if self.peek() == "esac":
                self.take("esac")
                redirects = self.redirects()
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
            self.space()
            pattern = self.word()
            if pattern is None:
                raise ShellSyntaxError("a case pattern is missing", self.at)
            patterns.append(pattern)
            self.space()
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
            if self.peek() != "esac":
                raise ShellSyntaxError("a case branch that never ends", start)
        return tuple(patterns), body

    def _function(self, name: str, start: int) -> Function:
        self.newlines()
        self.deeper()
        body = self._command()
        self.depth -= 1
        if body is None:
            raise ShellSyntaxError(f"the function {name} has no body", start)
        return Function(start=start, end=self.at, name=disarmed(name), body=body)

    def _coproc(self, start: int) -> Coproc:
        self.space()
        mark = self.at
        name = self.word()
        self.space()
        if name is None or not (self.peek() in _OPENERS or self.text.startswith("(", self.at)):
            self.at = mark
        command = self._command()
        if command is None:
            raise ShellSyntaxError("a coproc without a command", start)
        return Coproc(start=start, end=self.at, command=command)

    def _test(self, start: int) -> Test:
        words: list[Word] = []
        while True:
            self.newlines()
            if self.peek() == "]]":
                self.at += 2
                redirects = self.redirects()
                return Test(start=start, end=self.at, words=tuple(words), redirects=redirects)
            word = self.test_word()
            if word is None:
                raise ShellSyntaxError("a [[ that never closes", start)
            words.append(word)
