"""SQLite files: private, never opened by hand, and moved away only by whoever is alone with them."""

import os
import sqlite3
import stat
import subprocess
import sys
import warnings

import pytest

from snaphook.storage import sqlite


def made(path):
    db = sqlite.connect(
        path, patience=1, prepare=lambda db: db.execute("CREATE TABLE IF NOT EXISTS t (x)")
    )
    db.execute("INSERT INTO t VALUES (1)")
    return db


def test_the_file_its_log_and_its_folder_are_their_owners_alone(tmp_path):
    before = os.umask(0o022)
    try:
        db = made(tmp_path / "data" / "a.sqlite")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").iterdir()}
    db.close()

    assert modes == dict.fromkeys(
        ("a.sqlite", "a.sqlite-wal", "a.sqlite-shm", "a.sqlite.lock"), 0o600
    )
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_file_that_others_could_read_is_narrowed(tmp_path):
    made(tmp_path / "a.sqlite").close()
    (tmp_path / "a.sqlite").chmod(0o644)

    made(tmp_path / "a.sqlite").close()

    assert stat.S_IMODE((tmp_path / "a.sqlite").stat().st_mode) == 0o600


BLOCKED = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    db.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_a_second_connection_that_comes_and_goes_leaves_the_first_its_locks(tmp_path):
    first = made(tmp_path / "a.sqlite")
    first.execute("BEGIN IMMEDIATE")
    made_again = sqlite.connect(tmp_path / "a.sqlite", patience=1)
    made_again.close()

    other = subprocess.run(
        [sys.executable, "-c", BLOCKED, str(tmp_path / "a.sqlite")], capture_output=True, text=True
    )
    first.close()

    assert other.stdout == "database is locked\n"


def test_a_damaged_file_is_moved_away_with_its_log_once_nobody_uses_it(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"not a database" * 500)
    look = "SELECT * FROM sqlite_master"
    with pytest.raises(sqlite3.DatabaseError) as damage:
        sqlite.connect(path, patience=1, prepare=lambda db: db.execute(look))
    assert sqlite.is_damaged(damage.value)

    aside = sqlite.set_aside(path, patience=1, check=lambda db: db.execute(look))

    assert aside is not None
    assert aside.read_bytes() == b"not a database" * 500
    assert not path.exists()
    made(path).close()
    assert sqlite.set_aside(path, patience=1, check=lambda db: db.execute(look)) is None
    assert sqlite.problems(path) == []


def test_a_file_in_use_is_not_moved(tmp_path):
    db = made(tmp_path / "a.sqlite")

    with pytest.raises(sqlite3.OperationalError, match="other processes still use it"):
        sqlite.set_aside(tmp_path / "a.sqlite", patience=0.05, check=lambda _: None)
    db.close()


def test_a_connection_of_the_parent_is_not_a_childs(tmp_path):
    db = made(tmp_path / "a.sqlite")
    assert sqlite.ours(db) == db
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        os._exit(0 if sqlite.ours(db) is None else 1)
    _, status = os.waitpid(pid, 0)
    db.close()

    assert status == 0
