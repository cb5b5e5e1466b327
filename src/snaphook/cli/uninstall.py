"""``snaphook uninstall``: leave the agents' settings as they were.

settings with us in them  ->  the bytes from before, or the file without our entries
"""

import sys
from pathlib import Path

import click
from rich.console import Console

from snaphook.config.environment import Environment
from snaphook.config.settings_files import NATIVE, project_root
from snaphook.config.starter import STARTER
from snaphook.daemon.control import ask_stop
from snaphook.hosts import host_named
from snaphook.hosts.install import FileChange, Scope, revert, unwire

from .console import cell, new_console
from .init import NAMES, ledger, once_per_file, plan, show
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
    show(once_per_file(changes), console, whole=dry_run)
    agreed = not dry_run and (yes or not changes or confirm("Make these changes?", default=True))
    if agreed:
        for name in dict.fromkeys(change.host for change in changes):
            if name not in problems:
                revert(wanted(name), record)  # looked at anew: two hosts may share a file
    if agreed and not hosts and not scopes:
        _leave_nothing(around, root, console, ask=not yes)
    if agreed and changes:
        console.print("Done.")
    return 1 if problems else 0


def _leave_nothing(around: Environment, root: Path, console: Console, *, ask: bool) -> None:
    """Stop the daemon, which nobody calls any more, and offer to remove the project's settings."""
    if ask_stop(around.env):
        console.print("Daemon stopped.")
    settings = root / NATIVE
    if not settings.is_file() or root == around.home:
        return
    untouched = settings.read_text(errors="replace") == STARTER
    if untouched and not ask:
        settings.unlink()
        console.print(f"{cell(str(settings))} (removed): it held only what 'init' wrote.")
    elif ask and sys.stdin.isatty() and confirm(f"Remove {settings}?", default=untouched):
        settings.unlink()
        console.print(f"{cell(str(settings))} (removed)")
    else:
        console.print(f"{cell(str(settings))} stays. Delete it if you no longer need it.")
