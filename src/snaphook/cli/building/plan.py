"""``snaphook plan``: have a job's tasks written."""

from typing import Any

import click

from .output import dry_run, watching
from .works import BUILDER, JOB, PLANNING, SHARED, carry_out, options, prepare


@click.command()
@options(JOB, *PLANNING, BUILDER, *SHARED)
def command(job_name: str, output: str, **given: Any) -> int:
    """Let the planner write the job's tasks.md, in a new session per iteration. Runs no gates.

    \b
    snaphook plan --job parser --planner claude
    """
    with watching(output, command="plan") as watcher:
        works = prepare(job_name, given, watcher, builds=False)
        if given["dry_run"]:
            return dry_run(works, plans=True, builds=False)
        return carry_out(works, works.plan)
