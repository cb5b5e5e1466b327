"""What the server is asked to index, and what it turns out to be able to.

an empty database  ->  constraints, indexes  ->  Abilities

Servers that speak Bolt differ in the indexes they know, so each is tried: where there is no
full-text index, words become nodes of their own and are found by following relations.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from neo4j.exceptions import ClientError, DatabaseError

from snaphook.errors import StoreError

Run = Callable[..., list[Any]]

LAYOUT = 1
UNIQUE = (
    ("Snaphook", "id"),
    ("Memory", "id"),
    ("Forgotten", "id"),
    ("Entity", "key"),
    ("Run", "name"),
    ("Task", "name"),
    ("Agent", "name"),
    ("Question", "key"),
    ("Word", "text"),
)
INDEXED = ("seen", "thread", "superseded_by")
FULL_TEXT = (
    "CREATE FULLTEXT INDEX snaphook_words IF NOT EXISTS FOR (m:Memory) ON EACH [m.bag] "
    "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
)
VECTORS = (
    "CREATE VECTOR INDEX snaphook_vectors IF NOT EXISTS FOR (m:Memory) ON (m.vector) OPTIONS "
    "{{indexConfig: {{`vector.dimensions`: {0}, `vector.similarity_function`: 'cosine'}}}}"
)


class Abilities(Struct, frozen=True, kw_only=True):
    """What this server turned out to know."""

    full_text: bool
    vectors: bool


def prepare(run: Run, *, dimensions: int) -> Abilities:
    """Bring the database to today's layout; return what it can do. *dimensions* is 0 for no vectors."""
    _check_layout(run)
    for label, key in UNIQUE:
        name = f"snaphook_{label.lower()}"
        run(f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.{key} IS UNIQUE")
    for key in INDEXED:
        run(f"CREATE INDEX snaphook_memory_{key} IF NOT EXISTS FOR (m:Memory) ON (m.{key})")
    full_text = _try(run, FULL_TEXT)
    vectors = bool(dimensions) and _try(run, VECTORS.format(dimensions))
    if full_text:
        run("CALL db.awaitIndexes(60)")
    run(
        "MERGE (s:Snaphook {id: 'memory'}) "
        "ON CREATE SET s.layout = $layout, s.memories = 0, s.words = 0, s.turn = 0",
        layout=LAYOUT,
    )
    return Abilities(full_text=full_text, vectors=vectors)


def _try(run: Run, statement: str) -> bool:
    try:
        run(statement)
    except (ClientError, DatabaseError):  # it does not know this kind of index
        return False
    return True


def _check_layout(run: Run) -> None:
    found = run("MATCH (s:Snaphook {id: 'memory'}) RETURN s.layout")
    if found and found[0][0] > LAYOUT:
        raise StoreError(
            where="neo4j",
            what=f"the memories have layout {found[0][0]}, and this Snaphook knows {LAYOUT}",
            fix="Update Snaphook on this machine.",
        )
