"""What a shell line runs, as whoever matches commands by pattern needs to know it.

``cd x && sudo git push > log``  ->  cd x · sudo git push · git push, writes log

The values only: the guard's evaluator fills them in, and wiring hands its reader to those who ask.
"""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from snaphook import canon


class SimpleCommand(Struct, frozen=True, kw_only=True):
    """One command that would run, however it was quoted or wrapped."""

    text: str
    """Its words; those with blanks or operators in them in single quotes."""
    spellings: tuple[str, ...] = ()
    """The same without the program's directory, and with the subcommand first: for refusals."""
    program: str = ""
    wrapped: bool = False
    """Another command of the line starts it: ``sudo``, ``xargs``, ``bash -c``."""
    sure: bool = True
    """Not so for what only a guess or a script on disk says."""


class CommandLine(Struct, frozen=True, kw_only=True):
    """Everything that one line would run."""

    commands: tuple[SimpleCommand, ...] = ()
    complete: bool = False
    """Whether that is all: nothing was left that only the run can tell."""
    steered: bool = False
    """Whether it sets variables that change what its commands do: ``PATH``, ``LD_PRELOAD``."""
    writes: tuple[str, ...] = ()
    """Files that redirections write, by their full paths; empty where one is not known."""


CommandReader = Callable[[canon.ToolEvent], CommandLine]
"""Reads the line of a shell tool's call."""


class CallReader(Protocol):
    """Whoever can say what a tool call does: the guard."""

    def line(self, event: canon.ToolEvent) -> CommandLine:
        """Return the commands that the line itself names; scripts on disk stay unread."""

    def everything(self, event: canon.ToolEvent) -> CommandLine:
        """Return those, and what the scripts on disk that it runs would run."""

    def objection(self, event: canon.ToolEvent) -> str:
        """Return why the call should not run without a person's word; empty if nothing objects."""


class NoReader:
    """Where there is no guard: no line is understood, so no pattern allows one."""

    def line(self, _event: canon.ToolEvent) -> CommandLine:
        """Return a line of which nothing is known."""
        return CommandLine()

    everything = line

    def objection(self, _event: canon.ToolEvent) -> str:
        """Return nothing: nobody objects."""
        return ""
