"""Redacted in PostgreSQL as on disk: also where it was away, where we are killed, where we may not."""

import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from tests.unit.stores.eventlog.test_redaction import KEPT, SECRET, record, write

from snaphook.cli.main import main
from snaphook.daemon.log_maintenance import machine_name, open_record_store
from snaphook.stores.eventlog import LogSettings
from snaphook.stores.eventlog.postgres import PostgresRecordStore
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.redact import redact

pytestmark = [pytest.mark.needs("postgres"), pytest.mark.req("SQ-9")]
NOW = 1_800_000_000.0
WHY = ("--why", "erasure 112")


@pytest.fixture
def database(postgres_url):
    """An empty database of the server, and its address."""
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS erasure WITH (FORCE)")
        server.execute("CREATE DATABASE erasure")
    return postgres_url.rpartition("/")[0] + "/erasure"


@pytest.fixture
def folder(tmp_path, monkeypatch, database):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SNAPHOOK_TENANT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    says(tmp_path, database)
    made = tmp_path / ".local/share/snaphook/log"
    write(made, *[record(n, SECRET if n == 1 else KEPT) for n in range(20)])
    return made


def says(home, url):
    settings = home / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'[log]\nstore = "{url}"\n')


def shipped(folder, url):
    store = open_record_store(LogSettings(store=url), folder)
    ship(folder, store)
    store.close()


def rows(url):
    """Return all that PostgreSQL would give to whoever asks: every column of every table."""
    with psycopg.connect(url) as db:
        tables = db.execute("SELECT relname FROM pg_stat_user_tables ORDER BY relname").fetchall()
        query = "SELECT coalesce(string_agg(t::text, '|'), '') FROM {} t"
        return {name: only(db, query.format(name)) for (name,) in tables}


def only(db, query):
    [[found]] = db.execute(query.encode()).fetchall()
    return found


def files(url):
    """Return the bytes of the database on disk, its log apart, once it has been vacuumed."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("VACUUM FULL")
        db.execute("CHECKPOINT")
        place = only(db, "SHOW data_directory")
        number = only(db, "SELECT oid FROM pg_database WHERE datname = current_database()")
    return b"".join(
        path.read_bytes() for path in Path(place, "base", str(number)).iterdir() if path.is_file()
    )


def intact(folder):
    return all(each.intact and not each.findings for each in check(folder))


def test_what_is_redacted_is_in_no_row_and_in_no_file(folder, database, capsys):
    shipped(folder, database)
    assert SECRET in str(rows(database))
    assert SECRET.encode() in files(database)

    assert main(["audit", "redact", "--id", "r1", *WHY]) == 0

    assert capsys.readouterr().out == "1 records redacted.\n"
    assert SECRET not in str(rows(database))
    assert SECRET.encode() not in files(database)
    assert KEPT.encode() in files(database)
    assert "erasure 112" in rows(database)["snaphook_record"], "the redaction is itself a record"
    assert intact(folder)

    assert main(["audit", "redact", "--id", "r1", *WHY]) == 0
    assert capsys.readouterr().out == "0 records redacted.\n"


def test_verify_tells_of_it(folder, database, capsys):
    main(["audit", "redact", "--id", "r1", "--id", "r2", "--field", "input", *WHY])
    capsys.readouterr()

    assert main(["audit", "verify"]) == 0

    said = capsys.readouterr().out
    assert "✓ daemon: 20 records, intact, 2 redacted." in said
    assert "2 records, 1 field each (input): erasure 112" in said


def test_a_database_that_was_away_is_redacted_when_it_is_back(folder, database, tmp_path, capsys):
    shipped(folder, database)
    says(tmp_path, "postgresql://snaphook@127.0.0.1:1/erasure")

    assert main(["audit", "redact", "--id", "r1", *WHY]) == 1
    said = capsys.readouterr()
    assert said.out == "1 records redacted.\n"
    assert said.err.startswith("✗ Not yet redacted in the database: ")
    assert SECRET in str(rows(database))

    shipped(folder, database)  # as the daemon does by itself

    assert SECRET not in str(rows(database))
    says(tmp_path, database)
    assert main(["audit", "redact", "--finish"]) == 0


def test_a_role_that_may_not_change_records_has_its_redactions_wait(
    folder, database, tmp_path, capsys, caplog
):
    shipped(folder, database)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS machine")
        owner.execute("CREATE ROLE machine LOGIN")
        owner.execute("GRANT SELECT, INSERT ON snaphook_record TO machine")
        derived = "snaphook_cursor, snaphook_tally, snaphook_sitting"
        owner.execute(f"GRANT SELECT, INSERT, UPDATE ON {derived} TO machine".encode())
    says(tmp_path, database.replace("snaphook@", "machine@"))

    assert main(["audit", "redact", "--id", "r1", *WHY]) == 1

    assert "1 not yet redacted in the database" in capsys.readouterr().err
    grant = caplog.messages[-1].partition("Run: ")[2]
    assert SECRET in str(rows(database))
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(grant.encode())

    assert main(["audit", "redact", "--finish"]) == 0

    assert SECRET not in str(rows(database))
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP OWNED BY machine")
        owner.execute("DROP ROLE machine")


def test_killed_between_the_journal_and_the_rows_it_is_done_by_the_next(folder, database):
    shipped(folder, database)
    redact(folder, lambda found: found.id == "r1", why="x", now=NOW)
    script = f"""
import os, signal
from pathlib import Path
from snaphook.daemon.log_maintenance import open_record_store
from snaphook.stores.eventlog import LogSettings
from snaphook.stores.eventlog.postgres_redaction import Redactor
from snaphook.stores.eventlog.ship import ship
shelf = open_record_store(LogSettings(store={database!r}), Path({str(folder)!r}))
Redactor._take_one = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
ship(Path({str(folder)!r}), shelf)
"""
    died = subprocess.run([sys.executable, "-c", script], capture_output=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert SECRET in str(rows(database))

    shipped(folder, database)

    assert SECRET not in str(rows(database))


def test_no_machine_redacts_what_another_recorded(folder, database, tmp_path):
    shipped(folder, database)
    other = tmp_path / "other"
    write(other, record(1, KEPT))
    redact(other, lambda found: True, why="x", now=NOW)
    assert machine_name(other) != machine_name(folder)

    shipped(other, database)

    assert SECRET in rows(database)["snaphook_record"]


def test_a_machine_that_was_renamed_redacts_what_it_recorded_before(folder, database):
    before = open_record_store(LogSettings(store=database, machine="old-name"), folder)
    ship(folder, before)
    before.close()
    redact(folder, lambda found: found.id == "r1", why="x", now=NOW)

    after = open_record_store(LogSettings(store=database, machine="new-name"), folder)
    ship(folder, after)
    after.close()

    assert SECRET not in str(rows(database))


def test_a_database_of_an_earlier_version_loses_what_was_redacted_then(folder, database):
    shipped(folder, database)
    redact(folder, lambda found: found.id == "r1", why="x", now=NOW)
    with psycopg.connect(database) as db:
        before = only(db, "SELECT body::text FROM snaphook_record WHERE id = 'r1'")
    shipped(folder, database)
    with psycopg.connect(database) as db:
        put_back = "UPDATE snaphook_record SET body = %s WHERE id = 'r1'"
        db.execute(put_back, (before,))

    PostgresRecordStore(database, machine=machine_name(folder)).close()

    assert SECRET not in rows(database)["snaphook_record"]
