"""``snaphook uninstall``: leave the agents' settings as they were.

settings with us in them  ->  the bytes from before, or the file without our entries
"""

import click

from snaphook.config.environment import Environment
from snaphook.config.settings_files import project_root
from snaphook.hosts import host_named
from snaphook.hosts.install import FileChange, Scope, revert, unwire

from .console import cell, new_console
from .init import NAMES, ledger, plan, show
from .output import confirm


@click.command("uninstall", short_help="Remove Snaphook's hooks from the agents' settings.")
@click.option("--host", "hosts", multiple=True, type=click.Choice(NAMES), help="Only this agent.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice([scope.value for scope in Scope]),
    help="Only your own settings, or only the project's. Default: both.",
)
@click.option("--dry-run", is_flag=True, help="Show the diff without changing anything.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def command(hosts: tuple[str, ...], scopes: tuple[str, ...], dry_run: bool, yes: bool) -> int:
    """Restore the original settings files; if they changed since, remove only Snaphook's entries."""
    console = new_console(soft_wrap=True)
    around = Environment.here()
    root = project_root(around)
    record = ledger(around)
    chosen = scopes or [scope.value for scope in Scope]

    def wanted(name: str) -> list[FileChange]:
        return [
            change
            for scope in chosen
            for change in unwire(
                host_named(name), scope=Scope(scope), around=around, root=root, ledger=record
            )
        ]

    changes, problems = plan(hosts or NAMES, wanted)
    for problem in problems.values():
        console.print(f"[red]✗[/red] {cell(problem)}")
    if not changes:
        console.print("No Snaphook hooks found in the agents' settings.")
        return 1 if problems else 0
    show(changes, console, whole=dry_run)
    if not dry_run and (yes or confirm("Make these changes?", default=True)):
        for name in dict.fromkeys(change.host for change in changes):
            if name not in problems:
                revert(wanted(name), record)  # looked at anew: two hosts may share a file
        console.print("Done.")
    return 1 if problems else 0
