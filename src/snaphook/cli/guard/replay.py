"""``snaphook replay``: what a policy would have done to your own history.

transcripts, the record  ->  what would be stopped, what would now pass
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from snaphook.cli.console import cell, new_console
from snaphook.cli.here import environment, one_line
from snaphook.cli.log import moment, record_folder
from snaphook.cli.output import say_json, say_lines
from snaphook.cli.table import EXIT_PROBLEM
from snaphook.replay import (
    CallSource,
    CandidatePolicy,
    ChangedRuling,
    CurrentPolicy,
    PastCall,
    ReplayReport,
    compare,
    past_calls,
    sources,
)

COLOURS = {"deny": "red", "ask": "yellow", "pass": "green"}
NOTHING = (
    "No tool calls found.\n"
    "Claude Code, Codex and Gemini CLI write transcripts below your home as you use them, and "
    "Snaphook keeps its own record; give a path to read from elsewhere."
)


@click.command("replay")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Evaluate with this settings file, and show the differences to the current settings.",
)
@click.option(
    "--since", default="", help="Only events since then: 10m, 2h, 3d, or 2026-05-01T12:00."
)
@click.option(
    "--show", default=5, show_default=True, help="Commands to show per rule; 0 shows all."
)
@click.option("--fail-on-change", is_flag=True, help="Exit with 1 if any decision changes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    paths: tuple[Path, ...],
    policy: Path | None,
    since: str,
    show: int,
    fail_on_change: bool,
    as_json: bool,
) -> int:
    """Re-evaluate past tool calls against the current or new rules.

    PATH is a transcript of Claude Code, Codex or Gemini CLI, a folder of transcripts, or a folder
    of Snaphook's event log. Default: everything found in your home directory. Runs no commands.
    """
    around = environment()
    record, _ = record_folder()
    found = list(sources(paths, around, record))
    current = CurrentPolicy(around)
    started = time.perf_counter()
    calls = _read(found, moment(since, time.time()), quiet=as_json)
    report = (
        compare(calls, CandidatePolicy(policy.absolute(), around), current)
        if policy
        else compare(calls, current)
    )
    if as_json:
        say_json(report)
    elif not report.calls:
        say_lines(NOTHING)
    else:
        _tell(report, len(found), time.perf_counter() - started, show)
    return EXIT_PROBLEM if fail_on_change and report.changes else 0


def _read(found: Sequence[CallSource], since: float, *, quiet: bool) -> Iterator[PastCall]:
    """Yield every call of *found*, showing how far we are where a person watches."""
    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TextColumn("sources"))
    console = new_console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=quiet or not console.is_terminal
    ) as bar:
        for source in bar.track(found):
            yield from past_calls(source, since=since)


def _tell(report: ReplayReport, places: int, took: float, show: int) -> None:
    console = new_console(soft_wrap=True)
    speed = report.calls / took if took else 0.0
    console.print(
        f"{report.calls:,} calls in {report.sessions:,} sessions, from {places:,} "
        f"{'place' if places == 1 else 'places'} ({speed:,.0f} a second)."
    )
    share = report.interrupted / report.calls
    console.print(f"\n[bold]Would be stopped: {report.interrupted:,} ({share:.1%})[/]")
    for rule, ruled in _by_rule(report).items():
        answer = ruled[0][0]
        total = sum(times for _, _, times in ruled)
        console.print(f"  [{COLOURS[answer]}]{answer:<4}[/] {cell(rule or '-'):<32} {total:>6,}")
        for _, text, times in ruled[: show or None]:
            console.print(f"       [dim]{times:>5,}x[/] {cell(one_line(text, most=110))}")
    _tell_changes(console, report, show)


def _tell_changes(console: Console, report: ReplayReport, show: int) -> None:
    tighter = [one for one in report.changes if one.tightens]
    looser = [one for one in report.changes if not one.tightens]
    console.print(f"\n[bold]Changed against {report.against}:[/]")
    if not report.changes:
        console.print("  no changes.")
    for title, changes in (("stopped more", tighter), ("stopped less", looser)):
        if changes:
            console.print(f"  {title}: {sum(one.times for one in changes):,}")
            for one in changes[: show or None]:
                console.print(f"       {_arrow(one)} [dim]{one.times:>5,}x[/] {_what(one)}")
            if show and len(changes) > show:
                console.print(f"       … and {len(changes) - show} more; --show 0 lists them all.")


def _arrow(one: ChangedRuling) -> str:
    before, after = one.before.answer, one.after.answer
    return f"[{COLOURS[before]}]{before:<4}[/] → [{COLOURS[after]}]{after:<4}[/]"


def _what(one: ChangedRuling) -> str:
    rule = one.after.rule or one.before.rule
    return cell(one_line(one.text, most=110)) + (f"  [dim]{cell(f'[{rule}]')}[/]" if rule else "")


def _by_rule(report: ReplayReport) -> dict[str, list[tuple[str, str, int]]]:
    """Return the stopped calls by rule, the rule that stops most first."""
    rules: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for one in report.stopped:
        rules[one.after.rule].append((one.after.answer, one.text, one.times))
    return dict(sorted(rules.items(), key=lambda item: -sum(times for *_, times in item[1])))
