"""``snaphook log``: what happened, who said what, and why.

the record  ->  a line for each event
"""

import time
from datetime import datetime
from pathlib import Path

import click

from snaphook.canon.hook_runs import HOOK_ENDED, RecordedRun
from snaphook.errors import UsageError
from snaphook.stores.eventlog import LogSettings
from snaphook.stores.eventlog.read import Follower, RecordQuery, latest, records
from snaphook.stores.eventlog.reason import why_line
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.refused import refused
from snaphook.wiring.assembly import log_settings

from .here import here, one_line
from .output import say, say_json, say_lines

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
PAUSE = 0.2
COLOURS = {"deny": "red", "block": "red", "ask": "yellow", "modify": "cyan", "allow": "green"}
EVENTS_OF_PEOPLE = (
    "OverrideGranted",
    "OverrideUsed",
    "OverrideRefused",
    "OverrideExpired",
    "OverrideRevoked",
    "OverrideKeyEnrolled",
    "OverrideKeyChanged",
    "ApprovalLapsed",
)
"""What no agent did; its reason is all there is to tell."""
NOTHING = (
    "No events recorded yet in {folder}.\n"
    "Run 'snaphook init' to install the hooks, then use your agent. 'snaphook fire' sends a "
    "test event."
)


@click.command("log")
@click.option("--follow", "-f", is_flag=True, help="Keep running and show new events.")
@click.option("--session", default="", help="Only sessions whose id starts with this.")
@click.option("--verdict", type=click.Choice(list(COLOURS)), help="Only events with this decision.")
@click.option("--event", default="", help="Only this event, as 'snaphook events' spells it.")
@click.option("--tool", default="", help="Only this tool.")
@click.option(
    "--since", default="", help="Only events since then: 10m, 2h, 3d, or 2026-05-01T12:00."
)
@click.option("--limit", default=50, show_default=True, help="Maximum number to show; 0 shows all.")
@click.option("--json", "as_json", is_flag=True, help="Print each record as a line of JSON.")
def command(
    follow: bool,
    session: str,
    verdict: str | None,
    event: str,
    tool: str,
    since: str,
    limit: int,
    as_json: bool,
) -> int:
    """Show the event log: each event, its decision and the reason."""
    settings, around = here()
    folder = log_settings(settings).place(around.data_dir)
    for lapse in settings.lapsed:  # on stderr: a script that reads the log is not disturbed
        say(f"warning: {lapse}. Approve it again: snaphook trust", err=True, style="yellow")
    wanted = RecordQuery(
        since=moment(since, time.time()),
        session=session,
        verdict=verdict or "",
        event=event,
        tool=tool,
    )
    coming = Follower(folder)
    shown = latest(records(folder, wanted), limit)
    for record in shown:
        _show(record, as_json=as_json)
    if not shown and not as_json and not follow:
        say_lines(_nothing(folder, wanted))
    while follow:
        for record in filter(wanted.takes, coming.more()):
            _show(record, as_json=as_json)
        time.sleep(PAUSE)
    return 0


def record_folder() -> tuple[Path, LogSettings]:
    """Return where the record is here, and what the settings say of it."""
    settings, around = here()
    log = log_settings(settings)
    return log.place(around.data_dir), log


def moment(text: str, now: float) -> float:
    """Return the time that *text* names: so long ago, or a date; 0 for none."""
    if not text:
        return 0.0
    if text[-1] in UNITS and text[:-1].replace(".", "", 1).isdigit():
        return now - float(text[:-1]) * UNITS[text[-1]]
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError as error:
        raise UsageError(
            where="--since",
            what=f"invalid time '{text}'",
            fix="Write 10m, 2h, 3d or 2026-05-01T12:00.",
        ) from error


def _show(record: Record, *, as_json: bool) -> None:
    if as_json:
        say_json(record)
        return
    when = datetime.fromtimestamp(record.time).astimezone().strftime("%m-%d %H:%M:%S")
    said = record.verdict or _would(record) or "·"
    line = (
        f"{when}  {record.session[:8]:<8}  {record.event:<18} {record.tool:<10} {said:<6} "
        f"{record.duration_ms:7.1f} ms  {_subject(record)}"
    )
    say(line.rstrip(), style=COLOURS.get(said.strip("()")))
    spoken = said not in ("·", "allow") or record.event in EVENTS_OF_PEOPLE
    if spoken and record.reason:
        say(f"{'':>16}{record.by}: {one_line(why_line(record.reason))}")
    if what := refused(record):
        say(f"{'':>16}sandbox refused: {one_line(what)}", style="red")
    for run in record.hooks:
        say(f"{'':>16}{_run(run)}", style="red" if run.failed else None)


def _run(run: RecordedRun) -> str:
    """Return how a command hook ended, and what it said first where it failed."""
    took = "" if run.background else f", {run.duration_ms:.0f} ms"
    said = (run.failure or run.stderr or run.stdout) if run.failed else ""
    return f"hook '{run.hook}': {run.ended}{took}{': ' if said else ''}{one_line(said)}"


def _would(record: Record) -> str:
    """Return what would have been said, in brackets: nobody heard it."""
    return next((f"({one.would})" for one in record.answers if one.would), "")


def _subject(record: Record) -> str:
    """Return what the event was about, in a few words."""
    if record.event == HOOK_ENDED:
        return f"started on {record.input.get('event', '?')}"
    args = record.input.get("tool_args")
    told = args if isinstance(args, dict) else record.input
    for name in ("command", "file_path", "path", "url", "query", "prompt", "message", "error"):
        if isinstance(told.get(name), str):
            return one_line(told[name])
    return ""


def _nothing(folder: Path, wanted: RecordQuery) -> str:
    if wanted == RecordQuery():
        return NOTHING.format(folder=folder)
    return "No matching events. 'snaphook log --limit 20' shows the latest events."
