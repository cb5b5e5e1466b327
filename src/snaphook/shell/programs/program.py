"""The shape of one program's entry.

Call  ->  Deeds

To teach the guard a program: a function that yields what a call of it does, and one entry in the
`PROGRAMS` of its family's file. `programs/table.py` lists the families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect
from snaphook.shell.options import ANY, Grammar
from snaphook.shell.paths import resolve

Teller = Callable[[Call], Iterable[Action]]
"""Says what a call does."""


class Program(Struct, frozen=True, kw_only=True):
    """How a program reads its words, and what it then does."""

    options: Grammar = ANY
    does: Teller | None = None


def on(
    act: Act,
    call: Call,
    target: Arg,
    *,
    recursive: bool = False,
    forced: bool = False,
) -> Effect:
    """Return the effect of *call* on the path that *target* names."""
    return Effect(
        act=act,
        call=call,
        span=target.span,
        path=resolve(target.value, call.cwd),
        recursive=recursive,
        forced=forced,
    )


def saying(entry: Program, more: Teller) -> Program:
    """Return *entry* with *more* told of its calls."""
    own = entry.does
    if own is None:
        return replace(entry, does=more)

    def both(call: Call) -> Iterator[Action]:
        yield from own(call)
        yield from more(call)

    return replace(entry, does=both)
