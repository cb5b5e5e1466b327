"""A shell text as the commands it would run, word by word.

cd x && 'r'm -r -f y > log  ->  (cd x) (rm -r -f y) (> log)

Read with the evaluator that the guard uses: quotes, variables, aliases, functions, ``eval``, ``sh -c``,
what is piped into a shell, and what stands behind ``sudo`` or ``xargs`` are followed without running
anything. What only the run can tell is a ``$…``. Pure.
"""

import os
import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from snaphook.shell import limits
from snaphook.shell.evaluation.evaluate import Evaluator
from snaphook.shell.evaluation.redirect import OPERATORS
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Arg, Call
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.limits import PastLimit
from snaphook.shell.text import UNKNOWN
from snaphook.shell.world import StillWorld

_HERE = "/\N{BULLET}" * 32
"""Where a text starts: a place no text can name, deep enough for ``cd ..`` to stay within it."""


class ShellStep(Struct, frozen=True):
    """One thing a shell does: run *words*, write to a file, or read from one; *cwd* is where."""

    words: tuple[str, ...] = ()
    writes: str = ""
    reads: str = ""
    cwd: str = ""
    """Relative to where the text starts, or absolute."""

    @property
    def program(self) -> str:
        """Return the program's bare name."""
        return bare(self.words[0]) if self.words else ""


Command = str | tuple[str, ...]


def bare(program: str) -> str:
    """Return a program's name without its directory."""
    return program.rsplit("/", 1)[-1]


@lru_cache(maxsize=256)
def steps(command: Command) -> tuple[ShellStep, ...]:
    """Return what *command* does: first what it runs, then what its redirections read and write."""
    if isinstance(command, tuple):
        from shlex import join  # few tools hand over words

        command = join(command)
    return tuple(_followed(command))


def _followed(text: str) -> Iterator[ShellStep]:
    evaluator = Evaluator(PROGRAMS, reads=False)
    world = StillWorld(home="~", cwd=_HERE, project=_HERE)
    whole = len(text) <= limits.LONGEST
    try:
        if whole:
            evaluator.follow_command(text, Frame(world))
    except (PastLimit, RecursionError):
        whole = False  # what was seen up to there counts, and the rest is read loosely
    for call in evaluator.calls:
        yield ShellStep(words=_words(call), cwd=_from_here(call.cwd))
    for effect in evaluator.effects:
        if effect.call.program in OPERATORS:
            yield _redirected(effect.call, reads=effect.act is Act.READ)
    if not whole or any(effect.act is Act.OPAQUE for effect in evaluator.effects):
        yield from _torn(text)


def _words(call: Call) -> tuple[str, ...]:
    return (_text(call.name), *map(_text, call.args))


def _redirected(call: Call, *, reads: bool) -> ShellStep:
    path, cwd = _text(call.args[0]), _from_here(call.cwd)
    return ShellStep(reads=path, cwd=cwd) if reads else ShellStep(writes=path, cwd=cwd)


def _text(word: Arg) -> str:
    return word.text.replace(UNKNOWN, "$…").replace(f"{_HERE}/", "")


def _from_here(cwd: str) -> str:
    if cwd == _HERE:
        return ""
    path = os.path.relpath(cwd, _HERE) if cwd.startswith(_HERE[:2]) else cwd
    return path.replace(UNKNOWN, "$…")


def _torn(text: str) -> Iterator[ShellStep]:
    """Yield what a text that cannot be followed looks like, read as loosely as possible."""
    for part in re.split(r"[;&|\n()`]+", text):
        words = tuple(part.replace('"', "").replace("'", "").replace("\\", "").split())
        if words:
            yield ShellStep(words=words)
