"""``snaphook run``: plan a job, then build it."""

from typing import Any

import click

from snaphook.builder.build import check_tasks
from snaphook.builder.journal import BuildJournal

from .output import dry_run, watching
from .works import BUILDER, BUILDING, JOB, PLANNING, SHARED, carry_out, options, prepare


@click.command()
@options(JOB, *PLANNING, BUILDER, *BUILDING, *SHARED)
def command(job_name: str, output: str, **given: Any) -> int:
    """Plan the job, then build it: 'snaphook plan' and 'snaphook build' in one.

    \b
    snaphook run --job parser --planner claude --builder codex
    """
    with watching(output, command="run") as watcher:
        works = prepare(job_name, given, watcher)
        if given["dry_run"]:
            return dry_run(works, plans=True, builds=True)

        async def build(journal: BuildJournal) -> None:
            check_tasks(works.job.tasks)
            await works.build(journal)

        return carry_out(works, works.plan, build)
