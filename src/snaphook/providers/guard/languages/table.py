"""Readers of other languages, by name.

Code  ->  Deeds

A reader finds in a program's text what it would do (files it deletes, commands it starts) and
yields the same deeds a program would, so that the same rules judge them. To add one: a file with
a function, and its line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from snaphook.providers.guard.facts import Call, Code, Deed
from snaphook.providers.guard.languages import python, scripted, sql, stores, tasks

Reader = Callable[[Code, Call], Iterable[Deed]]

LANGUAGES: Mapping[str, Reader] = {
    "python": python.python,
    "sql": sql.sql,
    "redis": stores.redis,
    "mongo": stores.mongo,
    "make": tasks.make,
    "scripts": tasks.scripts,
    "just": tasks.just,
    "taskfile": tasks.taskfile,
    **scripted.READERS,
}
