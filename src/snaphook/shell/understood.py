"""What a command does, without anybody's opinion of it.

command  ->  Understood: calls and effects

For those who need to know what would happen, and have other questions than the guard's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from snaphook.shell import limits
from snaphook.shell.evaluation.evaluate import Evaluator
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Call, Effect
from snaphook.shell.limits import PastLimit
from snaphook.shell.programs.program import Program
from snaphook.shell.syntax.scan import ShellSyntaxError
from snaphook.shell.world import World


class Understood(Struct, frozen=True, kw_only=True):
    """The programs that would run, and what they do."""

    calls: tuple[Call, ...] = ()
    effects: tuple[Effect, ...] = ()


def understand(command: str, world: World, programs: Mapping[str, Program]) -> Understood:
    """Return what *command* would do; as far as it was understood, where a limit ends that.

    The guard denies a command past a limit, so half a reading opens nothing.
    """
    evaluator = Evaluator(programs, reads=False)
    if len(command) <= limits.LONGEST and "\0" not in command:
        with suppress(PastLimit, RecursionError, ShellSyntaxError):
            evaluator.follow_command(command, Frame(world))
    return Understood(calls=tuple(evaluator.calls), effects=tuple(evaluator.effects))
