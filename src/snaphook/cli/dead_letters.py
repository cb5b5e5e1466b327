"""``snaphook dead-letters``: work that failed too often, and what to do with it.

dead  ->  waiting again, or forgotten
"""

import click

from snaphook.errors import UsageError
from snaphook.stores.outbox.job import Job, JobState
from snaphook.stores.outbox.outbox import Outbox

from .here import environment
from .outbox import open_outbox, show_all, show_one, the_job
from .output import say_lines

EMPTY = "No failed jobs."
NAMES_NOTHING = "Give a job id, or use --all."


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List failed background jobs; retry or discard them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listing)


@command.command("list")
@click.option("--kind", default="", help="Only jobs of this type.")
@click.option("--limit", default=50, show_default=True, help="Maximum number to show; 0 shows all.")
@click.option("--json", "as_json", is_flag=True, help="Print each as a line of JSON.")
def listing(kind: str = "", limit: int = 50, as_json: bool = False) -> None:
    """List failed jobs, newest first."""
    dead = open_outbox().jobs(JobState.DEAD, kind=kind, limit=limit)
    show_all(dead, empty=EMPTY, as_json=as_json)


@command.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(job: str, as_json: bool) -> None:
    """Show one failed job in full; JOB is its id or a prefix of it."""
    outbox = open_outbox()
    show_one(the_job(outbox, job, JobState.DEAD), as_json=as_json)


@command.command()
@click.argument("jobs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All of them.")
@click.option("--kind", default="", help="With --all: only jobs of this type.")
def retry(jobs: tuple[str, ...], everything: bool, kind: str) -> None:
    """Retry failed jobs, starting over with the first attempt."""
    outbox = Outbox.of(environment(), patience=5.0)
    moved = [job for job in _meant(outbox, jobs, kind, everything=everything) if outbox.retry(job)]
    say_lines(f"{len(moved)} wait again." if moved else EMPTY)


@command.command()
@click.argument("jobs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All of them.")
@click.option("--kind", default="", help="With --all: only jobs of this type.")
def drop(jobs: tuple[str, ...], everything: bool, kind: str) -> None:
    """Delete failed jobs permanently."""
    outbox = open_outbox()
    gone = [job for job in _meant(outbox, jobs, kind, everything=everything) if outbox.drop(job)]
    say_lines(f"{len(gone)} dropped." if gone else EMPTY)


def _meant(outbox: Outbox, jobs: tuple[str, ...], kind: str, *, everything: bool) -> list[Job]:
    if everything == bool(jobs):
        raise UsageError(
            where="snaphook dead-letters",
            what="expects job ids or --all, not both",
            fix=NAMES_NOTHING,
        )
    if everything:
        return outbox.jobs(JobState.DEAD, kind=kind)
    return [the_job(outbox, job, JobState.DEAD) for job in jobs]
