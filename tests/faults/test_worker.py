"""Whoever looks after the record may die, hang or be left alone; nothing is lost, and nobody waits."""

import asyncio
import os
import signal
import sqlite3
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from snaphook.daemon import worker_supervisor
from snaphook.daemon.worker_messages import WorkerConfig, WorkerMessage
from snaphook.daemon.worker_supervisor import WorkerSupervisor
from snaphook.stores.eventlog import EventLog, LogSettings, Record
from snaphook.stores.eventlog.trail.settings import AuditSettings
from snaphook.stores.eventlog.trail.trail import Trail

from .nursery import ALLOWED, DENIED, Nursery

TERMS = WorkerConfig(log=LogSettings())


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(worker_supervisor, "SOON", 0.0)
    monkeypatch.setattr(worker_supervisor, "EVERY", 0.0)
    monkeypatch.setattr(worker_supervisor, "AGAIN", 0.0)


@pytest.fixture
def nursery():
    made = Nursery()
    yield made
    made.close()


@pytest.fixture
def log(tmp_path):
    made = EventLog(tmp_path)
    yield made
    made.close()


def written(log, *ids):
    log.append([Record(id=each, time=1.0, event="Stop", session="s") for each in ids])


def shipped(folder):
    with sqlite3.connect(folder / "records.sqlite") as database:
        return sorted(each for (each,) in database.execute("SELECT id FROM record"))


async def started(room, folder):
    room.wake(folder)
    for _ in range(2000):
        if room.pid is not None:
            return room.pid
        await asyncio.sleep(0.01)
    raise AssertionError("it was never started")


def test_what_is_written_is_shipped_by_another_process(tmp_path, log):
    async def live():
        room = WorkerSupervisor()
        room.look_after(tmp_path, TERMS)
        pid = await started(room, tmp_path)
        written(log, "a", "b")
        room.close()
        return pid

    assert asyncio.run(live()) != os.getpid()
    assert shipped(tmp_path) == ["a", "b"]


def test_one_that_was_killed_is_replaced_and_the_next_ships_everything(tmp_path, log):
    async def live():
        room = WorkerSupervisor()
        room.look_after(tmp_path, TERMS)
        written(log, "before")
        first = await started(room, tmp_path)
        os.kill(first, signal.SIGKILL)
        written(log, "after")
        async with asyncio.timeout(20):
            while room.pid in (first, None):
                room.wake(tmp_path)
                await asyncio.sleep(0.01)
        room.close()

    asyncio.run(live())
    assert shipped(tmp_path) == ["after", "before"]


def test_one_that_hangs_is_put_out_and_nobody_waits_for_it(tmp_path):
    async def live():
        room = WorkerSupervisor()
        room.look_after(tmp_path, TERMS)
        pid = await started(room, tmp_path)
        os.kill(pid, signal.SIGSTOP)
        words = 0
        while room.pid == pid and words < 100_000:
            room.wake(tmp_path)
            words += 1
        room.close()
        return pid, words

    pid, words = asyncio.run(live())
    assert words < 100_000
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_one_that_cannot_be_started_costs_nothing_but_delay(tmp_path, caplog):
    async def live():
        room = WorkerSupervisor(["/nowhere/python"])
        room.look_after(tmp_path, TERMS)
        room.wake(tmp_path)
        await asyncio.sleep(0.05)
        room.close()

    asyncio.run(live())
    assert "records stay on disk for now" in caplog.text


def test_a_folder_that_is_let_go_is_shipped_once_more(tmp_path, log):
    async def live():
        room = WorkerSupervisor()
        room.look_after(tmp_path, TERMS)
        await started(room, tmp_path)
        written(log, "last")
        assert room.let_go(tmp_path)
        room.close()

    asyncio.run(live())
    assert shipped(tmp_path) == ["last"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_daemon_that_is_killed_leaves_nobody_behind_and_nothing_unshipped(nursery):
    pid = nursery.start()
    assert nursery.call(DENIED, session="one") == "deny"
    assert nursery.call(ALLOWED, session="two") == "silence"
    (room,) = until(lambda: children(pid))
    nursery.kill(pid)

    until(lambda: not Path(f"/proc/{room}").exists() or zombie(room))
    with sqlite3.connect(nursery.record / "records.sqlite") as database:
        sessions = {each for (each,) in database.execute("SELECT session FROM record")}
    assert {"one", "two"} <= sessions


def test_terms_say_over_the_line_what_they_said_here(tmp_path):
    audit = AuditSettings(endpoint="https://audit.example/in", token_env="TOKEN", batch=7)
    trail = Trail(
        tmp_path,
        LogSettings(keep_days=5),
        audit,
        key_folder=tmp_path / "key",
        tenant="acme",
        env={"TOKEN": "t", "OTHER": "not said"},
    )
    line = msgspec.json.encode(
        WorkerMessage(folder="/r", config=WorkerConfig.of(LogSettings(keep_days=5), trail))
    )

    heard = msgspec.json.decode(line, type=WorkerMessage)
    assert heard.config is not None
    there = heard.config.trail(tmp_path)
    assert there is not None
    assert (there.settings, there.key_folder, there.tenant, there.env) == (
        audit,
        tmp_path / "key",
        "acme",
        {"TOKEN": "t"},
    )
    assert TERMS.trail(tmp_path) is None


def until(found):
    """Return what *found* finds, once it finds something."""
    late = time.monotonic() + 20
    while not (there := found()):
        assert time.monotonic() < late, "it never came to be"
        time.sleep(0.02)
    return there


def children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in path.read_text().split()]


def zombie(pid):
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return True
