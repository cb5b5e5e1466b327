"""``snaphook runs``: what agents wrote down, run by run."""

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from snaphook.cli.console import cell, new_console
from snaphook.cli.here import short
from snaphook.cli.output import say, say_lines
from snaphook.errors import UsageError
from snaphook.stores.workspace import RunFolder, all_runs, find_run
from snaphook.stores.workspace.runs import OPTIONAL, REQUIRED

from .place import FOLDER, JSON, echo_json, opened

NOTHING = "No runs yet. 'snaphook queue claim --agent executor-1 --run' starts one."


@click.group("runs", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> int:
    """List the runs, and read one."""
    return 0 if ctx.invoked_subcommand else int(ctx.invoke(list_))


@command.command("list")
@click.option("--type", "kind", default="", help="Only runs of this type of agent.")
@click.option(
    "--limit", default=20, show_default=True, help="Maximum number per type; 0 shows all."
)
@FOLDER
@JSON
def list_(kind: str, limit: int, folder: Path | None, as_json: bool) -> int:
    """List the runs, latest first, with their written and missing documents."""
    found = _limited(all_runs(opened(folder).layout, kind), limit)
    if as_json:
        echo_json([_row(run) for run in found])
    elif found:
        table = Table("Run", "Agent", "State", "Written", "Missing", box=None, pad_edge=False)
        table.header_style = "bold"
        for run in found:
            written, missing = ", ".join(run.written), ", ".join(run.missing)
            table.add_row(
                cell(run.id), cell(run.agent_type), run.state, written, f"[yellow]{missing}[/]"
            )
        new_console().print(table)
    else:
        say_lines(NOTHING)
    return 0


@command.command()
@click.argument("run_id", metavar="RUN")
@FOLDER
@JSON
def show(run_id: str, folder: Path | None, as_json: bool) -> int:
    """Print the documents of RUN."""
    run = find_run(opened(folder).layout, run_id)
    if run is None:
        raise UsageError(where=run_id, what="unknown run", fix="See: snaphook runs list")
    texts = {
        name: (run.folder / name).read_text(encoding="utf-8", errors="replace")
        for name in (*REQUIRED, *OPTIONAL)
        if (run.folder / name).exists()
    }
    if as_json:
        echo_json({**_row(run), "documents": texts})
        return 0
    say(short(str(run.folder)))
    for name in run.written:
        say()
        say(f"── {name}", style="cyan")
        say_lines(texts[name].strip())
    if run.missing:
        say()
        say(f"Not written: {', '.join(run.missing)}", style="yellow")
    return 0


def _limited(runs: Any, limit: int) -> list[RunFolder]:
    taken: dict[str, int] = {}
    found = []
    for run in runs:
        taken[run.agent_type] = taken.get(run.agent_type, 0) + 1
        if not limit or taken[run.agent_type] <= limit:
            found.append(run)
    return found


def _row(run: RunFolder) -> dict[str, Any]:
    return {
        "id": run.id,
        "agent_type": run.agent_type,
        "state": run.state,
        "folder": str(run.folder),
        "written": run.written,
        "missing": run.missing,
    }
