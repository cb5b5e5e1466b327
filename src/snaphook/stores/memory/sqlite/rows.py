"""A memory as rows: one of its own, and one for each name and question it has to do with.

Memory  ->  memory, mention, said, settled, word
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from snaphook.stores.memory.values import Memory, MemorySource
from snaphook.stores.memory.words import bag

from .names import Names

ADD = "INSERT INTO memory VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
WORDS = "INSERT INTO word(rowid, terms) VALUES (?, ?)"
UNWORDS = "INSERT INTO word(word, rowid, terms) VALUES ('delete', ?, ?)"


def scope(project: int) -> str:
    """Return the word that stands for *project* in the index, so that words can be met with it."""
    return f"_p{project}_"


class MemoryRows:
    """Writes and removes memories inside somebody else's transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.names = Names(db)
        self._db = db
        self._encode = msgspec.json.Encoder().encode

    def add(self, memories: Sequence[Memory]) -> None:
        """Write *memories*, none of which is there."""
        if not memories:
            return
        first = self._next()
        rows = [self._row(first + n, memory) for n, memory in enumerate(memories)]
        self._db.executemany(ADD, rows)
        self._db.executemany(WORDS, [(row[0], f"{row[14]} {scope(row[2])}") for row in rows])
        for number, memory in enumerate(memories, first):
            self._link(number, memory)
        for project in {row[2] for row in rows}:
            sizes = [row[11] for row in rows if row[2] == project]
            self._tally(project, len(sizes), sum(sizes))

    def remove(self, numbers: Sequence[int]) -> None:
        """Remove the memories with the row *numbers*, and names that nothing else needs."""
        unused: set[int] = set()
        for number in numbers:
            unused |= self._unlink(number)
        if unused:
            self.names.drop_unused(unused)

    def _next(self) -> int:
        [last] = self._db.execute("SELECT max(row) FROM memory").fetchone()
        return (last or 0) + 1

    def _row(self, number: int, memory: Memory) -> tuple[Any, ...]:
        words = bag(memory)
        return (
            number,
            memory.id,
            self.names.number(memory.project),
            memory.kind.value,
            memory.certainty,
            memory.proof,
            memory.seen,
            memory.created,
            self.names.number(memory.thread) if memory.thread else None,
            memory.order,
            not memory.current,
            words.count(" ") + 1,
            "\n".join(memory.agents),
            "\n".join(entity.key for entity in memory.entities),
            words,
            self._encode(memory),
        )

    def _link(self, number: int, memory: Memory) -> None:
        name, many = self.names.number, self._db.executemany
        mentioned = {name(entity.key) for entity in memory.entities}
        many("INSERT INTO mention VALUES (?, ?)", [(each, number) for each in mentioned])
        told = {name(each) for source in memory.sources for each in attributed(source)}
        many("INSERT INTO said VALUES (?, ?)", [(each, number) for each in told])
        asked = {name(f"?{question}") for question in memory.settles}
        project = name(memory.project)
        many("INSERT INTO settled VALUES (?, ?, ?)", [(each, project, number) for each in asked])

    def _unlink(self, number: int) -> set[int]:
        """Remove one memory; return the names it used."""
        one = self._db.execute
        project, thread, size, words = one(
            "SELECT project, thread, size, bag FROM memory WHERE row = ?", (number,)
        ).fetchone()
        used = {project, *([thread] if thread is not None else [])}
        for table, column in (("mention", "entity"), ("said", "who"), ("settled", "question")):
            used |= {
                each
                for (each,) in one(f"SELECT {column} FROM {table} WHERE memory = ?", (number,))  # noqa: S608
            }
            one(f"DELETE FROM {table} WHERE memory = ?", (number,))  # noqa: S608 - our own table
        one(UNWORDS, (number, f"{words} {scope(project)}"))
        one("DELETE FROM memory WHERE row = ?", (number,))
        self._tally(project, -1, -size)
        return used

    def _tally(self, project: int, memories: int, words: int) -> None:
        self._db.execute(
            "INSERT INTO tally VALUES (?, ?, ?) ON CONFLICT (project) DO UPDATE SET "
            "memories = memories + excluded.memories, words = words + excluded.words",
            (project, memories, words),
        )
        self._db.execute("DELETE FROM tally WHERE memories = 0")


def attributed(source: MemorySource) -> Iterable[str]:
    """Yield the names under which *source* is looked for."""
    if source.run:
        yield f"@run:{source.run}"
    if source.task:
        yield f"@task:{source.task}"
