"""Where the shell stands while a script is followed: variables, functions, directory, wrappers.

Frame + command  ->  Frame
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from snaphook.shell.text import UNKNOWN
from snaphook.shell.world import World

if TYPE_CHECKING:
    from snaphook.shell.facts import Call, Span
    from snaphook.shell.syntax.tree import Command

MOST_ALTERNATIVES = 6


class Either(Struct, frozen=True):
    """A variable that may hold any of several values: two branches set it differently."""

    values: tuple[str | tuple[str, ...], ...]


Value = str | tuple[str, ...] | Either


class Frame:
    """One shell: a subshell gets a copy, a function call shares it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.variables: dict[str, Value] = {"PWD": world.cwd, "HOME": world.home, "IFS": " \t\n"}
        self.functions: dict[str, Command] = {}
        self.aliases: dict[str, str] = {}
        self.env: dict[str, str] = {}
        self.arguments: tuple[str, ...] = (UNKNOWN,)
        self.via: tuple[str, ...] = ()
        self.root = False
        self.remote = ""
        self.stdin: str | None = None
        self.upstream: tuple[Call, ...] = ()
        self.depth = 0
        self.at: Span | None = None
        self.locals: dict[str, Value | None] = {}
        self.descriptors: dict[str, str] = {}
        self.chained = False
        self.forks = False
        self.sure = True
        self.stored = False
        self.captured = False
        self.loaded = False
        self.pick = 0
        self.widest = 1

    def copy(self) -> Frame:
        """Return a shell that starts where this one stands and cannot change it."""
        other = self.within()
        other.variables = self.variables.copy()
        other.functions = self.functions.copy()
        other.aliases = self.aliases.copy()
        other.env = self.env.copy()
        return other

    def within(self) -> Frame:
        """Return a shell of which what it sets stays set here."""
        other = object.__new__(Frame)
        other.__dict__.update(self.__dict__)
        return other

    @property
    def cwd(self) -> str:
        """The current directory, as far as it is known."""
        found = self.get("PWD")
        return found if isinstance(found, str) else UNKNOWN

    def get(self, name: str) -> str | tuple[str, ...] | None:
        """Return what *name* holds, or nothing when only the machine knows."""
        value = self.variables.get(name)
        if isinstance(value, Either):
            self.widest = max(self.widest, len(value.values))
            return value.values[self.pick % len(value.values)]
        return value

    def make_local(self, name: str) -> None:
        """Remember what *name* held outside this function, to give it back at the end."""
        self.locals.setdefault(name, self.variables.get(name))

    def restore_locals(self, outer: dict[str, Value | None]) -> None:
        """Give back what the function's own variables hid."""
        for name, value in self.locals.items():
            if value is None:
                self.variables.pop(name, None)
            else:
                self.variables[name] = value
        self.locals = outer

    def enter(self, directory: str) -> None:
        """Change the current directory."""
        self.variables["OLDPWD"] = self.cwd
        self.variables["PWD"] = directory

    def merge(self, frames: Iterable[Frame]) -> None:
        """Take on what any of *frames* may have left behind."""
        others = list(frames)
        for frame in others:
            self.functions.update(frame.functions)
            self.aliases.update(frame.aliases)
            self.env.update(frame.env)
        for name in {name for frame in others for name in frame.variables}:
            self.variables[name] = _joined([frame.variables.get(name) for frame in others])


def _joined(values: list[Value | None]) -> Value:
    found: list[str | tuple[str, ...]] = []
    for value in values:
        for one in value.values if isinstance(value, Either) else (value,):
            if one is None:
                one = UNKNOWN
            if one not in found:
                found.append(one)
    if len(found) == 1:
        return found[0]
    return Either(tuple(found)) if len(found) <= MOST_ALTERNATIVES else UNKNOWN
