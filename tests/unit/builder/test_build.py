"""The loop: a task, its gates, its fixes, the next task."""

import asyncio
import subprocess

import pytest

from snaphook.builder.build import check_tasks
from snaphook.builder.records import Halted, Passed
from snaphook.errors import BuildError, DriverError

from .conftest import ScriptedDriver, nothing, tasks_of, tick

COUNTED = "echo run >> ran"


def mend(codebase, message):
    (codebase / "mended").touch()


MENDED = "test -e mended"


@pytest.mark.req("SA-3")
async def test_without_gates_every_task_is_built_in_a_session_of_its_own(bench):
    bench.plan("one", "two", "three")
    driver = ScriptedDriver(tick)

    await bench.build(driver)

    assert driver.sessions == ["s1", "s2", "s3"]
    assert driver.closed == driver.sessions
    assert driver.first_lines == ["Begin building."] * 3
    assert "- [ ]" not in bench.text


async def test_a_message_says_which_task_where_and_what_to_read(bench):
    bench.plan("write the parser")
    (bench.job.folder / "specs").mkdir()
    (bench.job.folder / "specs" / "grammar.md").write_text("…")
    driver = ScriptedDriver(tick)

    await bench.build(driver)

    message = driver.heard[0].message
    assert "- [ ] write the parser" in message
    assert ".sauna/jobs/demo/specs/grammar.md" in message
    assert ".sauna/jobs/demo/tasks.md" in message


async def test_with_nothing_pending_no_agent_is_asked(bench):
    tasks_of(bench.job.codebase).write_text("- [x] one\n")
    driver = ScriptedDriver(tick)

    await bench.build(driver, COUNTED)

    assert (driver.heard, bench.lines("ran")) == ([], [])


@pytest.mark.req("SA-4")
async def test_gates_run_once_after_each_task(bench):
    bench.plan("one", "two")

    await bench.build(ScriptedDriver(tick), COUNTED)

    assert bench.lines("ran") == ["run", "run"]


@pytest.mark.req("SA-7", "SA-8")
async def test_feedback_goes_into_the_same_session_then_gates_run_from_the_first(bench):
    bench.plan("one", "two")
    driver = ScriptedDriver(tick, mend, tick)

    await bench.build(driver, COUNTED, MENDED)

    assert driver.sessions == ["s1", "s1", "s2"]
    assert driver.heard[1].message == (
        "Hook failed: `test -e mended` (exit code 1)\n\n"
        "Output:\n(no output)\n\nPlease fix the issue and try again."
    )
    assert len(bench.lines("ran")) == 3


@pytest.mark.req("SA-9", "SA-10")
@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_max_retries_is_the_number_of_fixes_the_builder_gets(bench, retries):
    bench.plan("one", "two")
    driver = ScriptedDriver(tick, nothing)

    with pytest.raises(BuildError) as caught:
        await bench.build(driver, COUNTED, "echo why it fails; exit 9", max_retries=retries)

    assert len(driver.heard) == 1 + retries
    assert len(bench.lines("ran")) == 1 + retries
    times = "retry" if retries == 1 else "retries"
    assert f'"echo why it fails; exit 9" failed after {retries} {times} (exit code 9)' in str(
        caught.value
    )
    assert 'task "one"' in str(caught.value)
    assert "why it fails" in str(caught.value)
    assert set(driver.sessions) == {"s1"}  # no later task was begun
    assert bench.text == "- [x] one\n- [ ] two\n"


@pytest.mark.req("SA-9")
async def test_the_count_starts_over_with_each_task(bench):
    bench.plan("one", "two")
    gate = "n=$(wc -l < ran); [ $((n % 3)) -eq 0 ]"  # each task needs two fixes
    driver = ScriptedDriver(tick, nothing, nothing, tick, nothing, nothing)

    await bench.build(driver, COUNTED, gate, max_retries=2)

    assert driver.sessions == ["s1", "s1", "s1", "s2", "s2", "s2"]


@pytest.mark.req("SA-11")
async def test_a_builder_that_fails_is_no_gate_retry_and_runs_no_gates(bench):
    def fail(codebase, message):
        raise DriverError(where="scripted", what="overloaded", fix="Wait.")

    bench.plan("one", "two")
    driver = ScriptedDriver(fail)

    with pytest.raises(DriverError, match="overloaded"):
        await bench.build(driver, COUNTED)

    assert len(driver.heard) == 1
    assert driver.closed == ["s1"]
    assert bench.lines("ran") == []
    assert isinstance(bench.ledger.records[-1], Halted)


