"""``snaphook build``: have a job built, task by task."""

from typing import Any

import click

from snaphook.builder.build import check_tasks
from snaphook.errors import UsageError

from .output import dry_run, watching
from .works import BUILDER, BUILDING, SHARED, carry_out, options, prepare


@click.command()
@click.option("--job", "job_name", metavar="NAME", help="Under .sauna/jobs.")
@click.option(
    "--jobs",
    metavar="A,B | N",
    help="Build these jobs, or all with open tasks N at a time, each in a git worktree.",
)
@options(BUILDER, *BUILDING, *SHARED)
def command(job_name: str | None, jobs: str | None, output: str, **given: Any) -> int:
    """Build the job's pending tasks, or resume an interrupted run.

    Each task gets a new agent session. All gates in .sauna/hooks.json must pass before the next
    task starts; failures are sent back to the same session. Exits with 1 if the build halts.

    \b
    snaphook build --job parser --builder codex --max-retries 2
    snaphook build --jobs parser,printer --builder claude
    """
    if (job_name is None) is (jobs is None):
        raise UsageError(
            where="snaphook build", what="takes either --job or --jobs", fix="Give one of them."
        )
    if jobs is not None:
        from .side_by_side import build_side_by_side

        return build_side_by_side(jobs, output, given)
    assert job_name is not None
    with watching(output, command="build") as watcher:
        works = prepare(job_name, given, watcher)
        check_tasks(works.job.tasks)
        if given["dry_run"]:
            return dry_run(works, plans=False, builds=True)
        return carry_out(works, works.build)
