"""Shipping: everything arrives, nothing twice."""

import sqlite3

import pytest

from snaphook.errors import StoreError
from snaphook.stores.eventlog import EventLog, Record
from snaphook.stores.eventlog.ship import ShipCursor, ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore


def write(folder, start, stop, **options):
    log = EventLog(folder, **options)
    for n in range(start, stop):
        log.append([Record(id=f"{n:08}", time=float(n), event="Stop", session="s")])
    log.close()


def ids(path):
    db = sqlite3.connect(path)
    found = [row[0] for row in db.execute("SELECT id FROM record ORDER BY id")]
    db.close()
    return found


def names(start, stop):
    return [f"{n:08}" for n in range(start, stop)]


def test_everything_arrives_and_a_second_time_nothing_more(tmp_path):
    write(tmp_path / "log", 0, 1200, segment_bytes=50_000)
    store = SqliteRecordStore(tmp_path / "db.sqlite")

    assert (ship(tmp_path / "log", store), ship(tmp_path / "log", store)) == (1200, 0)
    write(tmp_path / "log", 1200, 1250)
    assert ship(tmp_path / "log", store) == 50
    store.close()
    assert ids(tmp_path / "db.sqlite") == names(0, 1250)


def test_a_cursor_that_was_lost_costs_time_but_makes_no_doubles(tmp_path):
    write(tmp_path / "log", 0, 20)
    store = SqliteRecordStore(tmp_path / "db.sqlite")
    ship(tmp_path / "log", store)
    store.keep("daemon", [], ShipCursor())

    assert ship(tmp_path / "log", store) == 20
    store.close()
    assert ids(tmp_path / "db.sqlite") == names(0, 20)


def test_a_line_still_being_written_waits_for_its_end(tmp_path):
    write(tmp_path / "log", 0, 3)
    [segment] = (tmp_path / "log" / "daemon").glob("*.log")
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-10])
    store = SqliteRecordStore(tmp_path / "db.sqlite")

    assert ship(tmp_path / "log", store) == 2
    segment.write_bytes(whole)
    assert ship(tmp_path / "log", store) == 1
    store.close()


def test_a_database_that_fails_in_between_loses_nothing(tmp_path):
    write(tmp_path / "log", 0, 1500)
    store = SqliteRecordStore(tmp_path / "db.sqlite")

    class Fails:
        kept = 0

        def cursor(self, stream):
            return store.cursor(stream)

        def keep(self, stream, records, cursor):
            if self.kept:
                raise sqlite3.OperationalError("disk I/O error")
            self.kept += 1
            store.keep(stream, records, cursor)

    with pytest.raises(sqlite3.OperationalError):
        ship(tmp_path / "log", Fails())
    assert ship(tmp_path / "log", store) == 1000
    store.close()
    assert ids(tmp_path / "db.sqlite") == names(0, 1500)


def test_a_file_that_is_no_database_is_told_in_words(tmp_path):
    (tmp_path / "db.sqlite").write_bytes(b"not a database" * 100)

    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteRecordStore(tmp_path / "db.sqlite")


@pytest.mark.needs("postgres")
def test_two_machines_ship_to_one_database(tmp_path, postgres_url):
    from snaphook.stores.eventlog.postgres import PostgresRecordStore

    for number, machine in enumerate(("one", "two")):
        write(tmp_path / machine, number * 100, number * 100 + 40)
        store = PostgresRecordStore(postgres_url, machine=machine)
        assert (ship(tmp_path / machine, store), ship(tmp_path / machine, store)) == (40, 0)
        store.close()

    import psycopg

    with psycopg.connect(postgres_url) as db:
        kept = db.execute(
            "SELECT machine, count(*) FROM snaphook_record"
            " WHERE machine IN ('one', 'two') GROUP BY 1 ORDER BY 1"
        )
        assert kept.fetchall() == [("one", 40), ("two", 40)]


@pytest.mark.needs("postgres")
def test_a_database_that_is_away_is_told_in_words_and_costs_nothing(tmp_path):
    from snaphook.stores.eventlog.postgres import PostgresRecordStore

    with pytest.raises(StoreError, match="Nothing is lost"):
        PostgresRecordStore("postgresql://127.0.0.1:1/none", machine="here")
