"""The tables, and how an older layout becomes today's.

an empty database, or version N  ->  version len(STEPS)

Words, entities, runs, tasks and questions are arrays with an inverted index each: one row is one
memory and all that leads to it, so nothing can be half-stored or left behind.
"""

from typing import Any

from snaphook.errors import StoreError

STEPS = (
    """
    CREATE TABLE snaphook_memory.memory (
        id text PRIMARY KEY, project text NOT NULL, kind text NOT NULL,
        certainty double precision NOT NULL, proof integer NOT NULL,
        seen double precision NOT NULL, created double precision NOT NULL,
        thread text, place integer NOT NULL, superseded boolean NOT NULL, size integer NOT NULL,
        agents text[] NOT NULL, entities text[] NOT NULL, runs text[] NOT NULL,
        tasks text[] NOT NULL, settles text[] NOT NULL, words text[] NOT NULL,
        bag text NOT NULL, body json NOT NULL
    );
    CREATE INDEX memory_project ON snaphook_memory.memory (project, seen);
    CREATE INDEX memory_seen ON snaphook_memory.memory (seen, id);
    CREATE INDEX memory_thread ON snaphook_memory.memory (thread, place) WHERE thread IS NOT NULL;
    CREATE INDEX memory_id ON snaphook_memory.memory (id text_pattern_ops);
    CREATE INDEX memory_words ON snaphook_memory.memory USING gin (words);
    CREATE INDEX memory_entities ON snaphook_memory.memory USING gin (entities);
    CREATE INDEX memory_settles ON snaphook_memory.memory USING gin (settles);
    CREATE INDEX memory_runs ON snaphook_memory.memory USING gin (runs);
    CREATE INDEX memory_tasks ON snaphook_memory.memory USING gin (tasks);
    CREATE TABLE snaphook_memory.tally (
        project text PRIMARY KEY, memories bigint NOT NULL, words bigint NOT NULL
    );
    CREATE TABLE snaphook_memory.forgotten (id text PRIMARY KEY);
    CREATE TABLE snaphook_memory.owed (
        turn bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL
    );
    CREATE VIEW snaphook_memory.mention AS
        SELECT id AS memory, unnest(entities) AS entity FROM snaphook_memory.memory;
    """,
)
"""Each takes the layout one version further; what is released here is never changed, only added to."""

_VERSION = """
CREATE SCHEMA IF NOT EXISTS snaphook_memory;
CREATE TABLE IF NOT EXISTS snaphook_memory.layout (version integer NOT NULL);
"""
_LOCK = 0x534E4D45
"""An advisory lock, so that two machines do not create the tables at once."""


def prepare(db: Any) -> None:
    """Bring the tables behind the connection *db* to today's layout, all of it or none."""
    if _version(db) == len(STEPS):
        return
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        db.execute(_VERSION)
        found = _version(db)
        if found > len(STEPS):
            raise StoreError(
                where="postgresql",
                what=f"the memories have layout {found}, and this Snaphook knows {len(STEPS)}",
                fix="Update Snaphook on this machine.",
            )
        for step in STEPS[found:]:
            db.execute(step)
        db.execute("DELETE FROM snaphook_memory.layout")
        db.execute("INSERT INTO snaphook_memory.layout VALUES (%s)", (len(STEPS),))


def _version(db: Any) -> int:
    [there] = db.execute("SELECT to_regclass('snaphook_memory.layout')::text").fetchone()
    if there is None:
        return 0
    row = db.execute("SELECT version FROM snaphook_memory.layout").fetchone()
    return int(row[0]) if row else 0
