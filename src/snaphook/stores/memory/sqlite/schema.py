"""The tables, and how the file is opened.

path  ->  Connection

``word`` is a full-text index without a copy of the text: rowids per stemmed word, nothing else, so
it stays small and a word's newest memories are read off its end. Names (projects, threads,
entities, runs) are kept once and referred to by number.
"""

import sqlite3
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.storage import sqlite

VERSION = 1
BUSY = 30.0
"""How many seconds a writer waits for its turn."""

SCHEMA = """
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE memory (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project INTEGER NOT NULL, kind TEXT NOT NULL,
    certainty REAL NOT NULL, proof INTEGER NOT NULL, seen REAL NOT NULL, created REAL NOT NULL,
    thread INTEGER, place INTEGER NOT NULL, superseded INTEGER NOT NULL, size INTEGER NOT NULL,
    agents TEXT NOT NULL, entities TEXT NOT NULL, bag TEXT NOT NULL, body BLOB NOT NULL
);
CREATE INDEX memory_project ON memory (project, seen);
CREATE INDEX memory_seen ON memory (seen);
CREATE INDEX memory_thread ON memory (thread, place);
CREATE TABLE mention (
    entity INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (entity, memory)
) WITHOUT ROWID;
CREATE INDEX mention_memory ON mention (memory);
CREATE TABLE said (
    who INTEGER NOT NULL, memory INTEGER NOT NULL, PRIMARY KEY (who, memory)
) WITHOUT ROWID;
CREATE INDEX said_memory ON said (memory);
CREATE TABLE settled (
    question INTEGER NOT NULL, project INTEGER NOT NULL, memory INTEGER NOT NULL,
    PRIMARY KEY (question, project, memory)
) WITHOUT ROWID;
CREATE INDEX settled_memory ON settled (memory);
CREATE TABLE forgotten (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE tally (
    project INTEGER PRIMARY KEY, memories INTEGER NOT NULL, words INTEGER NOT NULL
);
CREATE VIRTUAL TABLE word USING fts5(
    terms, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_'"
);
"""


PENDING = "CREATE TABLE IF NOT EXISTS pending (what TEXT PRIMARY KEY) WITHOUT ROWID"
"""Where the words of something forgotten may still stand: ``index``, ``journal``."""


def connect(path: Path) -> sqlite.Connection:
    """Return the database at *path*, made if it is not there."""
    try:
        db = sqlite.connect(path, patience=BUSY, prepare=_prepare)
        found = _version(db)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            where=str(path),
            what=f"cannot be opened as a memory store: {error}",
            fix="Move it away to start with an empty store, then import an export.",
        ) from error
    if found != VERSION:
        db.close()
        raise StoreError(
            where=str(path),
            what=f"was written by another version of Snaphook (layout {found}, not {VERSION})",
            fix="Export it with that version and import it with this one.",
        )
    return db


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA secure_delete = ON")
    db.execute("PRAGMA mmap_size = 1073741824")
    if _version(db) == 0:
        _create(db)
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'pending'").fetchone():
        db.execute(PENDING)  # a store of an earlier version has none yet


def _version(db: sqlite3.Connection) -> int:
    [version] = db.execute("PRAGMA user_version").fetchone()
    return int(version)


def _create(db: sqlite3.Connection) -> None:
    """Make the tables, once: another process may be about to do the same."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if _version(db) == 0:
            for statement in SCHEMA.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
