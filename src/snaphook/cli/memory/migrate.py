"""``snaphook memory migrate``: move memories to another store.

the store of the settings  ->  postgresql://…, bolt://…, a file
"""

import sys
from contextlib import closing

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from snaphook.cli.console import new_console
from snaphook.cli.output import say
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.errors import UsageError
from snaphook.stores.memory.address import without_password
from snaphook.stores.memory.migrate import Moved, move
from snaphook.stores.memory.open import open_store
from snaphook.stores.memory.store import MemoryStore

from .here import opened

SHOWN = 10
"""So many ids that did not arrive are named."""


@click.command()
@click.option(
    "--to", "target", required=True, help="postgresql://…, bolt://…, neo4j://…, or a file."
)
@click.option(
    "--from", "source", default="", help="Copy from this store. Default: the configured store."
)
@click.option("--dry-run", is_flag=True, help="Only count what would be copied.")
def migrate(target: str, source: str, dry_run: bool) -> int:
    """Copy every project's memories to another store, and verify each copy.

    It can be interrupted and run again. Deleted memories stay deleted. The old store is not
    changed.
    """
    with opened() as here:
        folder = here.around.data_dir
        if (target or "sqlite") == (source or here.settings.store or "sqlite"):
            raise UsageError(
                where="snaphook memory migrate",
                what="source and target are the same store",
                fix="Name another store with --to.",
            )
        with closing(open_store(target, data_dir=folder)) as there:
            if not source:
                done = _moved(here.store, there, dry_run=dry_run)
            else:
                with closing(open_store(source, data_dir=folder)) as given:
                    done = _moved(given, there, dry_run=dry_run)
    return _report(done, target, dry_run=dry_run)


def _moved(source: MemoryStore, target: MemoryStore, *, dry_run: bool) -> Moved:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = new_console(file=sys.stderr)
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task("memories", total=source.stats().memories)
        return move(source, target, dry_run=dry_run, tell=lambda more: progress.advance(task, more))


def _report(done: Moved, target: str, *, dry_run: bool) -> int:
    would = "would be " if dry_run else ""
    many = "memory" if done.memories == 1 else "memories"
    say(
        f"{done.memories} {many}: {done.added} {would}added, {done.merged} {would}merged, "
        f"{done.there} there already, {done.kept_out} forgotten there."
    )
    if done.forgotten:
        say(f"{done.forgotten} forgotten ones {would or 'are '}kept out.")
    if done.missing:
        say(f"{len(done.missing)} did not arrive whole:", style="red", err=True)
        for key in done.missing[:SHOWN]:
            say(f"  {key}", err=True)
        say("Run it again; memories already copied are skipped.", err=True)
        return EXIT_PROBLEM
    if not dry_run:
        say(f"All of them were compared with what {without_password(target)} has.")
        say(f'To use it: store = "{without_password(target)}" under [memory] in snaphook.toml.')
    return 0
