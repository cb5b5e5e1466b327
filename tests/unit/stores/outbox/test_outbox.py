"""Jobs are kept once, taken by one, tried again, and never lost without a word."""

import sqlite3
import stat

import pytest
from msgspec.structs import replace

from snaphook.config import Environment
from snaphook.errors import StoreError
from snaphook.stores.outbox import GiveUp, Job, JobState, Outbox, RetryLater, drain
from snaphook.stores.outbox import outbox as module
from snaphook.stores.outbox.schedule import ATTEMPTS, LONGEST, OLDEST, pause


class Clock:
    """A clock that the test sets."""

    def __init__(self, now=1_000_000.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def outbox(tmp_path, clock):
    box = Outbox(tmp_path / "data", cwd="/project", patience=0.05, clock=clock)
    yield box
    box.close()


@pytest.fixture
def around(tmp_path):
    return Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path)


def worked(outbox, clock, around, handler):
    return drain(outbox, lambda _: handler, around, clock=clock, chance=lambda: 0.5)


def test_a_job_is_kept_as_it_was_put(outbox, clock):
    made = outbox.put("mail", {"to": "ann"}, key="k")

    assert outbox.jobs() == [
        Job(
            id=made,
            kind="mail",
            payload={"to": "ann"},
            key="k",
            cwd="/project",
            made=clock.now,
            due=clock.now,
        )
    ]


