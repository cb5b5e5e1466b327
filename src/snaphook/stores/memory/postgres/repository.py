"""Memories as rows, inside one transaction.

Memory  <->  snaphook_memory.memory
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from snaphook.stores.memory.values import Memory
from snaphook.stores.memory.weave import Question
from snaphook.stores.memory.words import bag

from .vectors import Vectors

COLUMNS = (
    "id", "project", "kind", "certainty", "proof", "seen", "created", "thread", "place",
    "superseded", "size", "agents", "entities", "runs", "tasks", "settles", "words", "bag", "body",
)  # fmt: skip
_MARKS = ", ".join(["%s"] * len(COLUMNS))
_ANEW = ", ".join(f"{column} = excluded.{column}" for column in COLUMNS[1:])
KEEP = (
    f"INSERT INTO snaphook_memory.memory ({', '.join(COLUMNS)}) VALUES ({_MARKS}) "  # noqa: S608 - our own names
    f"ON CONFLICT (id) DO UPDATE SET {_ANEW}"
)
TALLY = """
INSERT INTO snaphook_memory.tally AS t VALUES (%s, %s, %s)
ON CONFLICT (project) DO UPDATE
SET memories = t.memories + excluded.memories, words = t.words + excluded.words
"""
BY_QUESTION = """
SELECT DISTINCT ON (m.id) m.body::text FROM snaphook_memory.memory m
JOIN unnest(%s::text[], %s::text[]) AS asked (project, question)
ON m.project = asked.project AND m.settles @> ARRAY[asked.question]
"""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Memory).decode


class PostgresRepository:
    """What :class:`Shelf` says, over the connection *db*; *owing* notes what a graph must be told."""

    def __init__(self, db: Any, *, vectors: Vectors | None = None, owing: bool = False) -> None:
        self._db = db
        self._vectors = vectors
        self._owing = owing

    def by_id(self, ids: Collection[str]) -> Iterable[Memory]:
        """Return those with *ids*."""
        query = "SELECT body::text FROM snaphook_memory.memory WHERE id = ANY(%s)"
        return [decode(body) for (body,) in self._db.execute(query, ([*ids],))]

    def by_question(self, questions: Collection[Question]) -> Iterable[Memory]:
        """Return those that settle any of *questions*."""
        asked = [*questions]
        columns = [clean(project) for project, _ in asked], [clean(each) for _, each in asked]
        return [decode(body) for (body,) in self._db.execute(BY_QUESTION, columns)]

    def write(self, memories: Sequence[Memory]) -> None:
        """Keep *memories* exactly as they are."""
        rows = [_row(memory) for memory in memories]
        before = self._sizes([row[0] for row in rows])
        with self._db.cursor() as batch:
            batch.executemany(KEEP, rows)
        self._count((row[1], row[0] not in before, row[10] - before.get(row[0], 0)) for row in rows)
        if self._vectors:
            new = [memory for memory in memories if memory.id not in before]
            self._vectors.add(self._db, new)
        self._owe([row[0] for row in rows])

    def remove(self, ids: Collection[str]) -> None:
        """Remove those with *ids*; their row is all there is of them."""
        query = "DELETE FROM snaphook_memory.memory WHERE id = ANY(%s) RETURNING project, size"
        gone = self._db.execute(query, ([*ids],)).fetchall()
        self._count((project, -1, -size) for project, size in gone)
        self._owe(ids)

    def buried(self, ids: Collection[str]) -> Collection[str]:
        """Return those of *ids* that somebody asked to forget."""
        query = "SELECT id FROM snaphook_memory.forgotten WHERE id = ANY(%s)"
        return {key for (key,) in self._db.execute(query, ([*ids],))}

    def bury(self, ids: Collection[str]) -> None:
        """Note that *ids* are to stay out."""
        query = (
            "INSERT INTO snaphook_memory.forgotten SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING"
        )
        self._db.execute(query, ([*ids],))

    def unbury(self, ids: Collection[str]) -> None:
        """Let *ids* in again."""
        self._db.execute("DELETE FROM snaphook_memory.forgotten WHERE id = ANY(%s)", ([*ids],))

    def _sizes(self, ids: Sequence[str]) -> dict[str, int]:
        query = "SELECT id, size FROM snaphook_memory.memory WHERE id = ANY(%s)"
        return dict(self._db.execute(query, (ids,)).fetchall())

    def _count(self, changes: Iterable[tuple[str, int, int]]) -> None:
        """Keep count of memories and words per project, whose lock we hold: nobody waits for it."""
        memories, words = Counter[str](), Counter[str]()
        for project, more, longer in changes:
            memories[project] += more
            words[project] += longer
        with self._db.cursor() as batch:
            batch.executemany(TALLY, [(each, memories[each], words[each]) for each in memories])

    def _owe(self, ids: Collection[str]) -> None:
        if self._owing and ids:
            query = "INSERT INTO snaphook_memory.owed (id) SELECT unnest(%s::text[])"
            self._db.execute(query, ([*ids],))


def clean(text: str) -> str:
    """Return *text* without the one character that PostgreSQL's ``text`` cannot hold."""
    return text.replace("\0", "")


def _row(memory: Memory) -> tuple[Any, ...]:
    words = clean(bag(memory))
    sources = memory.sources
    return (
        memory.id,
        clean(memory.project),
        memory.kind.value,
        memory.certainty,
        memory.proof,
        memory.seen,
        memory.created,
        clean(memory.thread) or None,
        memory.order,
        not memory.current,
        words.count(" ") + 1,
        [clean(agent) for agent in memory.agents],
        [clean(entity.key) for entity in memory.entities],
        sorted({clean(source.run) for source in sources if source.run}),
        sorted({clean(source.task) for source in sources if source.task}),
        [clean(question) for question in memory.settles],
        sorted(set(words.split(" "))),
        words,
        encode(memory).decode(),
    )
