"""Walk a script without following it.

Script  ->  its simple commands, in order
"""

from __future__ import annotations

from collections.abc import Iterator

from snaphook.shell.syntax.tree import (
    Case,
    Command,
    Coproc,
    For,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Script,
    Simple,
)


def commands_of(script: Script) -> Iterator[Simple]:
    """Yield every simple command of *script* that stands outside of substitutions."""
    for item in script.items:
        yield from _within(item.command)


def _within(command: Command) -> Iterator[Simple]:
    match command:
        case Simple():
            yield command
        case Pipeline():
            for one in command.commands:
                yield from _within(one)
        case Group() | For():
            yield from commands_of(command.body)
        case Loop():
            yield from commands_of(command.condition)
            yield from commands_of(command.body)
        case If():
            for condition, body in command.branches:
                if condition is not None:
                    yield from commands_of(condition)
                yield from commands_of(body)
        case Case():
            for _, body in command.branches:
                yield from commands_of(body)
        case Function():
            yield from _within(command.body)
        case Coproc():
            yield from _within(command.command)
        case _:
            return
