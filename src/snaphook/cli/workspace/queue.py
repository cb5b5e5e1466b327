"""``snaphook queue``: what there is to do, and who does it."""

import sys
import time
from pathlib import Path

import click
from rich.console import Group
from rich.live import Live
from rich.text import Text

from snaphook.cli.console import new_console
from snaphook.cli.output import say, say_json, say_lines
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.errors import ClaimError
from snaphook.stores.workspace import (
    Claim,
    EventEntry,
    Task,
    TaskStatus,
    Workspace,
    new_run_id,
    start_run,
)
from snaphook.stores.workspace.claims import entry_for
from snaphook.stores.workspace.task import PRIORITIES, count

from .place import FOLDER, JSON, echo_json, opened, tasks_table, whole

AGENT = click.option(
    "--agent", required=True, envvar="BB5_AGENT_NAME", help="Who: executor-1, say."
)
TOKEN = click.option(
    "--token", type=int, help="The claim number. Default: the agent's latest claim."
)
NOTHING = "The queue is empty. Add a task: snaphook queue add TASK-001 --title 'What it is about'"
LATEST, FOLLOWED = 8, 200


@click.group("queue")
def command() -> None:
    """List, add, claim, complete, block and release tasks in the shared queue.

    A claim is a lease: an agent that stops sending heartbeats loses its task to the next one, and
    its later writes are rejected.
    """


@command.command("list")
@click.option("--status", type=click.Choice(list(TaskStatus)), help="Only those.")
@FOLDER
@JSON
def list_(status: str | None, folder: Path | None, as_json: bool) -> int:
    """List the tasks, in the order of the queue."""
    tasks = opened(folder).tasks(TaskStatus(status) if status else None)
    if as_json:
        echo_json([whole(task) for task in tasks])
    elif tasks:
        console = new_console()
        console.print(tasks_table(tasks, time.time()))
        console.print(_summary(tasks), style="dim")
    else:
        say_lines(f"No task is {status}." if status else NOTHING)
    return 0


@command.command()
@click.argument("task_id", metavar="ID")
@click.option("--title", default="", help="Title of the task.")
@click.option(
    "--priority",
    type=click.Choice(PRIORITIES, case_sensitive=False),
    default="MEDIUM",
    show_default=True,
)
@click.option("--type", "kind", default="", help="architecture, process, documentation, …")
@click.option("--goal", default="", help="Goal of the task.")
@click.option(
    "--blocked-by", multiple=True, metavar="ID", help="Tasks that must be completed first."
)
@FOLDER
@JSON
def add(
    task_id: str,
    title: str,
    priority: str,
    kind: str,
    goal: str,
    blocked_by: tuple[str, ...],
    folder: Path | None,
    as_json: bool,
) -> int:
    """Add a task to the end of the queue."""
    task = Task(
        id=task_id,
        title=title,
        priority=priority.upper(),
        type=kind,
        goal=goal,
        blocked_by=blocked_by,
    )
    opened(folder).add(task)
    echo_json(whole(task)) if as_json else say(f"Added {task.id}.")
    return 0


@command.command()
@click.argument("task_id", metavar="[ID]", default="")
@AGENT
@click.option("--run", "with_run", is_flag=True, help="Also create the run folder.")
@click.option("--several", is_flag=True, help="Claim even if the agent already holds a task.")
@FOLDER
@JSON
def claim(
    task_id: str, agent: str, with_run: bool, several: bool, folder: Path | None, as_json: bool
) -> int:
    """Claim the task ID, or the most urgent available task.

    Prints the id, the claim number and the run. Exits with 1 if no task is available.
    """
    place = opened(folder)
    run_id = new_run_id(time.time()) if with_run else ""
    taken = place.claim(agent, task_id, run_id=run_id, several=several)
    if taken is None:
        echo_json(None) if as_json else say("No task is available.", err=True)
        return EXIT_PROBLEM
    where = ""
    if with_run:
        kind = agent.partition("-")[0]
        run = start_run(
            place.layout,
            run_id=taken.run_id,
            agent_type=kind,
            now=time.time(),
            task_id=taken.task_id,
        )
        where = str(run.folder)
    if as_json:
        echo_json({**whole(taken), "run_folder": where or None})
    else:
        say_lines("\t".join(filter(None, (taken.task_id, str(taken.token), where))))
    return 0


