"""Plan a job: ask the planner so many times, each time in a fresh session.

BuildJob, Driver  ->  tasks.md

No gate ever runs here: a plan is no work that could pass or fail.
"""

from time import monotonic

from snaphook.errors import UsageError

from .driver import Driver
from .job import BuildJob
from .journal import BuildJournal
from .messages import begin_planning
from .records import PlanEnded, PlanIteration, Planned, PlanStarted, Record
from .watch import BuildWatcher


async def plan(
    job: BuildJob,
    driver: Driver,
    journal: BuildJournal,
    *,
    iterations: int = 1,
    watcher: BuildWatcher,
) -> None:
    """Let *driver* plan *job*; an agent that fails raises ``DriverError`` and ends it."""
    check_iterations(iterations)

    def note(record: Record) -> None:
        watcher.on_record(journal.append(record))

    note(PlanStarted(job=job.name, iterations=iterations, driver=driver.name))
    for iteration in range(1, iterations + 1):
        note(PlanIteration(iteration=iteration, of=iterations))
        began = monotonic()
        talk = driver.talk(job.codebase)
        try:
            turn = await talk.send(begin_planning(job), watcher.on_text)
        finally:
            await talk.close()
        note(
            Planned(
                iteration=iteration,
                session=talk.id,
                duration=monotonic() - began,
                cost_micros=turn.cost_micros,
                tokens=turn.tokens,
            )
        )
    note(PlanEnded())


def check_iterations(iterations: int) -> None:
    """Raise unless the planner is asked at least once."""
    if iterations < 1:
        raise UsageError(
            where="--iterations", what="iterations must be at least 1", fix=f"{iterations} is not."
        )
