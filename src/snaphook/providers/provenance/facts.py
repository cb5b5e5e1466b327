"""What a shell command would do, as this provider asks for it.

command  ->  Reading: calls and effects

The guard understands shell; providers do not see each other, so wiring hands in its reader. These
protocols name the few facts that are used of it.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Protocol

from snaphook.canon import HookContext


class ArgFacts(Protocol):
    """One word as the program receives it."""

    @property
    def text(self) -> str:
        """The word; what only the run can tell is marked in it."""


class OptionFacts(Protocol):
    """The options of a call."""

    def all(self, *names: str) -> Iterable[ArgFacts]:
        """Return the values given to any of the options *names*."""


class CallFacts(Protocol):
    """One program that would run."""

    @property
    def program(self) -> str:
        """Its bare name."""

    @property
    def subcommand(self) -> str:
        """Its first operand."""

    @property
    def args(self) -> Sequence[ArgFacts]:
        """Every word after the program."""

    @property
    def operands(self) -> Sequence[ArgFacts]:
        """The words that are neither options nor their values."""

    @property
    def name(self) -> ArgFacts:
        """The program as it was spelled."""

    @property
    def cwd(self) -> str:
        """Where it would run."""

    @property
    def stdin(self) -> str | None:
        """What it reads, as far as that is known."""

    @property
    def upstream(self) -> Sequence["CallFacts"]:
        """The calls whose output it reads."""

    @property
    def sure(self) -> bool:
        """Whether it surely runs."""

    @property
    def via(self) -> Sequence[str]:
        """What it runs through."""

    @property
    def options(self) -> OptionFacts:
        """Its options."""


class EffectFacts(Protocol):
    """One thing that a call does to one target."""

    @property
    def act(self) -> Enum:
        """What is done."""

    @property
    def call(self) -> CallFacts:
        """Who does it."""

    @property
    def path(self) -> str:
        """The file, absolute."""

    @property
    def detail(self) -> str:
        """The address, or the code."""


class Reading(Protocol):
    """A command, understood."""

    @property
    def calls(self) -> Sequence[CallFacts]:
        """The programs that would run."""

    @property
    def effects(self) -> Sequence[EffectFacts]:
        """What they do."""


ShellReader = Callable[[str, HookContext], Reading]
