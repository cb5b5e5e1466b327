"""The work is done by a thread where a process stays, and by a process of its own where none does."""

import os
import subprocess
import sys
import threading
import time

import pytest

from snaphook.config import Environment
from snaphook.storage.lock import take
from snaphook.stores.outbox import JobState, Outbox, Workers, work
from snaphook.stores.outbox import workers as module
from snaphook.stores.outbox.workers import LOCK, wake, work_alone


@pytest.fixture
def around(tmp_path):
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    return Environment(cwd=tmp_path, home=tmp_path, env=env, managed=tmp_path)


def until(happened, seconds=20.0):
    end = time.monotonic() + seconds
    while not (seen := happened()) and time.monotonic() < end:
        time.sleep(0.01)
    assert seen
    return seen


@pytest.mark.req("BB-ST-7")
def test_a_resident_thread_does_what_is_put_and_stops_when_told(around):
    done, where = [], threading.get_ident()
    workers = Workers(lambda _: lambda job, _: done.append((job.kind, threading.get_ident())))
    workers.begin(around)
    try:
        outbox = Outbox.of(around)
        outbox.put("mail", {})
        until(lambda: outbox.counts()[JobState.DONE] == 1)
        outbox.put("mail", {})
        until(lambda: outbox.counts()[JobState.DONE] == 2)
        outbox.close()
    finally:
        workers.stop()

    assert [kind for kind, _ in done] == ["mail", "mail"]
    assert where not in {thread for _, thread in done}
    assert not [each for each in threading.enumerate() if each.name == "snaphook-outbox"]


def test_a_resident_begins_with_what_an_earlier_one_left(around):
    Outbox(around.data_dir).put("mail", {})
    done = threading.Event()
    workers = Workers(lambda _: lambda job, _: done.set())

    workers.begin(around)

    assert done.wait(20)
    workers.stop()


def test_a_resident_that_leaves_hands_over_what_still_waits(around, monkeypatch):
    spawned: list[Environment] = []
    monkeypatch.setattr(module, "_spawn", spawned.append)

    def fails(job, _):
        raise OSError("not yet")

    workers = Workers(lambda _: fails)
    workers.begin(around)
    outbox = Outbox.of(around)
    outbox.put("mail", {})
    until(lambda: outbox.jobs()[0].error)
    outbox.close()
    workers.stop()

    assert spawned == [around]


def test_where_a_worker_is_at_work_no_second_one_is_started(around, monkeypatch):
    spawned: list[Environment] = []
    monkeypatch.setattr(module, "_spawn", spawned.append)
    wake(around)
    held = take(around.data_dir / LOCK)
    wake(around)
    assert held is not None
    held.release()

    assert spawned == [around]
    assert module._resident is None


def test_a_process_of_its_own_waits_for_the_next_attempt_and_leaves_when_nothing_is_left(
    around, monkeypatch
):
    monkeypatch.setattr(work, "pause", lambda attempts, chance: 0.4)
    tries = []

    def second_time_lucky(job, _):
        tries.append(job.attempts)
        if job.attempts == 1:
            raise OSError("not yet")

    outbox = Outbox(around.data_dir)
    outbox.put("mail", {})
    threading.Timer(0.1, outbox.put, ("mail", {})).start()

    assert work_alone(lambda _: second_time_lucky, around)

    assert sorted(tries) == [1, 1, 2, 2]
    assert outbox.counts()[JobState.DONE] == 2
    outbox.close()


def test_a_process_that_finds_another_at_work_leaves(around):
    held = take(around.data_dir / LOCK)

    assert not work_alone(lambda _: lambda job, _: None, around)
    assert held is not None
    held.release()


@pytest.mark.req("BB-ST-7")
def test_what_a_hook_puts_is_worked_on_after_the_hook_is_gone(around):
    put = (
        "from snaphook.config import Environment; from snaphook.stores.outbox import Outbox; "
        "Outbox.of(Environment.here()).put('no such kind', {})"
    )
    subprocess.run([sys.executable, "-c", put], env=dict(around.env), cwd="/", check=True)
    outbox = Outbox(around.data_dir)

    (dead,) = until(lambda: outbox.jobs(JobState.DEAD))
    outbox.close()

    assert dead.error.startswith("unknown job type 'no such kind'")
