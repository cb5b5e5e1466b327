"""A damaged outbox: jobs that can be read go on in a new file, and people are told where the old one is."""

import os
import signal
import sqlite3
import subprocess
import sys

import pytest
from tests.until import until

from snaphook.config import Environment
from snaphook.errors import StoreError
from snaphook.storage import sqlite
from snaphook.stores.outbox import JobState, Outbox, Workers, drain
from snaphook.stores.outbox.recovery import recover

PAGE = 4096
KEYS = [f"key-{number:03}" for number in range(200)]


def filled(folder):
    """Return an outbox with jobs in every state, closed."""
    outbox = Outbox(folder, patience=5.0)
    for key in KEYS:
        outbox.put("say", {"key": key, "text": "x" * 100}, key=key)
    dead, done, _in_hand = (
        outbox.take() for _ in range(3)
    )  # the last by somebody who is dead by now
    assert dead is not None
    assert done is not None
    outbox.bury(dead, "gave up")
    outbox.done(done)
    outbox.close()
    return outbox


def page_of(path, name):
    with sqlite3.connect(path) as db:
        (page,) = db.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)
        ).fetchone()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return page


def overwrite(path, page, raw=b"\x00" * PAGE):
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(raw)


def damage_index(path):
    overwrite(path, page_of(path, "job_due"))


def drop_from_index(path):
    """Leave the index readable, but without its rows: no statement fails, and no job is found."""
    page = page_of(path, "job_due")
    empty = bytearray(PAGE)
    empty[0] = 0x0A  # an empty leaf of an index
    empty[5:7] = PAGE.to_bytes(2, "big")
    overwrite(path, page, bytes(empty))


def damage_table(path):
    """Overwrite a page in the middle of the table."""
    page_of(path, "job")
    size = path.stat().st_size
    marks = [
        page
        for page in range(2, size // PAGE + 1)
        if path.read_bytes()[(page - 1) * PAGE] == 0x0D  # a leaf of the table
    ]
    overwrite(path, marks[len(marks) // 2])


def cut_short(path):
    page_of(path, "job")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // PAGE // 2 * PAGE)


def replace_by_text(path):
    path.write_text("this was a database once " * 500)


@pytest.mark.parametrize(
    ("damage", "least"),
    [
        (damage_index, len(KEYS)),
        (drop_from_index, len(KEYS)),
        (damage_table, len(KEYS) // 2),
        (cut_short, 1),
        (replace_by_text, 0),
    ],
)
def test_what_can_be_read_goes_on_in_a_new_file(tmp_path, damage, least):
    outbox = filled(tmp_path)
    before = {job.key: job for job in outbox.jobs()}
    outbox.close()
    damage(outbox.path)
    damaged = outbox.path.read_bytes()

    done = Outbox(tmp_path, patience=5.0).recover()

    assert done is not None
    assert done.aside.read_bytes() == damaged
    assert str(done.aside.name) in str(done)
    new = Outbox(tmp_path, patience=5.0)
    kept = {job.key: job for job in new.jobs() if job.kind != "alert"}
    assert len(kept) == done.jobs >= least
    assert {key: job.state for key, job in kept.items()} == {key: before[key].state for key in kept}
    assert all(job.payload == before[key].payload for key, job in kept.items())
    assert not any(job.lease for job in kept.values())
    (alert,) = new.jobs(kind="alert")
    assert str(done.aside.name) in alert.payload["error"]
    new.close()
    assert sqlite.problems(new.path) == []
    assert list(tmp_path.glob(".outbox*")) == []


def test_a_sound_outbox_is_left_alone_while_others_use_it(tmp_path):
    outbox = filled(tmp_path)
    other = subprocess.Popen(
        [sys.executable, "-c", USER, str(tmp_path)], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"open\n"

    assert outbox.recover() is None

    other.communicate()
    assert list(tmp_path.glob("*.damaged*")) == []


USER = """
import sys
from pathlib import Path
from snaphook.stores.outbox import Outbox
outbox = Outbox(Path(sys.argv[1]))
outbox.counts()
print("open", flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_process_still_uses_is_not_moved(tmp_path):
    outbox = filled(tmp_path)
    other = subprocess.Popen(
        [sys.executable, "-c", USER, str(tmp_path)], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"open\n"
    overwrite(outbox.path, 2)

    with pytest.raises(StoreError, match="other processes still use it"):
        Outbox(tmp_path, patience=0.1).recover()

    other.communicate()
    assert Outbox(tmp_path, patience=5.0).recover() is not None


def test_a_worker_recovers_and_does_what_waits(tmp_path):
    outbox = filled(tmp_path)
    drop_from_index(outbox.path)
    around = Environment.here(tmp_path)
    around = type(around)(
        cwd=tmp_path, home=tmp_path, managed=around.managed, env={"XDG_DATA_HOME": str(tmp_path)}
    )
    (tmp_path / "snaphook").mkdir()
    for path in tmp_path.glob("outbox*"):
        path.rename(tmp_path / "snaphook" / path.name)
    kept_open = Outbox(around.data_dir, patience=5.0)  # as a provider of the daemon has
    kept_open.counts()
    did = []

    workers = Workers(lambda kind: lambda job, _: did.append(job.key))
    workers.wake(around)
    until(lambda: len(set(did) & set(KEYS)) == len(KEYS) - 2)
    workers.stop()

    assert list(around.data_dir.glob("outbox.sqlite.damaged-*"))
    kept_open.close()


def test_a_drain_that_meets_damage_recovers(tmp_path):
    outbox = filled(tmp_path)
    replace_by_text(outbox.path)
    outbox.put("say", {}, key="beside")  # into the spool: the file cannot be used
    did = []

    drain(
        Outbox(tmp_path, patience=5.0),
        lambda _: lambda job, _: did.append(job.key),
        Environment.here(tmp_path),
    )

    assert did[0] == "beside"
    assert did[1].startswith("recovered:outbox.sqlite.damaged-")


KILLED = """
import os, signal, sys
from pathlib import Path
from snaphook.storage import sqlite
from snaphook.stores.outbox.recovery import recover
from snaphook.stores.outbox import recovery
real = Path.replace
def replace(self, target):
    if "damaged" in str(target):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, target)
Path.replace = replace
recover(Path(sys.argv[1]) / "outbox.sqlite", Path(sys.argv[1]) / "outbox.d", patience=5)
"""


def test_a_recovery_that_is_killed_loses_nothing(tmp_path):
    outbox = filled(tmp_path)
    damage_index(outbox.path)

    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)])

    assert killed.returncode == -signal.SIGKILL
    done = recover(outbox.path, outbox.spool, patience=5.0)
    assert done is not None
    assert done.jobs == len(KEYS)
    outbox.absorb()
    kept = [job.key for job in outbox.jobs()]
    assert sorted(kept) == KEYS
    outbox.close()


def test_the_command_recovers_and_says_where_the_damaged_file_is(tmp_path):
    data = tmp_path / ".local/share/snaphook"
    outbox = filled(data)
    drop_from_index(outbox.path)
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "SNAPHOOK_NO_DAEMON": "1"}

    def shown():
        return subprocess.run(
            [sys.executable, "-I", "-m", "snaphook", "outbox", "list", "--limit", "0"],
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )

    first, second = shown(), shown()

    (aside,) = data.glob("outbox.sqlite.damaged-*[0-9]")
    assert f"kept as {aside.name}" in first.stderr
    assert first.stdout.count(" say ") == len(KEYS)
    assert f"{aside}: a damaged outbox is kept here" in second.stderr
    assert Outbox(data, patience=5.0).counts()[JobState.DEAD] == 1
