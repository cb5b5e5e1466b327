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

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from snaphook.providers.guard.facts import Arg, Call, Span
from snaphook.providers.guard.text import UNKNOWN

_REHEARSALS = ("--dry-run", "--dryrun", "--just-print", "--what-if", "--noop")
_NOT_REHEARSED = ("none", "false", "0", "no")


class Harm(Struct, frozen=True, kw_only=True):
    """One line of a table: the operands it begins with, the options it needs and must lack."""

    words: tuple[re.Pattern[str], ...]
    needs: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()

    def matches(self, call: Call, operands: Sequence[Arg]) -> bool:
        """Say whether *call*, its operands taken to be *operands*, is of this kind."""
        return (
            len(operands) >= len(self.words)
            and all(
                word.fullmatch(arg.text) for word, arg in zip(self.words, operands, strict=False)
            )
            and all(any(_given(call, one) for one in spellings) for spellings in self.needs)
            and not any(_given(call, one) for one in self.lacks)
        )


class Harms:
    """A table of harms, by program."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Mapping[str, Sequence[Harm]]) -> None:
        self._rows = rows

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that the table speaks of."""
        return tuple(self._rows)

    def find(self, call: Call) -> Span | None:
        """Return the place of the first harm that *call* does."""
        if only_asks(call):
            return None
        for operands in readings(call):
            for harm in self._rows.get(call.program, ()):
                if harm.matches(call, operands):
                    return operands[0].span if operands else call.span
        return None


def harms(table: str) -> Harms:
    """Return the harms that *table* lists, one a line; `#` begins a remark."""
    rows: dict[str, list[Harm]] = {}
    for line in table.splitlines():
        words = line.partition("#")[0].split()
        if words:
            harm = _harm(words[1:])
            for program in words[0].split("|"):
                rows.setdefault(program, []).append(harm)
    return Harms(rows)


def _harm(words: Sequence[str]) -> Harm:
    return Harm(
        words=tuple(_pattern(word) for word in words if word[0] not in "-!"),
        needs=tuple(tuple(word.split("|")) for word in words if word[0] == "-"),
        lacks=tuple(one for word in words if word[0] == "!" for one in word[1:].split("|")),
    )


@cache
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(
        "|".join(re.escape(one).replace(r"\*", ".*") for one in word.split("|")), re.IGNORECASE
    )


def _given(call: Call, option: str) -> bool:
    name, has_value, value = option.partition("=")
    if name.endswith("*"):
        return any(option.startswith(name[:-1]) for option, _ in call.options.given) or any(
            arg.value.startswith(name[:-1]) for arg in call.args
        )
    if not has_value:
        if name.endswith("*"):
            return any(option.startswith(name[:-1]) for option, _ in call.options.given)
        last = call.get(name)
        spelled = call.has(name) or (len(name) > 2 and any(arg.value == name for arg in call.args))
        return spelled and (last is None or last.text != "false")
    given = [arg.text for arg in call.options.all(name)]
    return any(_pattern(value).fullmatch(text) for text in given)


def only_asks(call: Call) -> bool:
    """Say whether *call* asks for help, or for a rehearsal of what it would do."""
    if call.has("--help") or (call.args and call.args[-1].value == "-h"):
        return True
    if call.operands and call.operands[0].value == "help":
        return True
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
