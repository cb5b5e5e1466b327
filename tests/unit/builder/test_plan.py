"""The planner: so many fresh sessions, and never a gate."""

import pytest

from snaphook.builder.journal import BuildJournal
from snaphook.builder.plan import plan
from snaphook.errors import DriverError, UsageError
from snaphook.providers.gates import FILE

from .conftest import ScriptedDriver, nothing


async def planned(bench, driver, iterations=1):
    with BuildJournal(bench.job) as journal:
        await plan(bench.job, driver, journal, iterations=iterations, watcher=bench.ledger)


@pytest.mark.parametrize("iterations", [1, 3])
async def test_each_iteration_is_a_fresh_session_that_begins_planning(bench, iterations):
    driver = ScriptedDriver(nothing)

    await planned(bench, driver, iterations)

    assert driver.sessions == [f"s{number}" for number in range(1, iterations + 1)]
    assert driver.first_lines == ["Begin planning."] * iterations
    assert driver.closed == driver.sessions


@pytest.mark.req("SA-13")
async def test_gates_never_run_for_the_planner(bench):
    (bench.job.codebase / FILE).write_text('["touch gate-ran; exit 1"]')

    await planned(bench, ScriptedDriver(nothing), 2)

    assert not (bench.job.codebase / "gate-ran").exists()
    assert bench.ledger.kinds() == [
        "PlanStarted",
        *["PlanIteration", "Planned"] * 2,
        "PlanEnded",
    ]


@pytest.mark.parametrize("iterations", [0, -1])
async def test_fewer_than_one_iteration_is_an_error(bench, iterations):
    with pytest.raises(UsageError, match="iterations must be at least 1"):
        await planned(bench, ScriptedDriver(nothing), iterations)


async def test_a_planner_that_fails_ends_the_planning(bench):
    def fail(codebase, message):
        raise DriverError(where="scripted", what="overloaded", fix="Wait.")

    driver = ScriptedDriver(fail)

    with pytest.raises(DriverError):
        await planned(bench, driver, 3)

    assert (driver.sessions, driver.closed) == (["s1"], ["s1"])
