"""Vectors beside the words, where the server has pgvector and somebody brings a model.

Memory  ->  embed  ->  snaphook_memory.vector

Feature by feature: no model, no vectors; no extension, no vectors; models whose vectors differ in
length have a table each.
"""

from collections.abc import Sequence
from typing import Any

from snaphook.stores.memory.recall import Embed
from snaphook.stores.memory.values import Memory

MOST_INDEXED = 2000
"""pgvector indexes no more dimensions than this."""


class Vectors:
    """Keeps a vector per memory, made by *embed*."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._dimensions = len(embed(["dimensions"])[0])

    @property
    def table(self) -> str:
        """Return where vectors of our length are kept.

        Two machines may use different models: neither deletes what the other keeps.
        """
        return f"snaphook_memory.vector_{self._dimensions}"

    def prepare(self, db: Any) -> bool:
        """Make room for vectors of our length; ``False`` where the server knows none."""
        if not _extended(db):
            return False
        [there] = db.execute("SELECT to_regclass(%s)::text", (self.table,)).fetchone()
        if there:
            return True
        with db.transaction():
            db.execute(
                f"CREATE TABLE IF NOT EXISTS {self.table} (id text PRIMARY KEY REFERENCES "
                f"snaphook_memory.memory ON DELETE CASCADE, vector vector({self._dimensions}))"
            )
            if self._dimensions <= MOST_INDEXED:
                db.execute(f"CREATE INDEX ON {self.table} USING hnsw (vector vector_cosine_ops)")
        return True

    def add(self, db: Any, memories: Sequence[Memory]) -> None:
        """Keep the vectors of *memories*."""
        if not memories:
            return
        made = self._embed([memory.text for memory in memories])
        ids = [memory.id for memory in memories]
        db.execute(
            f"INSERT INTO {self.table} SELECT id, vector::vector "  # noqa: S608 - a number of ours
            "FROM unnest(%s::text[], %s::text[]) AS made (id, vector) "
            "ON CONFLICT (id) DO UPDATE SET vector = excluded.vector",
            (ids, [spelt(vector) for vector in made]),
        )

    def question(self, text: str) -> str:
        """Return the vector of *text* as SQL spells it."""
        return spelt(self._embed([text])[0])


def _extended(db: Any) -> bool:
    """Say whether pgvector is there, or could be switched on."""
    if db.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
        return True
    if not db.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
        return False
    import psycopg

    try:
        db.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.Error:  # it is there, but only an administrator may switch it on
        return False
    return True


def spelt(vector: Sequence[float]) -> str:
    """Return *vector* as pgvector reads it."""
    return "[" + ",".join(f"{number:.7g}" for number in vector) + "]"