def test_the_file_is_the_users_alone(outbox):
    outbox.put("mail", {})

    assert stat.S_IMODE(outbox.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(outbox.path.parent.stat().st_mode) == 0o700


def test_two_jobs_of_one_key_are_one_job_whatever_became_of_the_first(outbox):
    first = outbox.put("mail", {"n": 1}, key="k")
    waiting = outbox.put("mail", {"n": 2}, key="k")
    outbox.done(outbox.take())
    done = outbox.put("mail", {"n": 3}, key="k")

    assert (waiting, done) == (first, first)
    assert [job.payload for job in outbox.jobs()] == [{"n": 1}]


def test_jobs_without_a_key_are_all_different(outbox):
    assert outbox.put("mail", {}) != outbox.put("mail", {})


def test_a_job_is_taken_by_one_worker_and_by_another_when_its_lease_lapsed(outbox, clock):
    outbox.put("mail", {})
    first = outbox.take(lease=30)

    assert outbox.take() is None
    clock.now += 31
    second = outbox.take()
    assert (second.id, second.attempts) == (first.id, 2)
    assert not outbox.done(first), "what a worker says whose lease lapsed is not heard"
    assert outbox.done(second)


def test_a_renewed_lease_holds(outbox, clock):
    outbox.put("mail", {})
    job = outbox.take(lease=30)
    clock.now += 29
    assert outbox.renew(job, lease=30)
    clock.now += 29

    assert outbox.take() is None


def test_a_job_waits_for_its_time(outbox, clock):
    outbox.put("mail", {}, not_before=clock.now + 60)

    assert outbox.take() is None
    assert outbox.next_due() == clock.now + 60
    clock.now += 60
    assert outbox.take() is not None


def test_the_pauses_grow_up_to_a_bound_and_chance_spreads_them():
    middles = [pause(attempt, 0.5) for attempt in range(1, 9)]

    assert middles == [2, 8, 32, 128, 512, 2048, LONGEST, LONGEST]
    assert (pause(1, 0.0), pause(1, 1.0)) == (1.5, 2.5)


@pytest.mark.req("BB-ST-7")
def test_a_job_that_fails_is_tried_again_and_then_is_a_dead_letter(outbox, clock, around):
    outbox.put("mail", {})
    tried = []

    def fails(job, _):
        if job.kind == "mail":
            tried.append(job.attempts)
            raise OSError("no route")

    while (due := outbox.next_due()) is not None:
        clock.now = due
        worked(outbox, clock, around, fails)

    assert tried == list(range(1, ATTEMPTS + 1))
    (dead,) = outbox.jobs(JobState.DEAD)
    assert [job.payload["id"] for job in outbox.jobs(kind="alert")] == [dead.id]
    assert dead.error == "OSError: no route"


def test_who_gives_up_is_not_asked_again(outbox, clock, around):
    outbox.put("mail", {})

    def hopeless(job, _):
        raise GiveUp("no such address")

    worked(outbox, clock, around, hopeless)

    (dead,) = outbox.jobs(JobState.DEAD, kind="mail")
    assert (dead.error, dead.attempts) == ("no such address", 1)


def test_later_counts_no_attempt_but_not_for_ever(outbox, clock, around):
    outbox.put("mail", {})

    def busy(job, _):
        raise RetryLater(60, "asked to wait")

    for _ in range(ATTEMPTS * 2):
        worked(outbox, clock, around, busy)
        clock.now += 60
    (job,) = outbox.jobs(JobState.WAITING)
    assert (job.attempts, job.error) == (0, "asked to wait")

    clock.now += OLDEST
    worked(outbox, clock, around, busy)
    assert [dead.error for dead in outbox.jobs(JobState.DEAD)] == [
        "postponed for too long: asked to wait"
    ]


def test_a_kind_that_nobody_does_is_a_dead_letter_that_says_so(outbox, around):
    outbox.put("juggle", {})

    def nobody(kind):
        raise KeyError(kind)

    drain(outbox, nobody, around)

    (dead,) = outbox.jobs(JobState.DEAD, kind="juggle")
    assert dead.error == "unknown job type 'juggle'. Update Snaphook, then retry it."


def test_one_job_that_fails_holds_up_no_other(outbox, clock, around):
    outbox.put("a", {})
    outbox.put("b", {})
    done = []

    def handler(job, _):
        if job.kind == "a":
            raise RuntimeError
        done.append(job.kind)

    worked(outbox, clock, around, handler)

    assert done == ["b"]


def test_a_handler_sees_the_folder_where_its_job_was_asked_for(outbox, clock, around):
    outbox.put("mail", {})
    seen = []

    worked(outbox, clock, around, lambda _, there: seen.append(str(there.cwd)))

    assert seen == ["/project"]


def test_a_dead_letter_is_retried_or_dropped(outbox, clock, around):
    for key in ("again", "gone"):
        outbox.put("mail", {}, key=key)
        outbox.bury(outbox.take(), "no")
    again, gone = outbox.find("again")[0], outbox.find("gone")[0]

    assert outbox.retry(again)
    assert outbox.drop(gone)

    (job,) = outbox.jobs()
    assert (job.key, job.state, job.attempts) == ("again", JobState.WAITING, 0)
    assert not outbox.drop(job), "what waits is not dropped"
    assert not outbox.retry(job), "nor retried"


def test_what_is_done_is_kept_for_a_while_and_not_for_ever(outbox, clock, monkeypatch):
    monkeypatch.setattr(module, "KEEP_DONE", 3)
    for number in range(10):
        clock.now += 1
        outbox.put("mail", {"n": number})
        outbox.done(outbox.take())

    assert [job.payload["n"] for job in outbox.jobs()] == [9, 8, 7]


@pytest.mark.req("BB-ST-7")
def test_a_locked_file_makes_a_job_go_by_the_side_door_and_in_later(outbox):
    outbox.put("mail", {"n": 1})
    other = sqlite3.connect(outbox.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    kept = outbox.put("mail", {"n": 2}, key="k")

    assert [path.stem for path in outbox.spool.iterdir()] == [kept]
    other.execute("COMMIT")
    other.close()
    assert outbox.absorb() == 1
    assert list(outbox.spool.iterdir()) == []
    assert [job.payload["n"] for job in outbox.jobs()] == [2, 1]


def test_a_file_that_is_no_database_keeps_nobody_from_putting(outbox):
    outbox.path.parent.mkdir()
    outbox.path.write_bytes(b"this is not a database, and never was" * 100)

    kept = outbox.put("mail", {"n": 1})

    assert (outbox.spool / f"{kept}.json").exists()
    with pytest.raises(StoreError, match=r"cannot be opened: .* recovers its jobs"):
        outbox.jobs()
    outbox.path.unlink()
    outbox.absorb()
    assert [job.id for job in outbox.jobs()] == [kept]


def test_where_nothing_can_be_written_a_put_says_so(tmp_path):
    (tmp_path / "data").write_text("a file stands where the folder should be")
    outbox = Outbox(tmp_path / "data")

    with pytest.raises(StoreError, match="Check disk space and permissions"):
        outbox.put("mail", {})


def test_a_side_door_file_that_holds_no_job_is_set_aside(outbox):
    outbox.spool.mkdir(parents=True)
    (outbox.spool / "x.json").write_text("{")

    assert outbox.absorb() == 0
    assert [path.name for path in outbox.spool.iterdir()] == ["x.bad"]


def test_a_put_has_the_work_begun(tmp_path):
    woken = []
    outbox = Outbox(tmp_path, awake=lambda: woken.append(1))

    outbox.put("mail", {})
    job = outbox.take()
    assert job is not None
    outbox.bury(job, "no")
    outbox.retry(job)
    outbox.close()

    assert woken == [1, 1]


def test_counts_name_every_state(outbox):
    outbox.put("mail", {})

    assert outbox.counts() == {JobState.WAITING: 1, JobState.DONE: 0, JobState.DEAD: 0}


def test_a_job_is_found_by_the_start_of_its_id_or_by_its_key(outbox):
    made = outbox.put("mail", {}, key="100%_k")
    (job,) = outbox.jobs()

    assert outbox.find(made[:14]) == outbox.find("100%_k") == [job]
    assert outbox.find("%") == []
    assert replace(job, key="x") not in outbox.find(made)


def test_a_secret_in_a_job_is_never_written(tmp_path):
    token = "ghp_" + "a1B2" * 9
    outbox = Outbox(tmp_path)
    outbox.put(
        "notify", {"text": f"waiting for {token}", "to": "ada@example.org"}, key=f"k:{token}"
    )
    jobs = outbox.jobs()
    outbox.close()

    assert all(
        token.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    )
    assert jobs[0].payload["to"] == "ada@example.org"
