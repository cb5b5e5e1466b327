"""``snaphook jobs``: the jobs of a project, and how far they are."""

from pathlib import Path
from typing import Any

import click

from snaphook.builder.job import JOBS, BuildJob, find_jobs
from snaphook.builder.journal import FILE, read_journal, unfinished
from snaphook.builder.tasks import Tasks, read_tasks
from snaphook.cli.output import say, say_json


@click.command()
@click.option("--codebase", type=click.Path(exists=True, file_okay=False), help="Default: here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(codebase: str | None, as_json: bool) -> None:
    """List this project's jobs: completed tasks, total tasks, and unfinished runs."""
    rows = [_row(job) for job in find_jobs(Path(codebase or Path.cwd()).absolute())]
    if as_json:
        say_json(rows, indent=2)
        return
    if not rows:
        say(f"No jobs here. A job is a folder {JOBS}/NAME with specifications in it.")
    width = max((len(row["job"]) for row in rows), default=0)
    for row in rows:
        planned = f"{row['done']} of {row['tasks']} tasks done" if row["tasks"] else "not planned"
        left = f"; unfinished: {row['unfinished']}" if row["unfinished"] else ""
        say(f"{row['job']:<{width}}  {planned}{left}")


def _row(job: BuildJob) -> dict[str, Any]:
    tasks = read_tasks(job.tasks) if job.tasks.exists() else Tasks()
    left = unfinished(read_journal(job.state / FILE))
    return {
        "job": job.name,
        "done": len(tasks.done),
        "tasks": tasks.total,
        "unfinished": left.task if left else None,
    }
