"""``snaphook doctor``: prove that the guard is alive, host by host.

settings, programs  ->  a table, and what to do

Without ``--live`` the wired hook is run on a made-up message; with it, the agent's own program runs
on a scripted model, in a home of its own.
"""

from collections.abc import Mapping
from time import time

import click
import msgspec
from rich.console import Console
from rich.table import Table

from snaphook.canon import PreToolUse, Stance
from snaphook.config.environment import Environment
from snaphook.config.settings_files import project_root
from snaphook.daemon.control import DaemonStatus as Answering
from snaphook.daemon.control import ExporterStatus, ask_status
from snaphook.hosts import host_named
from snaphook.hosts.checkup import SESSION, HostStatus, examine
from snaphook.hosts.install import Scope
from snaphook.hosts.install.change import program
from snaphook.hosts.verified import drift
from snaphook.stores.eventlog.host_activity import tools_called

from .console import cell, new_console
from .hook_activity import ago, fired, wired_here
from .init import NAMES
from .log import record_folder
from .output import say_json
from .proven import proven_here, remember_proven

LOOK_BACK = 30 * 86_400.0
"""Seconds of the record in which an event must have come to count as alive."""


@click.command("doctor", short_help="Check that each agent's hooks run and can block a call.")
@click.argument("hosts", nargs=-1, type=click.Choice(NAMES))
@click.option(
    "--live",
    is_flag=True,
    help="Also run each agent with a scripted model and test that denials are enforced.",
)
@click.option("--all", "everything", is_flag=True, help="Also show agents that are not installed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(hosts: tuple[str, ...], live: bool, everything: bool, as_json: bool) -> int:
    """Check for each agent whether the hooks are installed and denials are enforced."""
    console = new_console(soft_wrap=True)
    around = Environment.here()
    root = project_root(around)
    if as_json:
        return _as_json(
            [examine(host_named(name), around, root) for name in hosts or NAMES], around
        )
    for lapse in _lapsed(around):
        console.print(
            f"[yellow]![/yellow] {cell(lapse)}. Review and approve it again: snaphook trust"
        )
    found = [examine(host_named(name), around, root) for name in hosts or NAMES]
    shown = [s for s in found if hosts or everything or s.program or s.wired or s.problems]
    if not shown:
        console.print("No agents found. 'snaphook doctor --all' lists the supported agents.")
        return 1
    console.print(_table(shown))
    daemon = ask_status(around.env)
    console.print(f"\n{cell(way(program(Scope.USER), daemon))}")
    if daemon and daemon.telemetry:
        console.print(cell(exporter_status(daemon.telemetry, time())))
    for status in shown:
        title = host_named(status.host).TITLE
        for problem in status.problems:
            console.print(f"[red]✗[/red] {title}: {cell(problem)}")
        if status.program and not status.wired:
            console.print(
                f"[yellow]![/yellow] {title} has no Snaphook hooks. Run: snaphook init --host "
                f"{status.host}"
            )
    _say_who_was_heard([status.host for status in shown if status.wired], console, around)
    proven = proven_here(around)
    for status in shown:
        if status.program and (note := drift(status.host, status.version, proven.get(status.host))):
            console.print(f"[yellow]![/yellow] {host_named(status.host).TITLE}: {cell(note)}.")
    healthy = all(status.healthy for status in shown)
    if live:
        from .live import prove

        held = prove([s for s in shown if s.program], console)
        remember_proven(around, [s for s in shown if held.get(s.host)])
        healthy = all(held.values()) and healthy
    return 0 if healthy else 1


def _as_json(found: list[HostStatus], around: Environment) -> int:
    """Print what was found about every host, the daemon and approvals; ``--live`` has no part in it."""
    shown = [one for one in found if one.program or one.wired or one.problems]
    say_json(
        {
            "hosts": [{**msgspec.to_builtins(one), "healthy": one.healthy} for one in shown],
            "daemon": ask_status(around.env),
            "lapsed": _lapsed(around),
        },
        indent=2,
    )
    return 0 if shown and all(one.healthy for one in shown) else 1


def _lapsed(around: Environment) -> tuple[str, ...]:
    """Return the settings whose approval is void; none where they cannot be read."""
    from snaphook.errors import SnaphookError
    from snaphook.wiring.assembly import read_settings

    try:
        return read_settings(around).lapsed
    except SnaphookError:
        return ()  # 'snaphook check' tells why


def way(called: tuple[str, ...], daemon: Answering | None) -> str:
    """Return how calls are answered here: by which client, and whether a daemon runs."""
    native = called[0].strip("'").endswith("snaphook-hook")
    client = f"native ({called[0]})" if native else "in Python (no C compiler when it was built)"
    running = (
        f"pid {daemon.pid}, version {daemon.version}, {daemon.served} calls answered"
        if daemon
        else "not running; the next call starts it"
    )
    return f"Client: {client}. Daemon: {running}."


def exporter_status(telemetry: ExporterStatus, now: float) -> str:
    """Return how telemetry fares: who is told, when last, and what is in the way."""
    served = f" Metrics at {telemetry.prometheus}." if telemetry.prometheus else ""
    if telemetry.problem:
        last = f", last export {ago(telemetry.told, now)}" if telemetry.told else ""
        return f"Telemetry: {telemetry.problem}{last}. Records are kept on disk until then.{served}"
    if not telemetry.collector:
        return f"Telemetry: no collector configured.{served}"
    last = f"last export {ago(telemetry.told, now)}" if telemetry.told else "not exported yet"
    return f"Telemetry: {telemetry.collector}, {last}.{served}"


def _say_who_was_heard(hosts: list[str], console: Console, around: Environment) -> None:
    """Say when each of *hosts* was last heard of, and which of its events never came."""
    now = time()
    folder, _ = record_folder()
    rows = fired(folder, wired_here(around, hosts), since=now - LOOK_BACK)
    called = tools_called(folder, since=now - LOOK_BACK, but=(SESSION,))
    for host in hosts:
        own = [row for row in rows if row.host == host]
        last = max((row.last for row in own if row.last), default=None)
        dead = [row.event for row in own if row.dead]
        title = host_named(host).TITLE
        if last is None:
            console.print(f"[yellow]![/yellow] {title}: installed; no events received yet.")
        elif dead:
            console.print(
                f"[dim]·[/dim] {title}: last event {ago(last, now)}; never received: {cell(', '.join(dead))}."
            )
        else:
            console.print(
                f"[dim]·[/dim] {title}: last event {ago(last, now)}; all events received."
            )
        if strangers := unknown_tools(host, called.get(host, {})):
            console.print(f"[dim]·[/dim] {title}: {cell(strangers)}")


def unknown_tools(host: str, called: Mapping[str, int]) -> str:
    """Return which tools of *host* were called that its table does not hold, and how often."""
    known = host_named(host).TOOLS.knows
    strange = {tool: count for tool, count in called.items() if not known(tool)}
    if not strange:
        return ""
    most = sorted(strange.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = ", ".join(f"{tool} ({count})" for tool, count in most[:8])
    more = f" and {len(most) - 8} more" if len(most) > 8 else ""
    return f"tools in no table, judged by their arguments: {shown}{more}."


_HEADINGS = (
    "agent", "version", "wired", "events", "refuses", "lets pass", "if we crash", "if we hang",
)  # fmt: skip


def _table(statuses: list[HostStatus]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS:
        table.add_column(heading)
    for status in statuses:
        host = host_named(status.host)
        can = next(can for can in host.CAN.values() if can.event is PreToolUse)
        table.add_row(
            host.TITLE,
            cell(status.version or "") or ("–" if status.program is None else "?"),
            cell(", ".join(status.wired)) or "[dim]no[/dim]",
            _called(status),
            _mark(status.refuses),
            _mark(status.passes),
            _stance(can.crash),
            _stance(can.timeout),
        )
    return table


def _called(status: HostStatus) -> str:
    placement = host_named(status.host).PLACEMENT
    whole = len(placement.wired) if placement else 0
    return f"{whole - len(status.missing)} of {whole}" if status.wired else "[dim]–[/dim]"


def _mark(yes: bool | None) -> str:
    return "[dim]–[/dim]" if yes is None else "[green]yes[/green]" if yes else "[red]no[/red]"


def _stance(stance: Stance) -> str:
    return "refused" if stance is Stance.CLOSED else "[yellow]runs[/yellow]"
