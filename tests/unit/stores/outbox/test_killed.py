"""A worker killed between any two steps loses nothing, and what it does twice counts once."""

import os
import signal
import sqlite3
import time
import warnings

import pytest
from tests.thorough import only_thoroughly

from snaphook.config import Environment
from snaphook.stores.outbox import JobState, Outbox, drain
from snaphook.stores.outbox import outbox as module

JOBS = ("one", "two", "three")


def effects(folder):
    """Return a handler whose effect is a file named by the job's key, so twice is once."""

    def handler(job, _around):
        (folder / job.key).write_text(job.payload["say"])

    return handler


class Traced(Outbox):
    """An outbox whose process is killed before the *nth* statement it makes."""

    def __init__(self, folder, nth):
        super().__init__(folder)
        self._left = nth

    def _opened(self):
        db = super()._opened()
        db.set_trace_callback(self._count)
        return db

    def _count(self, _statement):
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def in_a_child(do):
    """Run *do* in a process of its own; return whether it was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # the child does little, and not for long
        pid = os.fork()
    if pid == 0:
        do()
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def whole(path):
    with sqlite3.connect(path) as db:
        (said,) = db.execute("PRAGMA integrity_check").fetchone()
    db.close()
    return said == "ok"


@only_thoroughly
@pytest.mark.req("BB-ST-4", "BB-ST-7")
def test_a_worker_killed_before_any_statement_loses_no_job(tmp_path):
    around = Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path)
    killed = 0
    for nth in range(1, 200):
        data, done = tmp_path / f"{nth}", tmp_path / f"{nth}-done"
        done.mkdir()
        outbox = Outbox(data)
        for key in JOBS:
            outbox.put("say", {"say": key}, key=key)
        outbox.close()

        dead = in_a_child(lambda: drain(Traced(data, nth), lambda _: effects(done), around))  # noqa: B023

        late = Outbox(data, clock=lambda: time.time() + 60)
        drain(late, lambda _: effects(done), around)  # noqa: B023 - used at once
        assert {job.key: job.state for job in late.jobs()} == dict.fromkeys(JOBS, JobState.DONE)
        assert {path.name for path in done.iterdir()} == set(JOBS)
        late.close()
        assert whole(data / module.FILE)
        if not dead:
            break
        killed += 1

    assert killed > 3 * len(JOBS), "take, done and tidying of every job were all interrupted"


@pytest.mark.req("BB-ST-7")
def test_a_put_killed_before_any_statement_leaves_the_job_or_nothing(tmp_path):
    for nth in range(1, 50):
        data = tmp_path / f"{nth}"
        Outbox(data).close()

        dead = in_a_child(lambda: Traced(data, nth).put("say", {}, key="k"))  # noqa: B023

        outbox = Outbox(data)
        assert [job.key for job in outbox.jobs()] in ([], ["k"])
        outbox.put("say", {}, key="k")
        assert [job.key for job in outbox.jobs()] == ["k"]
        outbox.close()
        if not dead:
            return
