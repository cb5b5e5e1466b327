"""Vectors beside the words, where the server has pgvector and somebody brings a model.

Memory  ->  embed  ->  snaphook_memory.vector

Feature by feature: no model, no vectors; no extension, no vectors; another model, begun anew.
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

    def prepare(self, db: Any) -> bool:
        """Make room for vectors of our length; ``False`` where the server knows none."""
        if not _extended(db):
            return False
        [there] = db.execute("SELECT to_regclass('snaphook_memory.vector')::text").fetchone()
        if there and self._fits(db):
            return True
        with db.transaction():
            db.execute("DROP TABLE IF EXISTS snaphook_memory.vector")
            db.execute(
                "CREATE TABLE snaphook_memory.vector (id text PRIMARY KEY REFERENCES "
                f"snaphook_memory.memory ON DELETE CASCADE, vector vector({self._dimensions}))"
            )
            if self._dimensions <= MOST_INDEXED:
                db.execute(
                    "CREATE INDEX ON snaphook_memory.vector USING hnsw (vector vector_cosine_ops)"
                )
        return True

    def add(self, db: Any, memories: Sequence[Memory]) -> None:
        """Keep the vectors of *memories*."""
        if not memories:
            return
        made = self._embed([memory.text for memory in memories])
        rows = [(memory.id, spelt(vector)) for memory, vector in zip(memories, made, strict=True)]
        with db.cursor() as batch:
            batch.executemany(
                "INSERT INTO snaphook_memory.vector VALUES (%s, %s::vector) "
                "ON CONFLICT (id) DO UPDATE SET vector = excluded.vector",
                rows,
            )

    def question(self, text: str) -> str:
        """Return the vector of *text* as SQL spells it."""
        return spelt(self._embed([text])[0])

    def _fits(self, db: Any) -> bool:
        [length] = db.execute(
            "SELECT atttypmod FROM pg_attribute "
            "WHERE attrelid = 'snaphook_memory.vector'::regclass AND attname = 'vector'"
        ).fetchone()
        return int(length) == self._dimensions


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