@command.command()
@click.argument("task_id", metavar="ID")
@AGENT
@TOKEN
@FOLDER
def complete(task_id: str, agent: str, token: int | None, folder: Path | None) -> int:
    """Complete a task, and move its folder from active to completed."""
    place = opened(folder)
    held = _held(place, task_id, agent, token)
    with place.transaction(
        f"complete {task_id}", once=f"complete:{task_id}:{held.token}:{agent}"
    ) as change:
        again = change.done_before
        change.complete(held)
        change.move_task(held.task_id)
        change.log(entry_for(held, "completed"))
    say(f"{held.task_id} is already completed." if again else f"{held.task_id} is completed.")
    return 0


@command.command()
@click.argument("task_id", metavar="ID")
@click.option("--reason", required=True, help="Why the task is blocked.")
@AGENT
@TOKEN
@FOLDER
def block(task_id: str, reason: str, agent: str, token: int | None, folder: Path | None) -> int:
    """Mark a task as blocked."""
    place = opened(folder)
    held = _held(place, task_id, agent, token)
    place.block(held, reason)
    say(f"{held.task_id} is blocked: {reason}")
    return 0


@command.command()
@click.argument("task_id", metavar="ID")
@click.option("--agent", default="", help="The agent that releases it. Default: any.")
@TOKEN
@FOLDER
def release(task_id: str, agent: str, token: int | None, folder: Path | None) -> int:
    """Release a task, so that another agent can claim it."""
    place = opened(folder)
    if agent:
        place.release(_held(place, task_id, agent, token))
    else:
        task_id = place.reopen(task_id).id
    say(f"{task_id} is free.")
    return 0


@command.command()
@click.option(
    "--for", "seconds", type=float, default=float("inf"), help="Stop after this many seconds."
)
@FOLDER
@JSON
def watch(seconds: float, folder: Path | None, as_json: bool) -> int:
    """Show the queue live; Ctrl-C stops.

    In a terminal the view is updated in place; in a pipe, each event is a line.
    """
    place = opened(folder)
    until = time.monotonic() + seconds
    if as_json or not sys.stdout.isatty():
        _follow(place, until, as_json=as_json)
        return 0
    with Live(_picture(place), console=new_console(), auto_refresh=False) as live:
        while time.monotonic() < until:
            place.wait(min(1.0, until - time.monotonic()))
            live.update(_picture(place), refresh=True)
    return 0


def _follow(place: Workspace, until: float, *, as_json: bool) -> None:
    """Print each new event as a line."""
    seen = place.entries(FOLLOWED)
    while time.monotonic() < until:
        place.wait(min(1.0, max(0.01, until - time.monotonic())))
        entries = place.entries(FOLLOWED)
        for entry in _after(seen, entries):
            line = f"{entry.timestamp}  {entry.type:<10} {entry.task_id:<16} {entry.agent}  {entry.notes}"
            say_json(entry) if as_json else say(line.rstrip())
        seen = entries


def _after(seen: list[EventEntry], entries: list[EventEntry]) -> list[EventEntry]:
    """Return what *entries* add to those *seen*: they share an end and a beginning."""
    for shared in range(min(len(seen), len(entries)), 0, -1):
        if seen[-shared:] == entries[:shared]:
            return entries[shared:]
    return entries


def _picture(place: Workspace) -> Group:
    tasks = place.tasks()
    open_ = [task for task in tasks if task.status in {TaskStatus.IN_PROGRESS, TaskStatus.PENDING}]
    shown = sorted(open_, key=lambda task: (task.status is TaskStatus.PENDING, task.urgency))[:20]
    log = [
        f"{e.timestamp[11:19]}  {e.type:<10} {e.task_id}  {e.agent}" for e in place.entries(LATEST)
    ]
    return Group(
        Text(_summary(tasks), style="bold"),
        tasks_table(shown, time.time()),
        Text("\n".join(["", *log]), style="dim"),
    )


def _summary(tasks: list[Task]) -> str:
    counted = count(tasks)
    said = [
        f"{getattr(counted, name)} {name.replace('_', ' ')}" for name in counted.__struct_fields__
    ]
    return ", ".join(part for part in said if not part.startswith("0 ")) or "no tasks"


def _held(place: Workspace, task_id: str, agent: str, token: int | None) -> Claim:
    """Return the claim that the command line speaks for."""
    task = place.task(task_id)
    if task is None:
        raise ClaimError(where=task_id, what="is not in the queue", fix="See: snaphook queue list")
    number = token if token is not None else task.token
    return Claim(task_id=task_id, agent=agent, token=number, until=0.0, run_id=task.run_id)
