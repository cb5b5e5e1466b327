"""``snaphook stats``: what the record comes to.

the record  ->  counts and times
"""

import time
from collections.abc import Mapping

import click
from rich.console import Console
from rich.table import Table

from snaphook.stores.eventlog.read import RecordQuery, records
from snaphook.stores.eventlog.stats import Audited, Latency, LogStats, stats

from .console import cell, new_console
from .log import NOTHING, moment, record_folder
from .output import say_json, say_lines


@click.command("stats")
@click.option(
    "--since", default="", help="Only events since then: 10m, 2h, 3d, or 2026-05-01T12:00."
)
@click.option("--session", default="", help="Only sessions whose id starts with this.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(since: str, session: str, as_json: bool) -> int:
    """Show statistics: events, tools, decisions, rules and latency."""
    folder, _ = record_folder()
    found = stats(records(folder, RecordQuery(since=moment(since, time.time()), session=session)))
    if as_json:
        say_json(found)
    elif found.records:
        _show(found)
    else:
        say_lines(NOTHING.format(folder=folder))
    return 0


def _show(found: LogStats) -> None:
    console = new_console()
    console.print(f"{found.records} events in {found.sessions} sessions.\n")
    for title, counted in (
        ("Event", found.events),
        ("Tool", found.tools),
        ("Host", found.hosts),
        ("Verdict", found.verdicts),
        ("Decided by", found.decided_by),
        ("Rule", found.rules),
        ("Failed", found.errors),
    ):
        if counted:
            console.print(_counts(title, counted, found.records))
    if saved := sum(found.approved.values()):
        levels = ", ".join(f"{count} {level}" for level, count in found.approved.items())
        console.print(f"\nPrompts saved by automatic approval: {saved} ({levels}).")
    if found.audited.calls:
        _show_audited(console, found.audited)
    console.print(_times({"all together": found.latency, **found.providers}))


def _show_audited(console: Console, audited: Audited) -> None:
    """Say what enforcing would have cost."""
    said = ", ".join(f"{count} {verdict}" for verdict, count in audited.verdicts.items())
    console.print(
        f"\nEnforcing would have interrupted {audited.calls} call{'s' * (audited.calls != 1)} ({said}), "
        f"{audited.per_day:g} a day."
    )
    console.print(_counts("Rule that would have", audited.rules, audited.calls))
    console.print(_counts("Command", audited.commands, audited.calls))


def _counts(title: str, counted: Mapping[str, int], of: int) -> Table:
    table = Table(title, "", "", box=None, pad_edge=False, header_style="bold")
    for name, count in counted.items():
        table.add_row(cell(name), f"{count:>8}", f"{count / of:>6.1%}")
    return table


def _times(measured: Mapping[str, Latency]) -> Table:
    names = list(next(iter(measured.values())).percentiles)
    table = Table("Provider", "asked", *names, "longest", box=None, pad_edge=False)
    for name, latency in measured.items():
        times = [*latency.percentiles.values(), latency.longest]
        table.add_row(cell(name), str(latency.count), *(f"{each:.2f} ms" for each in times))
    return table
