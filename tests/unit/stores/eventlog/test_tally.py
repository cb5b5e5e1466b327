"""Counts: made once with the record they count, whoever ships it and however often."""

import sqlite3
from collections import Counter
from contextlib import closing

import pytest
from msgspec.structs import replace

from snaphook.stores.eventlog import Record, RecordedAnswer
from snaphook.stores.eventlog.ship import ShipCursor
from snaphook.stores.eventlog.sqlite import SCHEMA, SqliteRecordStore
from snaphook.stores.eventlog.tally import (
    CountKey,
    CountKind,
    SessionCounts,
    band,
    bound,
    session_counts,
    tallies,
)

DENIED = Record(
    id="a1",
    time=1000.0,
    event="PreToolUse",
    session="s1",
    host="codex",
    agent="main",
    project="/p",
    tool="Bash",
    verdict="deny",
    answers=(RecordedAnswer(by="guard", verdict="deny", rule="git.force"),),
    duration_ms=0.5,
)
QUIET = replace(DENIED, id="a2", time=1210.0, verdict=None, answers=(), event="Stop", tool="")


def test_a_record_is_counted_under_everything_that_it_is():
    assert tallies([DENIED]) == Counter(
        {
            CountKey(CountKind.HOOK, 900, "codex PreToolUse", "deny"): 1,
            CountKey(CountKind.PACE, 900, str(band(0.5)), ""): 1,
            CountKey(CountKind.PROJECT, 900, "/p", "deny"): 1,
            CountKey(CountKind.AGENT, 900, "main", "deny"): 1,
            CountKey(CountKind.TOOL, 900, "Bash", "deny"): 1,
            CountKey(CountKind.RULE, 900, "git.force", "deny"): 1,
        }
    )


def test_a_session_is_the_sum_of_its_records():
    assert session_counts([QUIET, DENIED, replace(DENIED, session="")]) == [
        SessionCounts("s1", "codex", "main", "/p", "", 1000.0, 1210.0, 2, 1, 1, 0, 0)
    ]


@pytest.mark.parametrize("milliseconds", [0.0, 0.004, 0.01, 0.3, 1.0, 17.0, 5_000.0])
def test_a_band_is_never_below_what_was_measured_and_at_most_a_fifth_above(milliseconds):
    told = bound(band(milliseconds))

    assert max(milliseconds, 0.01) <= told * 1.000001
    assert told <= max(milliseconds, 0.01) * 1.2


def counted(path):
    with closing(sqlite3.connect(path)) as db:
        [total] = db.execute("SELECT sum(n) FROM tally WHERE kind = 'hook'").fetchone()
        sat = db.execute("SELECT session, records, stopped, first, last FROM sitting").fetchall()
    return total, sat


def test_shipped_twice_is_counted_once(tmp_path):
    store = SqliteRecordStore(tmp_path / "db.sqlite")
    store.keep("daemon", [DENIED], ShipCursor("1", 10))
    store.keep("daemon", [DENIED, QUIET, QUIET], ShipCursor("1", 20))
    store.close()

    assert counted(tmp_path / "db.sqlite") == (2, [("s1", 2, 1, 1000.0, 1210.0)])


def test_a_database_from_before_there_were_counts_gets_them(tmp_path):
    path = tmp_path / "db.sqlite"
    SqliteRecordStore(path).close()
    store = SqliteRecordStore(path)
    store.keep("daemon", [DENIED, QUIET], ShipCursor("1", 20))
    store.close()
    with closing(sqlite3.connect(path)) as db:
        db.executescript("DROP TABLE tally; DROP TABLE sitting;" + SCHEMA)

    SqliteRecordStore(path).close()
    SqliteRecordStore(path).close()

    assert counted(path) == (2, [("s1", 2, 1, 1000.0, 1210.0)])


@pytest.mark.needs("postgres")
def test_postgres_counts_the_same_and_keeps_machines_apart(postgres_url):
    import psycopg

    from snaphook.stores.eventlog.postgres import PostgresRecordStore

    with psycopg.connect(postgres_url, autocommit=True) as db:
        for table in ("record", "cursor", "tally", "sitting"):
            db.execute(f"DROP TABLE IF EXISTS snaphook_{table}".encode())
    first = PostgresRecordStore(postgres_url, machine="one")
    first.keep("daemon", [DENIED], ShipCursor("1", 10))
    first.keep("daemon", [DENIED], ShipCursor("1", 10))
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("DROP TABLE snaphook_tally, snaphook_sitting")
    first.close()
    other = PostgresRecordStore(postgres_url, machine="two")  # counts what is there
    other.keep("daemon", [replace(QUIET, session="s2")], ShipCursor("1", 10))
    other.close()

    with psycopg.connect(postgres_url) as db:
        hooks = db.execute(
            "SELECT machine, verdict, n FROM snaphook_tally WHERE kind = 'hook' ORDER BY 1"
        ).fetchall()
        sat = db.execute("SELECT session, machine FROM snaphook_sitting ORDER BY 1").fetchall()
    assert (hooks, sat) == ([("one", "deny", 1), ("two", "", 1)], [("s1", "one"), ("s2", "two")])
