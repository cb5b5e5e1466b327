"""Readers of other languages, by name.

Code  ->  Deeds

A reader finds in a program's text what it would do (files it deletes, commands it starts) and
yields the same deeds a program would, so that the same rules judge them. To add one: a file with
a function, and its line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from snaphook.shell.facts import Action, Call, Code

Reader = Callable[[Code, Call], Iterable[Action]]


def _later(module: str, name: str) -> Reader:
    """Return the reader *name* of *module*, which is loaded when it first has something to read."""

    def read(code: Code, call: Call) -> Iterable[Action]:
        found: Reader = getattr(import_module(f"{__package__}.{module}"), name)
        return found(code, call)

    return read


_SCRIPTED = "node perl ruby php lua r osascript elixir julia groovy other"

LANGUAGES: Mapping[str, Reader] = {
    "python": _later("python", "python"),
    "module": _later("python", "python"),
    "import": _later("python", "python"),
    "sql": _later("sql", "sql"),
    "redis": _later("stores", "redis"),
    "mongo": _later("stores", "mongo"),
    "sed": _later("sed", "sed"),
    "make": _later("tasks", "make"),
    "scripts": _later("tasks", "scripts"),
    "just": _later("tasks", "just"),
    "taskfile": _later("tasks", "taskfile"),
    **{language: _later("scripted", language) for language in _SCRIPTED.split()},
}
