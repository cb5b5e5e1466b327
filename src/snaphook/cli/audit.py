"""``snaphook audit``: prove the record, take it elsewhere.

the record  ->  intact, complete up to a checkpoint, or the first bad line
"""

import csv
import io
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from snaphook.errors import StoreError
from snaphook.stores.eventlog.audit import Report, look, streams, verify
from snaphook.stores.eventlog.checkpoint import Checkpoint, note
from snaphook.stores.eventlog.read import Wanted, records

from .here import say
from .log import NOTHING, moment, record_folder

COLUMNS = (
    "id", "time", "event", "session", "host", "agent", "project", "tool", "verdict", "by", "reason",
    "duration_ms",
)  # fmt: skip


@click.group()
def command() -> None:
    """Prove that the record is whole, and take it elsewhere."""


@command.command("verify")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Checkpoints kept elsewhere, as 'snaphook audit checkpoint' printed them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_record(against: Path | None, as_json: bool) -> int:
    """Walk every chain from its first record to its last.

    Exits with 1 where a record was changed, removed, added or moved, and names the first such line.
    """
    folder, _ = record_folder()
    reports = verify(folder, _kept_elsewhere(against) if against else None)
    if as_json:
        click.echo(msgspec.json.encode(reports))
    elif not reports:
        click.echo(NOTHING.format(folder=folder))
    else:
        for report in reports:
            _tell(report)
    return 1 if any(report.bad for report in reports) else 0


@command.command("checkpoint")
def checkpoint() -> None:
    """Note how far the record has come, and print it for keeping elsewhere.

    A record whose end is cut off later will not verify against it.
    """
    folder, _ = record_folder()
    for stream in streams(folder):
        if point := look(stream, time.time()):
            note(stream, point)
            said = {"stream": stream.name, **msgspec.to_builtins(point)}
            click.echo(msgspec.json.encode(said))


@command.command("export")
@click.option("--since", default="", help="From then on: 10m, 2h, 3d, or 2026-05-01T12:00.")
@click.option("--session", default="", help="Only this session, or those that begin so.")
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl")
def export(since: str, session: str, form: str) -> None:
    """Write the record to stdout, oldest first."""
    folder, _ = record_folder()
    wanted = Wanted(since=moment(since, time.time()), session=session)
    out = sys.stdout.buffer
    if form == "csv":
        out.write(_csv(COLUMNS))
    for record in records(folder, wanted):
        if form == "csv":
            out.write(_csv([getattr(record, column) for column in COLUMNS]))
        else:
            out.write(msgspec.json.encode(record) + b"\n")


def _kept_elsewhere(file: Path) -> dict[str, list[Checkpoint]]:
    """Return the checkpoints in *file*, by stream."""
    kept: dict[str, list[Checkpoint]] = {}
    try:
        for line in file.read_bytes().splitlines():
            said = msgspec.json.decode(line)
            kept.setdefault(said.pop("stream"), []).append(msgspec.convert(said, Checkpoint))
    except (msgspec.MsgspecError, KeyError, AttributeError) as error:
        raise StoreError(
            where=str(file),
            what=f"holds no checkpoints: {error}",
            fix="'snaphook audit checkpoint' prints them.",
        ) from error
    return kept


def _tell(report: Report) -> None:
    redacted = f", {report.redacted} redacted" if report.redacted else ""
    if report.bad is not None:
        where = f"{report.bad.file}:{report.bad.line}" if report.bad.line else report.bad.file
        say(f"✗ {report.stream}: {where} {report.bad.what}.", style="red")
        say(f"  The {report.records} records before it are as they were written.")
        return
    say(f"✓ {report.stream}: {report.records} records, intact{redacted}.", style="green")
    if report.complete_at is not None:
        when = datetime.fromtimestamp(report.complete_at).astimezone().isoformat(" ", "seconds")
        say(f"  Complete up to checkpoint {report.checkpoints}, of {when}.")
    else:
        say("  No checkpoint yet: 'snaphook audit checkpoint' notes one.")


def _csv(values: "tuple[str, ...] | list[Any]") -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(values)
    return line.getvalue().encode()
