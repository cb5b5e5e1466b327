"""The words of a call sorted into options and operands, in every spelling a program takes.

Grammar + words  ->  Options

`-rf`, `-r -f`, `--recursive --force` and `--recur --fo` are the same two options to rm, and
they are the same two here. What a program takes is a line of text:

    getopt("r,R,recursive f,force i I interactive?= o,output=")

Spellings of one option are joined by commas, `=` takes a value, `?=` takes one only when attached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from snaphook.shell.facts import Arg


class Grammar(Struct, frozen=True, kw_only=True):
    """Which options a program takes.

    *names* maps each spelling to the option's first spelling, *valued* holds those that take
    the next word. *abbreviates*: unique beginnings of long options count (getopt_long does).
    *single_dash*: long options begin with one dash (java, find, terraform): `-chdir=x`.
    *operands_end*: options after the first operand belong to someone else (env, sudo, ssh).
    """

    names: Mapping[str, str] = {}
    valued: frozenset[str] = frozenset()
    abbreviates: bool = True
    single_dash: bool = False
    operands_end: bool = False
    subcommands: Mapping[str, Grammar] = {}


class Options(Struct, frozen=True, kw_only=True):
    """The words of one call, sorted. *given* holds (option, value) in order."""

    given: tuple[tuple[str, Arg | None], ...] = ()
    operands: tuple[Arg, ...] = ()
    grammar: Grammar
    ended: int = -1

    def has(self, *names: str) -> bool:
        """Say whether any of *names* is given, whatever spelling was used."""
        given = self.given
        if not given:
            return False
        canonical = self.grammar.names
        for name in names:
            wanted = canonical.get(name, name)
            for option, _ in given:
                if option == wanted:
                    return True
        return False

    def get(self, *names: str) -> Arg | None:
        """Return the last value given to any of *names*."""
        return next(reversed(self.all(*names)), None)

    def all(self, *names: str) -> list[Arg]:
        """Return every value given to any of *names*, in order."""
        if not self.given:
            return []
        canonical = self.grammar.names
        wanted = [canonical.get(name, name) for name in names]
        return [value for option, value in self.given if option in wanted and value is not None]

    def starts(self, words: Iterable[str]) -> bool:
        """Say whether the operands begin with *words*."""
        operands = self.operands
        return all(
            at < len(operands) and operands[at].text == word for at, word in enumerate(words)
        )


def getopt(
    options: str = "",
    *,
    abbreviates: bool = True,
    single_dash: bool = False,
    operands_end: bool = False,
    subcommands: Mapping[str, Grammar] | None = None,
) -> Grammar:
    """Return the grammar that the line *options* tells."""
    names: dict[str, str] = {}
    valued: set[str] = set()
    for entry in options.split():
        spellings, suffix = entry.rstrip("?="), entry[len(entry.rstrip("?=")) :]
        dashed = [_dashed(spelling, single_dash) for spelling in spellings.split(",")]
        names.update(dict.fromkeys(dashed, dashed[0]))
        if suffix == "=":
            valued.add(dashed[0])
    outer = Grammar(
        names=names,
        valued=frozenset(valued),
        abbreviates=abbreviates,
        single_dash=single_dash,
        operands_end=operands_end,
    )
    joined = {name: _joined(outer, inner) for name, inner in (subcommands or {}).items()}
    return replace(outer, subcommands=joined) if joined else outer


class LazyGrammars(Mapping[str, Grammar]):
    """Grammars of subcommands, by their lines of text; each is read when it is first asked for."""

    def __init__(self, lines: Mapping[str, str]) -> None:
        self._lines = lines
        self._read: dict[str, Grammar] = {}

    def __getitem__(self, name: str) -> Grammar:
        if name not in self._read:
            self._read[name] = getopt(self._lines[name])
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


def _dashed(spelling: str, single_dash: bool) -> str:
    return f"-{spelling}" if len(spelling) == 1 or single_dash else f"--{spelling}"


ANY = getopt()


def sort(args: tuple[Arg, ...], grammar: Grammar) -> Options:
    """Return *args* sorted by *grammar*; after the subcommand, that one's grammar counts too."""
    given: list[tuple[str, Arg | None]] = []
    operands: list[Arg] = []
    names, valued = grammar.names, grammar.valued
    at, ended, total = 0, -1, len(args)
    while at < total:
        arg = args[at]
        text = arg.value
        at += 1
        if len(text) < 2 or text[0] != "-":
            if not operands and grammar.subcommands and (inner := grammar.subcommands.get(text)):
                grammar = inner
                names, valued = grammar.names, grammar.valued
            operands.append(arg)
            if grammar.operands_end:
                operands.extend(args[at:])
                break
        elif text == "--":
            ended = len(operands)
            operands.extend(args[at:])
            break
        elif text[1] == "-" or grammar.single_dash:
            name, attached, value = text.partition("=")
            name = _canonical(name, grammar)
            if attached:
                given.append((name, _tail(arg, value)))
            elif name in valued and at < total:
                given.append((name, args[at]))
                at += 1
            else:
                given.append((name, None))
        elif text in names:
            name = names[text]
            if name in valued and at < total:
                given.append((name, args[at]))
                at += 1
            else:
                given.append((name, None))
        else:
            at = _cluster(arg, args, at, names, valued, given)
    return Options(given=tuple(given), operands=tuple(operands), grammar=grammar, ended=ended)


def _cluster(
    arg: Arg,
    args: tuple[Arg, ...],
    at: int,
    names: Mapping[str, str],
    valued: frozenset[str],
    given: list[tuple[str, Arg | None]],
) -> int:
    """Split `-xyz` into letters; the first that takes a value takes the rest or the next word."""
    text = arg.value
    for place in range(1, len(text)):
        name = names.get(f"-{text[place]}", f"-{text[place]}")
        if name in valued:
            if place + 1 < len(text):
                given.append((name, _tail(arg, text[place + 1 :])))
            elif at < len(args):
                given.append((name, args[at]))
                return at + 1
            return at
        given.append((name, None))
    return at


def _canonical(name: str, grammar: Grammar) -> str:
    names = grammar.names
    if name in names:
        return names[name]
    if grammar.abbreviates and len(name) > 2:
        found = {names[long] for long in names if long.startswith(name)}
        if len(found) == 1:
            return found.pop()
    return name


def _joined(outer: Grammar, inner: Grammar) -> Grammar:
    """Return *inner* with the options of *outer* that it does not spell otherwise."""
    return Grammar(
        names={**outer.names, **inner.names},
        valued=inner.valued | {name for name in outer.valued if name not in inner.names},
        abbreviates=inner.abbreviates,
        single_dash=inner.single_dash,
        operands_end=inner.operands_end,
        subcommands={},
    )


def _tail(arg: Arg, value: str) -> Arg:
    return replace(arg, value=value)
