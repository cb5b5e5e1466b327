"""``snaphook init``: find the agents here and write ourselves into their settings.

agents found  ->  changes shown  ->  a yes  ->  changes made

Nothing is written before the person has seen it, and what a file held is kept for ``uninstall``.
"""

import difflib
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click
from rich.console import Console

from snaphook.config.environment import Environment
from snaphook.config.settings_files import NATIVE, project_root
from snaphook.errors import ConfigError, UsageError
from snaphook.hosts import HOSTS, host_named
from snaphook.hosts.http import Address
from snaphook.hosts.install import (
    FileChange,
    InstallLedger,
    Preset,
    Scope,
    apply,
    covered_by,
    detect,
    wire,
)
from snaphook.hosts.table import WITHOUT_SETTINGS, plugin_hosts
from snaphook.providers.guard.approval.settings import LEVELS

from .approve_level import choose_level
from .console import cell, new_console
from .output import confirm
from .starter import write_starter
from .verify import verify

NAMES = [name for name in (*HOSTS, *plugin_hosts()) if name not in WITHOUT_SETTINGS]


@click.command("init", short_help="Install Snaphook's hooks into the agents on this machine.")
@click.option("--host", "hosts", multiple=True, type=click.Choice(NAMES), help="Only this agent.")
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in Scope]),
    default=Scope.USER.value,
    show_default=True,
    help="Change your own settings, or the project's shared settings.",
)
@click.option(
    "--preset",
    type=click.Choice([preset.value for preset in Preset]),
    default=Preset.FULL.value,
    show_default=True,
    help=(
        "Which events to install: before tool calls (guard), when work ends (gates), or all (full)."
    ),
)
@click.option("--http", "by_http", is_flag=True, help="Use HTTP hooks that call the daemon's port.")
@click.option("--dry-run", is_flag=True, help="Show the diff without changing anything.")
@click.option(
    "--approve",
    type=click.Choice(LEVELS),
    help="Which commands run without a prompt: none, what only reads, or work inside this project.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.option(
    "--no-verify", is_flag=True, help="Do not run the agents to check that they load the hooks."
)
def command(
    hosts: tuple[str, ...],
    scope: str,
    preset: str,
    by_http: bool,
    dry_run: bool,
    approve: str | None,
    yes: bool,
    no_verify: bool,
) -> int:
    """Detect installed agents, show the changes to their settings, and apply them.

    Also creates a commented snaphook.toml if the project has none.
    Then runs each agent once, on a scripted model in a temporary home: an agent that ignores its
    hooks is an error.
    """
    console = new_console(soft_wrap=True)
    around = Environment.here()
    root = project_root(around)
    if not dry_run and (first := write_starter(around, root)):
        console.print(f"{cell(str(first))} (new): commented example settings.")
    address = _address() if by_http else None
    chosen = choose(hosts, Scope(scope), around, root, console)
    if not chosen:
        console.print(
            "No agents found. Choose one with --host; 'snaphook init --help' lists the "
            "supported agents."
        )
        return 0 if (root / NATIVE).exists() else 1

    approves = not dry_run and choose_level(approve, around, root, console, ask=not yes)

    def wanted(name: str) -> list[FileChange]:
        return wire(
            host_named(name),
            scope=Scope(scope),
            around=around,
            root=root,
            preset=Preset(preset),
            http=address,
            approves=approves,
        )

    changes, problems = plan(chosen, wanted)
    for problem in problems.values():
        console.print(f"[red]✗[/red] {cell(problem)}")
    show(once_per_file(changes), console, whole=dry_run)
    differs = any(change.changes for change in changes)
    held = True
    if differs and not dry_run and (yes or _confirmed()):
        for name in chosen:  # one after the other: two hosts may share a file
            if name not in problems:
                made = [change for change in wanted(name) if change.changes]
                apply(made, ledger(around))
                if address is not None:
                    _close_to_others(made, console)
        held = no_verify or verify([n for n in chosen if n not in problems], around, root, console)
        end = "Done." if held else "Done, with problems: see above."
        console.print(f"{end} 'snaphook doctor' checks it; 'snaphook uninstall' reverts it.")
    if not dry_run:
        offer_passphrase(around, console, ask=not yes)
    return 1 if problems or not held else 0


