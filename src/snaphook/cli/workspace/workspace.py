"""``snaphook workspace``: where agents share their work."""

import time
from pathlib import Path

import click

from snaphook.cli.console import cell, new_console
from snaphook.cli.here import short
from snaphook.cli.output import say
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.errors import UsageError
from snaphook.stores.workspace import FileWorkspace, layout_at, make_workspace
from snaphook.stores.workspace import doctor as doctors

from .place import FOLDER, JSON, ago, echo_json, opened, whole, workspace_settings

MARKS = {"error": "[red]✗[/]", "warning": "[yellow]![/]", "note": "[dim]·[/]"}


@click.group("workspace")
def command() -> None:
    """Create, inspect, repair and sync a shared workspace."""


@command.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
def init(folder: Path) -> int:
    """Create a workspace in FOLDER; existing files are not changed."""
    folder.mkdir(parents=True, exist_ok=True)
    made = make_workspace(folder)
    for path in made:
        say(f"made {short(str(path))}")
    if not made:
        say("The workspace is complete already.")
    say("Add a task: snaphook queue add TASK-001 --title 'What it is about'")
    return 0


@command.command()
@FOLDER
@JSON
def status(folder: Path | None, as_json: bool) -> int:
    """Show progress, active agents and the latest events."""
    place = opened(folder)
    seen = place.snapshot()
    if not seen.fresh:
        place.refresh()
        seen = place.snapshot()
    if as_json:
        echo_json({"root": str(place.layout.root), **whole(seen)})
        return 0
    console = new_console()
    console.print(f"[bold]{cell(str(place.layout.root))}[/]")
    counts = whole(seen.counts)
    console.print("  ".join(f"{name.replace('_', ' ')} {n}" for name, n in counts.items()))
    for name, beat in seen.heartbeats.items():
        age = beat.age(time.time())
        told = "never seen" if age is None else f"seen {ago(age)} ago"
        console.print(f"  {cell(name)}: {told}  [dim]{cell(beat.status)}[/]")
    for entry in seen.entries:
        told = f"{entry.timestamp}  {entry.type:<10} {entry.task_id} {entry.agent}"
        console.print(cell(told.rstrip()), style="dim")
    for problem in seen.problems:
        console.print(f"{MARKS['error']} {cell(problem)}")
    return EXIT_PROBLEM if seen.problems else 0


@command.command()
@click.option("--fix", is_flag=True, help="Fix problems that need no decision.")
@click.option("--restore", metavar="FILE", help="Restore FILE from its latest readable backup.")
@click.option("--quick", is_flag=True, help="Only the checks that run at the start of a session.")
@FOLDER
@JSON
def doctor(fix: bool, restore: str | None, quick: bool, folder: Path | None, as_json: bool) -> int:
    """Find problems: broken files, duplicate ids, dependency cycles, stuck tasks, stale locks."""
    place = opened(folder)
    done: list[str] = []
    if isinstance(place, FileWorkspace):
        if restore:
            done.append(_restored(place, restore))
        if fix:
            done += doctors.mend(place)
    found = doctors.look(place, quick=quick)
    if as_json:
        echo_json({"done": done, "found": [whole(finding) for finding in found]})
    else:
        _show(done, found)
    return EXIT_PROBLEM if any(finding.level != "note" for finding in found) else 0


@command.command()
@click.option("--store", default="", help="The database. Default: workspace.store in the settings.")
@FOLDER
@JSON
def sync(store: str, folder: Path | None, as_json: bool) -> int:
    """Sync the files and the database in both directions.

    Changes on one side are copied to the other. If both sides changed a task, the later claim wins,
    then the more advanced status, then the database; each conflict is reported. Nothing is deleted.
    """
    from snaphook.stores.workspace.sync import Side, synchronise

    settings = workspace_settings(folder)
    url = store or settings.store
    if not url:
        raise UsageError(
            where="snaphook workspace sync",
            what="no database configured",
            fix="Set workspace.store in snaphook.toml, or use --store postgresql://…",
        )
    report = synchronise(folder or Path.cwd(), settings, url)
    if as_json:
        echo_json(report)
        return 0
    say(f"{report.to_database} to the database, {report.to_files} to the files.")
    for conflict in report.conflicts:
        kept = "the database's" if conflict.kept is Side.DATABASE else "the file's"
        say(f"{conflict.task_id}: changed on both sides; kept {kept} version.", style="yellow")
    return 0


def _restored(place: FileWorkspace, name: str) -> str:
    layout = layout_at(place.layout.root)
    files = {
        path.name: path for path in (layout.queue, layout.heartbeat, layout.agents, layout.skills)
    }
    if name not in files:
        known = ", ".join(files)
        raise UsageError(where=name, what="has no backups", fix=f"One of these has: {known}.")
    version = doctors.restore(place, files[name])
    return f"{name}: restored from {version.name}; the broken one is beside it"


def _show(done: list[str], found: list[doctors.WorkspaceFinding]) -> None:
    console = new_console(soft_wrap=True)
    for deed in done:
        console.print(f"[green]✓[/] {cell(deed)}")
    for finding in found:
        console.print(f"{MARKS[finding.level]} {cell(str(finding))}")
    if not found:
        console.print("[green]✓[/] No problems found.")
    elif any(finding.mends_itself for finding in found):
        console.print("'snaphook workspace doctor --fix' fixes some of them.", style="dim")
