"""The simple commands of a line, wherever they stand in it.

Script  ->  Found: where the program's word is, and how far the command goes

Pure. Looks into substitutions, loops and functions, since a prefix can stand there as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from snaphook.shell.syntax.tree import Script, Simple, Word

_RUN_TEXT = frozenset({"eval", "source", ".", "exec", "trap", "command", "builtin"})
"""Builtins that run text or another command in the shell itself."""


class Found(Struct, frozen=True, kw_only=True):
    """One simple command."""

    start: int
    end: int
    at: int
    """Where its program's word begins: the prefix goes here."""
    words_start: int
    program: str
    """The bare name of its program, or nothing where only the run can tell."""
    builtin: bool = False

    @property
    def builtin_runs_code(self) -> bool:
        """Whether the shell itself would run the code: a prefix cannot confine that."""
        return self.builtin and self.program in _RUN_TEXT


def simple_commands(script: Script) -> Iterator[Found]:
    """Yield every simple command of *script*, in the order of the text."""
    yield from sorted(_of(script), key=lambda one: one.start)


def _of(node: object) -> Iterator[Found]:
    if isinstance(node, Simple) and node.words:
        yield _found(node)
    if isinstance(node, Struct):
        for name in node.__struct_fields__:
            yield from _of(getattr(node, name))
    elif isinstance(node, (tuple, list)):
        for one in node:
            yield from _of(one)


def _found(node: Simple) -> Found:
    from snaphook.providers.guard.sandboxing.choose import is_builtin  # they know each other

    words = node.words
    first = next((word for word in words if word.bare not in ("!", "time")), words[0])
    program = (first.bare or "").rpartition("/")[2]
    return Found(
        start=node.start,
        end=node.end,
        at=first.start,
        words_start=first.start,
        program=program,
        builtin=is_builtin(program) and "/" not in (first.bare or ""),
    )


def spelled(word: Word) -> str:
    """Return *word* as it is typed, where it is nothing but plain characters."""
    return word.bare or ""
