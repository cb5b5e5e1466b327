"""What the commands about a workspace share: which one it is, and how its parts are shown.

settings + folder  ->  Workspace
"""

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from snaphook.cli.console import cell
from snaphook.cli.here import here
from snaphook.cli.output import say_json
from snaphook.stores.workspace import Task, TaskStatus, Workspace, WorkspaceSettings, open_workspace
from snaphook.stores.workspace.moments import instant
from snaphook.wiring.assembly import section

COLOURS = {
    TaskStatus.PENDING: "white",
    TaskStatus.IN_PROGRESS: "cyan",
    TaskStatus.COMPLETED: "green",
    TaskStatus.BLOCKED: "red",
    TaskStatus.CANCELLED: "dim",
}
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
FOLDER = click.option(
    "--workspace",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The project directory. Default: the nearest workspace above the current directory.",
)


def workspace_settings(folder: Path | None) -> WorkspaceSettings:
    """Return what ``[workspace]`` says; *folder* on the command line goes before its path."""
    settings, _ = here(folder)
    said = section(settings, "workspace", WorkspaceSettings)
    return msgspec.structs.replace(said, path=str(folder.absolute())) if folder else said


def opened(folder: Path | None = None) -> Workspace:
    """Return the workspace in force here."""
    return open_workspace(Path.cwd(), workspace_settings(folder))


def echo_json(value: Any) -> None:
    """Print *value*, with all its fields, for a program."""
    say_json(value, indent=2)


def whole(value: Any) -> dict[str, Any]:
    """Return a Struct with every field, those that say nothing included."""
    return {name: getattr(value, name) for name in value.__struct_fields__}


def tasks_table(tasks: list[Task], now: float) -> Table:
    """Return *tasks* as people read them."""
    table = Table("Task", "Status", "Priority", "Title", "Held by", box=None, pad_edge=False)
    table.header_style = "bold"
    for task in tasks:
        colour = COLOURS[task.status]
        table.add_row(
            cell(task.id),
            f"[{colour}]{task.status}[/]",
            cell(task.priority.lower()),
            cell(task.title or task.reason),
            cell(_holder(task, now)),
        )
    return table


def _holder(task: Task, now: float) -> str:
    if task.status is TaskStatus.COMPLETED:
        return task.completed_by
    if task.blocked_by and not task.claimed_by:
        return (
            f"waits for {', '.join(task.blocked_by)}" if task.status is TaskStatus.PENDING else ""
        )
    since = instant(task.claimed_at)
    return (
        f"{task.claimed_by} ({ago(now - since)})" if task.claimed_by and since else task.claimed_by
    )


def ago(seconds: float) -> str:
    """Return how long *seconds* are, in the largest unit that fits."""
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(0, seconds):.0f} s"
