"""The tables that counts are kept in: the same in SQLite and in PostgreSQL.

Tallies, Sittings  ->  statements with ``?``

A table's name begins with *prefix*, which PostgreSQL's do, being among others.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .record import Record
from .tally import session_counts, tallies

_TABLES = """
CREATE TABLE {p}tally (
    kind TEXT NOT NULL, slot BIGINT NOT NULL, name TEXT NOT NULL, verdict TEXT NOT NULL,
    machine TEXT NOT NULL, n BIGINT NOT NULL,
    PRIMARY KEY (kind, slot, name, verdict, machine)
);
CREATE TABLE {p}sitting (
    session TEXT PRIMARY KEY, machine TEXT NOT NULL, host TEXT NOT NULL, agent TEXT NOT NULL,
    project TEXT NOT NULL, parent TEXT NOT NULL, first DOUBLE PRECISION NOT NULL,
    last DOUBLE PRECISION NOT NULL, records BIGINT NOT NULL, calls BIGINT NOT NULL,
    stopped BIGINT NOT NULL, asked BIGINT NOT NULL, agents BIGINT NOT NULL
);
CREATE INDEX {p}sitting_last ON {p}sitting (last);
CREATE INDEX {p}sitting_parent ON {p}sitting (parent) WHERE parent <> ''
"""
_COUNT = """
INSERT INTO {p}tally AS t VALUES (?,?,?,?,?,?)
ON CONFLICT (kind, slot, name, verdict, machine) DO UPDATE SET n = t.n + excluded.n
"""
_SIT = """
INSERT INTO {p}sitting AS s VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT (session) DO UPDATE SET
    host = CASE WHEN s.host = '' THEN excluded.host ELSE s.host END,
    agent = CASE WHEN s.agent = '' THEN excluded.agent ELSE s.agent END,
    project = CASE WHEN s.project = '' THEN excluded.project ELSE s.project END,
    parent = CASE WHEN s.parent = '' THEN excluded.parent ELSE s.parent END,
    first = CASE WHEN excluded.first < s.first THEN excluded.first ELSE s.first END,
    last = CASE WHEN excluded.last > s.last THEN excluded.last ELSE s.last END,
    records = s.records + excluded.records, calls = s.calls + excluded.calls,
    stopped = s.stopped + excluded.stopped, asked = s.asked + excluded.asked,
    agents = s.agents + excluded.agents
"""
_UNCOUNT = """
UPDATE {p}tally SET n = n - ?
WHERE kind = ? AND slot = ? AND name = ? AND verdict = ? AND machine = ?
"""
_FORGET = """
DELETE FROM {p}tally
WHERE n <= 0 AND kind = ? AND slot = ? AND name = ? AND verdict = ? AND machine = ?
"""
_FORGET_SESSION = """
UPDATE {p}sitting SET agent = '', project = '' WHERE session = ? AND NOT EXISTS
    (SELECT 1 FROM {p}record r WHERE r.session = {p}sitting.session AND r.project <> '')
"""
BATCH = 5_000
"""Records counted at once when a database that has no counts yet gets them."""


def tables(prefix: str = "") -> list[str]:
    """Return the statements that make the tables."""
    return _TABLES.format(p=prefix).split(";")


def statements(
    records: Sequence[Record], *, prefix: str = "", machine: str = ""
) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Yield what enters *records* into the counts: a statement, and its rows.

    Rows come in one order whoever writes them, so that two writers never wait for each other in turn.
    """
    counted = sorted(tallies(records).items())
    yield _COUNT.format(p=prefix), [(*key, machine, n) for key, n in counted]
    sat = [(one.session, machine, *one[1:]) for one in session_counts(records)]
    yield _SIT.format(p=prefix), sat


def redacting(
    before: Record, after: Record, *, prefix: str = "", machine: str = ""
) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Yield what makes the counts those of *after*, where *before* was counted: names go, too."""
    lost = sorted((tallies([before]) - tallies([after])).items())
    yield _UNCOUNT.format(p=prefix), [(n, *key, machine) for key, n in lost]
    yield _FORGET.format(p=prefix), [(*key, machine) for key, _ in lost]
    yield _FORGET_SESSION.format(p=prefix), [(after.session,)]


def in_batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield *records*, many at a time."""
    batch: list[Record] = []
    for record in records:
        batch.append(record)
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