async def test_a_builder_that_ticks_nothing_is_told_once_in_the_same_session(bench):
    bench.plan("one")
    driver = ScriptedDriver(nothing, tick)

    await bench.build(driver, COUNTED)

    assert driver.sessions == ["s1", "s1"]
    assert "no box was ticked" in driver.heard[1].message
    assert len(bench.lines("ran")) == 2  # after the second answer gates run again


async def test_a_builder_that_still_ticks_nothing_halts_the_run(bench):
    bench.plan("one", "two")
    driver = ScriptedDriver(nothing)

    with pytest.raises(BuildError, match='task "one": the builder did not tick the task'):
        await bench.build(driver)

    assert len(driver.heard) == 2


@pytest.mark.parametrize("more", [4, 5])
async def test_the_safety_limit_allows_exactly_five_more_and_is_no_error_at_the_boundary(
    bench, more
):
    added = iter(range(more))

    def tick_and_add(codebase, message):
        tick(codebase)
        if (number := next(added, None)) is not None:
            with tasks_of(codebase).open("a") as file:
                file.write(f"- [ ] more {number}\n")

    bench.plan("one")
    driver = ScriptedDriver(tick_and_add)

    await bench.build(driver)

    assert len(driver.heard) == 1 + more


async def test_a_builder_that_keeps_adding_tasks_meets_the_safety_limit(bench):
    def tick_and_add(codebase, message):
        tick(codebase)
        with tasks_of(codebase).open("a") as file:
            file.write("- [ ] more\n")

    bench.plan("one")
    driver = ScriptedDriver(tick_and_add)

    with pytest.raises(BuildError, match=r"Safety limit reached \(6 iterations\)"):
        await bench.build(driver)

    assert len(driver.heard) == 6


async def test_every_step_is_told_in_order(bench):
    bench.plan("one")

    await bench.build(ScriptedDriver(tick, mend), MENDED)

    assert bench.ledger.kinds() == [
        "BuildStarted",
        "TaskStarted",
        "Built",
        "GateStarted",
        "GateRan",
        "FixAsked",
        "Built",
        "GateStarted",
        "GateRan",
        "Passed",
        "BuildEnded",
    ]


async def test_a_task_that_costs_too_much_halts(bench):
    bench.plan("one", "two")

    with pytest.raises(BuildError, match=r"cost \$0.60, more than its budget of \$0.50"):
        await bench.build(
            ScriptedDriver(tick, cost_micros=300_000), "exit 1", task_budget_micros=500_000
        )


async def test_a_task_that_takes_too_long_is_ended_and_halts(bench):
    def sleep(codebase, message):
        return asyncio.sleep(60)

    bench.plan("one")
    driver = ScriptedDriver(sleep)

    with pytest.raises(BuildError, match=r"not done within 0.05 s"):
        await bench.build(driver, task_timeout=0.05)

    assert driver.closed == ["s1"]


async def test_a_gate_that_outlasts_the_task_is_ended_with_it(bench):
    bench.plan("one")

    with pytest.raises(BuildError, match=r"not done within 0.3 s"):
        await bench.build(ScriptedDriver(tick), "sleep 1; touch survived", task_timeout=0.3)

    await asyncio.sleep(1.2)
    assert not (bench.job.codebase / "survived").exists()


async def test_each_passed_task_is_committed_if_asked_for(bench):
    here = bench.job.codebase
    git = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q", str(here)], check=True)  # noqa: ASYNC221
    for name, value in (("user.name", "T"), ("user.email", "t@example.org")):
        subprocess.run(["git", "config", name, value], cwd=here, check=True)  # noqa: ASYNC221
    bench.plan("one", "two")

    await bench.build(ScriptedDriver(tick), commit="{job}: {task}")

    log = subprocess.check_output(  # noqa: ASYNC221
        ["git", "log", "--format=%s", "--name-only"], cwd=here, text=True
    )
    assert [line for line in log.splitlines() if line.startswith("demo")] == [
        "demo: two",
        "demo: one",
    ]
    assert "state" not in log
    assert all(record.commit for record in bench.ledger.records if isinstance(record, Passed))


async def test_a_commit_that_git_refuses_halts_with_its_words(bench):
    bench.plan("one")

    with pytest.raises(BuildError, match="git add: failed"):
        await bench.build(ScriptedDriver(tick), commit="{task}")


def test_a_list_without_tasks_is_an_error(tmp_path):
    (tmp_path / "tasks.md").write_text("# nothing yet\n")

    with pytest.raises(BuildError, match="lists no task"):
        check_tasks(tmp_path / "tasks.md")