def offer_passphrase(around: Environment, console: Console, *, ask: bool) -> None:
    """Offer to set up how a person overrides a denial, before the first agent is stopped."""
    from snaphook.stores.overrides.keys import KeyStore

    if KeyStore.of(around).current():
        return
    if not ask or not sys.stdin.isatty():
        console.print("To override denials, set a passphrase: snaphook allow --set-passphrase")
        return
    console.print(
        "Overriding a denial needs a passphrase that your agents do not know. Without one, "
        "denials cannot be overridden."
    )
    if confirm("Set a passphrase now?", default=True):
        from .guard.allow import command as allow

        allow.main(["--set-passphrase"], standalone_mode=False)


def _address() -> Address:
    """Return where the daemon listens, if the settings have it listen."""
    from importlib.util import find_spec

    from .daemon import NO_HTTP, daemon_settings, http_address

    if find_spec("h11") is None:
        raise UsageError(where="snaphook init --http", what="h11 is not installed", fix=NO_HTTP)

    settings = daemon_settings()
    if not settings.http:
        raise UsageError(
            where="snaphook init --http",
            what="the daemon does not listen on a port",
            fix="Write 'http = true' under [daemon] in your own snaphook.toml, then run "
            "'snaphook daemon restart' and this again.",
        )
    return http_address(settings)


def _close_to_others(changes: Iterable[FileChange], console: Console) -> None:
    """Let nobody else read a file that holds our token now."""
    for change in changes:
        if change.after is not None and change.path.stat().st_mode & 0o077:
            change.path.chmod(0o600)
            console.print(f"{cell(str(change.path))} holds a token: only you can read it now.")


def _confirmed() -> bool:
    try:
        return confirm("Make these changes?", default=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise UsageError(
            where="snaphook init",
            what="no terminal to ask for confirmation",
            fix="Run it with --yes to skip the confirmation.",
        ) from None


def ledger(around: Environment) -> InstallLedger:
    """Return the record of what the files held before."""
    return InstallLedger(around.shared_dir / "installed")


def choose(
    named: Sequence[str], scope: Scope, around: Environment, root: Path, console: Console
) -> list[str]:
    """Return the hosts to wire: those *named*, else those found that no other's settings cover."""
    if named:
        return list(dict.fromkeys(named))
    chosen: list[str] = []
    for found in detect(around, root):
        host = host_named(found.host)
        console.print(f"Found {host.TITLE} ({cell(found.program or found.folder or '')}).")
        other = covered_by(found.host, scope, chosen)
        if other is None:
            chosen.append(found.host)
        else:
            title = host_named(other).TITLE
            console.print(
                f"  It also runs the hooks of {title}, so they are installed only there. "
                f"'--host {found.host}' installs them separately."
            )
    return chosen


def plan(
    chosen: Iterable[str], wanted: Callable[[str], list[FileChange]]
) -> tuple[list[FileChange], dict[str, str]]:
    """Return every change, and what stands in the way of others: one bad file stops only itself."""
    changes: list[FileChange] = []
    problems: dict[str, str] = {}
    for name in chosen:
        try:
            changes += wanted(name)
        except ConfigError as error:
            problems[name] = str(error)
    return changes, problems


def once_per_file(changes: Iterable[FileChange]) -> list[FileChange]:
    """Return *changes* with each file once: a host of two scopes may share one, as Codex its config.

    Where several change a file, the last one counts: each was made from what is there now.
    """
    found: dict[tuple[str, Path], FileChange] = {}
    for change in changes:
        found[change.host, change.path] = change
    return list(found.values())


def show(changes: Iterable[FileChange], console: Console, *, whole: bool = False) -> None:
    """Print what would be different, file by file: in a line, or *whole*, as a diff."""
    for change in changes:
        title = host_named(change.host).TITLE
        if not change.changes:
            console.print(f"[green]✓[/green] {title}: {cell(str(change.path))} is up to date.")
            continue
        console.print(f"[bold]{title}[/bold]  {cell(_summary(change))}")
        for line in _difference(change) if whole else ():
            style = {"+": "green", "-": "red"}.get(line[:1], "dim")
            console.print(f"  {line}", style=style, markup=False)


def _summary(change: FileChange) -> str:
    """Return one line about a change: the file, and how many lines come and go."""
    if change.before is None:
        return f"{change.path} (new)"
    if change.after is None:
        return f"{change.path} (removed)"
    lines = [line[:1] for line in _difference(change)]
    return f"{change.path} (+{lines.count('+')} -{lines.count('-')} lines, the rest is unchanged)"


def _difference(change: FileChange) -> Iterable[str]:
    before, after = (change.before or "").splitlines(), (change.after or "").splitlines()
    for line in difflib.unified_diff(before, after, lineterm="", n=1):
        if not line.startswith(("---", "+++", "@@")):
            yield line
