"""A run that ended early, and the one after it."""

import asyncio
import random

import pytest

from snaphook.builder.journal import BuildJournal, read_journal, unfinished
from snaphook.builder.records import GateRan, Halted
from snaphook.errors import BuildError, DriverError, StoreError
from snaphook.scrub import RULES
from snaphook.testing.secrets import made_up_secret

from .conftest import ScriptedDriver, nothing, tick

COUNTED = "echo run >> ran"


def fail(codebase, message):
    raise DriverError(where="scripted", what="the line went dead", fix="Wait.")


def tick_and_fail(codebase, message):
    tick(codebase)
    fail(codebase, message)


def mend(codebase, message):
    (codebase / "mended").touch()


async def test_a_task_that_was_being_built_is_begun_again_in_a_fresh_session(bench):
    bench.plan("one", "two")
    with pytest.raises(DriverError):
        await bench.build(ScriptedDriver(tick, fail), COUNTED)
    driver = ScriptedDriver(tick)

    await bench.build(driver, COUNTED)

    assert len(driver.heard) == 1
    assert "- [ ] two" in driver.heard[0].message
    assert "cut short" in driver.heard[0].message
    assert bench.lines("ran") == ["run", "run"]


async def test_a_task_ticked_before_its_builder_failed_still_meets_its_gates(bench):
    bench.plan("one")
    with pytest.raises(DriverError):
        await bench.build(ScriptedDriver(tick_and_fail), COUNTED)
    driver = ScriptedDriver(nothing)

    await bench.build(driver, COUNTED)

    assert "- [ ] one" in driver.heard[0].message
    assert bench.lines("ran") == ["run"]


async def test_a_task_whose_gate_stayed_closed_meets_the_gate_first_then_its_own_session(bench):
    bench.plan("one", "two")
    with pytest.raises(BuildError):
        await bench.build(ScriptedDriver(tick, nothing), COUNTED, "test -e mended", max_retries=1)
    driver = ScriptedDriver(mend, tick)
    driver.talks = 1

    await bench.build(driver, COUNTED, "test -e mended", max_retries=1)

    assert driver.sessions == ["s1", "s2"]
    assert driver.first_lines == ["Hook failed: `test -e mended` (exit code 1)", "Begin building."]


async def test_a_task_that_a_person_mended_passes_without_the_builder(bench):
    bench.plan("one")
    with pytest.raises(BuildError):
        await bench.build(ScriptedDriver(tick), "test -e mended", max_retries=0)
    mend(bench.job.codebase, "")
    driver = ScriptedDriver(tick)

    await bench.build(driver, "test -e mended", max_retries=0)

    assert driver.heard == []


async def test_another_builder_begins_the_task_anew(bench):
    bench.plan("one")
    with pytest.raises(BuildError):
        await bench.build(ScriptedDriver(tick), "test -e mended", max_retries=0)
    driver = ScriptedDriver(mend)
    driver.name = "another"

    await bench.build(driver, "test -e mended", max_retries=0)

    assert driver.first_lines == ["Begin building."]


async def test_a_session_that_is_lost_need_not_be_gone_on_with(bench):
    bench.plan("one")
    with pytest.raises(BuildError):
        await bench.build(ScriptedDriver(tick), COUNTED, "test -e mended", max_retries=0)
    driver = ScriptedDriver(mend)

    await bench.build(driver, COUNTED, "test -e mended", max_retries=0, fresh=True)

    assert driver.first_lines == ["Begin building."]
    assert bench.lines("ran") == ["run", "run"]


async def test_an_interrupted_run_says_so_in_its_journal(bench):
    bench.plan("one")
    begun = asyncio.Event()

    def hang(codebase, message):
        begun.set()
        return asyncio.sleep(60)

    running = asyncio.create_task(bench.build(ScriptedDriver(hang)))
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    last = bench.ledger.records[-1]
    assert isinstance(last, Halted)
    assert (last.why, last.task) == ("interrupted", "one")


def test_two_runs_of_one_job_do_not_meet(bench):
    with BuildJournal(bench.job), pytest.raises(StoreError, match="another process is working on"):
        BuildJournal(bench.job)


def test_a_torn_last_line_is_cut_off(bench):
    with BuildJournal(bench.job) as journal:
        journal.append(Halted(why="a"))
    with journal.path.open("ab") as file:
        file.write(b'{"type":"hal')

    with BuildJournal(bench.job) as journal:
        journal.append(Halted(why="b"))

    assert [record.why for record in read_journal(journal.path) if isinstance(record, Halted)] == [
        "a",
        "b",
    ]


def test_a_line_that_is_no_step_is_told_with_its_number(bench):
    with BuildJournal(bench.job) as journal:
        journal.append(Halted(why="a"))
    with journal.path.open("ab") as file:
        file.write(b"hello\n")

    with pytest.raises(StoreError, match=r"journal.jsonl:2: this line is not a valid build record"):
        read_journal(journal.path)


def test_a_place_that_cannot_be_written_is_told_before_any_work(bench):
    (bench.job.codebase / ".sauna" / "state").write_text("a file where a folder should be")

    with pytest.raises(StoreError, match="cannot be written"):
        BuildJournal(bench.job)


def test_a_full_disk_is_told_and_loses_nothing(bench, monkeypatch):
    with BuildJournal(bench.job) as journal:
        journal.append(Halted(why="a"))

        def full(*_words):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr("os.write", full)
            with pytest.raises(StoreError, match="No space left on device"):
                journal.append(Halted(why="b"))

        assert [record.why for record in journal.read() if isinstance(record, Halted)] == ["a"]


def test_a_secret_that_a_gate_printed_is_not_kept(bench):
    token = made_up_secret(RULES[0], random.Random(1)).secret
    with BuildJournal(bench.job) as journal:
        journal.append(GateRan(gate="g", command="g", exit_code=1, output=f"token {token} end"))
        journal.append(Halted(why=f"it printed {token}"))

    kept = journal.path.read_text()
    assert token not in kept
    assert "token " in kept


def test_nothing_is_unfinished_in_an_empty_journal():
    assert unfinished(()) is None
