"""Calls that do harm, written as they are typed.

lines of text  ->  Harms  ->  the place in a call that one of them names

    kubectl delete|drain
    terraform apply -auto-approve
    docker volume|network prune
    aws * delete-*

The first word is the program, the others begin its operands; `|` separates spellings and `*` is
any run of characters. A word with a dash is an option that must be given, one with `!` before it
an option that must not be; `=` asks for a value. Who only asks for help or for a rehearsal does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from snaphook.shell.facts import Arg, Call, Span
from snaphook.shell.text import UNKNOWN

_REHEARSALS = ("--dry-run", "--dryrun", "--just-print", "--what-if", "--noop")
_WHATIF = "-whatif"
_NOT_REHEARSED = ("none", "false", "0", "no")


class HarmWord(Struct, frozen=True):
    """One word of a line: the spellings it stands for, and those with a star."""

    exact: frozenset[str]
    starred: tuple[str, ...]

    def fits(self, text: str) -> bool:
        """Say whether *text* is one of the spellings, in whatever case."""
        text = text.lower()
        return text in self.exact or any(_like(text, shape) for shape in self.starred)


class Harm(Struct, frozen=True, kw_only=True):
    """One line of a table: the operands it begins with, the options it needs and must lack."""

    words: tuple[HarmWord, ...]
    needs: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()

    def matches(self, call: Call, operands: Sequence[Arg]) -> bool:
        """Say whether *call*, its operands taken to be *operands*, is of this kind."""
        return (
            len(operands) >= len(self.words)
            and all(word.fits(arg.text) for word, arg in zip(self.words, operands, strict=False))
            and all(any(given(call, one) for one in spellings) for spellings in self.needs)
            and not any(given(call, one) for one in self.lacks)
        )


class Harms:
    """A table of harms, by program; a program's lines are read when it is first met."""

    __slots__ = ("_lines", "_rows")

    def __init__(self, lines: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._lines = lines
        self._rows: dict[str, Sequence[Harm]] = {}

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that the table speaks of."""
        return tuple(self._lines)

    def find(self, call: Call) -> Span | None:
        """Return the place of the first harm that *call* does."""
        if call.program not in self._lines or only_asks(call):
            return None
        rows = self._rows.get(call.program)
        if rows is None:
            rows = self._rows[call.program] = [_harm(line) for line in self._lines[call.program]]
        for operands in readings(call):
            for harm in rows:
                if harm.matches(call, operands):
                    return operands[0].span if operands else call.span
        return None


def harms(table: str) -> Harms:
    """Return the harms that *table* lists, one a line; `#` begins a remark."""
    lines: dict[str, list[Sequence[str]]] = {}
    for line in table.splitlines():
        words = line.partition("#")[0].split()
        for program in words[0].split("|") if words else ():
            lines.setdefault(program, []).append(words[1:])
    return Harms(lines)


def _harm(words: Sequence[str]) -> Harm:
    return Harm(
        words=tuple(_word(word) for word in words if word[0] not in "-!"),
        needs=tuple(tuple(word.split("|")) for word in words if word[0] == "-"),
        lacks=tuple(one for word in words if word[0] == "!" for one in word[1:].split("|")),
    )


@cache
def _word(text: str) -> HarmWord:
    spellings = text.lower().split("|")
    return HarmWord(
        frozenset(one for one in spellings if "*" not in one),
        tuple(one for one in spellings if "*" in one),
    )


def _like(text: str, shape: str) -> bool:
    """Say whether *text* has the parts of *shape* between its stars, in order."""
    first, *middle, last = shape.split("*")
    if not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return at <= end


def given(call: Call, option: str) -> bool:
    """Say whether *option* is given, in any spelling; `--name=value` asks for the value too."""
    name, has_value, value = option.partition("=")
    if name.endswith("*"):
        return any(option.startswith(name[:-1]) for option, _ in call.options.given) or any(
            arg.value.startswith(name[:-1]) for arg in call.args
        )
    if not has_value:
        last = call.get(name)
        spelled = call.has(name) or (len(name) > 2 and any(arg.value == name for arg in call.args))
        return spelled and (last is None or last.text != "false")
    return any(_word(value).fits(arg.text) for arg in call.options.all(name))


def only_asks(call: Call) -> bool:
    """Say whether *call* asks for help, or for a rehearsal of what it would do."""
    if call.has("--help") or (call.args and call.args[-1].value in ("-h", "-help")):
        return True
    if call.operands and call.operands[0].value == "help":
        return True
    for arg in call.args:
        if len(arg.value) == len(_WHATIF) and arg.value.lower() == _WHATIF:
            return True
    if not call.has(*_REHEARSALS):
        return False
    for name in _REHEARSALS:
        if call.has(name):
            value = call.get(name)
            return value is None or value.text.lower() not in _NOT_REHEARSED
    return False


def readings(call: Call) -> Iterator[Sequence[Arg]]:
    """Return the operands of *call* in the ways its words may be read.

    An option we do not know may take the next word as its value (`aws --profile prod s3 rb …`) or
    not; both readings are tried.
    """
    operands = call.operands
    yield operands
    known = call.options.grammar.names
    values = {
        id(value)
        for option, value in zip(call.args, call.args[1:], strict=False)
        if option.value[:1] == "-" and "=" not in option.value and option.value not in known
    }
    if values:
        rest = [arg for arg in operands if id(arg) not in values]
        if len(rest) != len(operands):
            yield rest


def unknown(arg: Arg) -> bool:
    """Say whether only the run can tell what *arg* begins with."""
    return arg.value[:1] == UNKNOWN
