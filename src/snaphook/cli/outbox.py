"""``snaphook outbox``: the work that goes on behind the agents' backs.

the outbox  ->  a line for each job        run  ->  what is due, done now
"""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import click

from snaphook.errors import UsageError
from snaphook.stores.outbox.job import Job, JobState
from snaphook.stores.outbox.outbox import Outbox

from .here import environment
from .output import say, say_json, say_lines

COLOURS = {JobState.WAITING: "yellow", JobState.DONE: "green", JobState.DEAD: "red"}
EMPTY = (
    "No background jobs.\n"
    "Notifications and the work after the end of a session run here in the background."
)


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List background jobs, and run the ones that are due."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(listing)


@command.command("list")
@click.option(
    "--state",
    type=click.Choice([state.value for state in JobState]),
    help="Only jobs in this state.",
)
@click.option("--kind", default="", help="Only jobs of this type.")
@click.option("--limit", default=50, show_default=True, help="Maximum number to show; 0 shows all.")
@click.option("--json", "as_json", is_flag=True, help="Print each job as a line of JSON.")
def listing(
    state: str | None = None, kind: str = "", limit: int = 50, as_json: bool = False
) -> None:
    """List jobs: waiting, done and failed."""
    wanted = (JobState(state),) if state else ()
    show_all(open_outbox().jobs(*wanted, kind=kind, limit=limit), empty=EMPTY, as_json=as_json)


@command.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(job: str, as_json: bool) -> None:
    """Show one job in full; JOB is its id or a prefix of it."""
    show_one(the_job(open_outbox(), job), as_json=as_json)


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(as_json: bool) -> int:
    """Run the jobs that are due now, and show the results."""
    from snaphook.stores.outbox.work import drain
    from snaphook.wiring.job_handlers import handler

    outbox = open_outbox()
    tried = drain(outbox, handler, environment())
    counts = outbox.counts()
    if as_json:
        say_json({"tried": tried} | counts)
    else:
        say(f"{tried} tried. {counts[JobState.WAITING]} waiting, {counts[JobState.DEAD]} failed.")
    return 0


@command.command(hidden=True)
def work() -> None:
    """Run all waiting jobs, then exit: the background process that a hook starts."""
    from snaphook.stores.outbox.workers import work_alone
    from snaphook.wiring.job_handlers import handler

    work_alone(handler, environment())


def open_outbox() -> Outbox:
    """Return the outbox, recovered where it was damaged; say so, and where the damaged file is kept."""
    outbox = Outbox(environment().data_dir, patience=5.0)
    if done := outbox.recover():
        say(str(done), err=True)
    for aside in sorted(outbox.path.parent.glob(f"{outbox.path.name}.damaged-*[0-9]")):
        if done is None or aside != done.aside:
            say(
                f"{aside}: a damaged outbox is kept here. Delete it when you no longer need it.",
                err=True,
            )
    return outbox


def the_job(outbox: Outbox, start: str, *states: JobState) -> Job:
    """Return the one job that *start* names, in any of *states*."""
    found = [job for job in outbox.find(start) if not states or job.state in states]
    match found:
        case [job]:
            return job
        case []:
            raise UsageError(
                where=start, what="no such job", fix="'snaphook outbox list' shows what there is."
            )
        case _:
            raise UsageError(
                where=start,
                what=f"{len(found)} jobs have ids that start with this",
                fix="Give a longer prefix.",
            )


def show_all(jobs: Sequence[Job], *, empty: str, as_json: bool) -> None:
    """Print *jobs*, one to a line."""
    if not jobs and not as_json:
        say_lines(empty)
    for job in jobs:
        if as_json:
            say_json(as_dict(job))
        else:
            say(_line(job), style=COLOURS[job.state])


def show_one(job: Job, *, as_json: bool) -> None:
    """Print *job* with everything in it."""
    fields = as_dict(job)
    if as_json:
        say_json(fields)
        return
    payload = fields.pop("payload")
    for name, value in fields.items():
        say(f"{name:<9} {value}")
    say_json(payload, indent=2)


def as_dict(job: Job) -> dict[str, Any]:
    """Return *job* for people and programs: times that can be read, nothing of the lease."""
    return {
        "id": job.id,
        "kind": job.kind,
        "state": job.state,
        "key": job.key,
        "cwd": job.cwd,
        "made": _moment(job.made),
        "due": _moment(job.due),
        "ended": _moment(job.ended),
        "attempts": job.attempts,
        "error": job.error,
        "payload": job.payload,
    }


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds") if at else ""


def _line(job: Job) -> str:
    when = datetime.fromtimestamp(job.made).astimezone().strftime("%m-%d %H:%M:%S")
    more = " ".join(job.error.split())[:80]
    if job.state is JobState.WAITING and job.due > time.time():
        more = f"in {job.due - time.time():.0f} s  {more}"
    return f"{job.id}  {when}  {job.kind:<10} {job.state:<8} {job.attempts}×  {more}".rstrip()
