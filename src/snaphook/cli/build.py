"""``snaphook build``: have a job built, task by task."""

from typing import Any

import click

from snaphook.builder.build import check_tasks

from .builder_output import dry_run, watching
from .building import BUILDER, BUILDING, JOB, SHARED, carry_out, options, prepare


@click.command()
@options(JOB, BUILDER, *BUILDING, *SHARED)
def command(job_name: str, output: str, **given: Any) -> int:
    """Build the job's pending tasks, or go on where a run ended.

    A fresh session per task; every gate of .sauna/hooks.json must pass before the next one starts,
    and what fails goes back into the same session. Exit status 1 if it halts.

    \b
    snaphook build --job parser --builder codex --max-retries 2
    """
    with watching(output, command="build") as watcher:
        works = prepare(job_name, given, watcher)
        check_tasks(works.job.tasks)
        if given["dry_run"]:
            return dry_run(works, plans=False, builds=True)
        return carry_out(works, works.build)
