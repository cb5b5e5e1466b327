"""``snaphook audit``: prove the record, take it elsewhere.

the record  ->  intact, complete up to a checkpoint, or the first bad line
"""

import csv
import io
import time
from pathlib import Path
from typing import Any

import click
import msgspec

from snaphook.errors import StoreError
from snaphook.stores.eventlog.audit import look, streams, verify
from snaphook.stores.eventlog.checkpoint import Checkpoint, note
from snaphook.stores.eventlog.read import RecordQuery, records
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.finding import Attack
from snaphook.stores.eventlog.trail.seal import Seal, seals

from .audit_actions import hold, key, prove, redact, send
from .audit_report import tell
from .here import here, the_trail
from .log import NOTHING, moment, record_folder
from .output import pipe_out, say_json, say_lines

COLUMNS = (
    "id", "time", "event", "session", "host", "agent", "project", "tool", "verdict", "by", "reason",
    "duration_ms",
)  # fmt: skip


@click.group()
def command() -> None:
    """Verify, sign, export and redact the event log."""


for action in (hold, key, prove, redact, send):
    command.add_command(action)


@command.command("verify")
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with checkpoints printed by 'snaphook audit checkpoint'.",
)
@click.option("--key", "keys", multiple=True, help="Require a signature by this public key.")
@click.option("--strict", is_flag=True, help="Also exit with 1 if the system clock was changed.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_record(against: Path | None, keys: tuple[str, ...], strict: bool, as_json: bool) -> int:
    """Verify the event log: its hash chain and its checkpoints.

    Exits with 1 if a record was edited, inserted, deleted, moved, truncated or replaced, and says
    which.
    """
    settings, around = here()
    trail = the_trail(settings, around)
    plain, sealed = _kept_elsewhere(against) if against else ({}, {})
    reports = verify(trail.folder, plain)
    checked = check(trail.folder, {**trail.elsewhere(), **sealed}, keys=keys or trail.keys())
    if as_json:
        by_stream = {each.stream: each for each in checked}
        told = [
            {**msgspec.to_builtins(each), "trail": by_stream.pop(each.stream, None)}
            for each in reports
        ]
        say_json(told + [{"stream": each.stream, "trail": each} for each in by_stream.values()])
    elif not reports and not checked:
        say_lines(NOTHING.format(folder=trail.folder))
    else:
        tell(reports, checked)
    wrong = [
        found
        for each in checked
        for found in each.findings
        if strict or found.attack is not Attack.CLOCK
    ]
    return 1 if wrong or any(report.bad for report in reports) else 0


@command.command("checkpoint")
def checkpoint() -> None:
    """Create a checkpoint and print it, to be stored elsewhere.

    Where there is a key ('snaphook audit key') or [audit] in the settings, the checkpoint is
    sealed: signed, noted in the journal, and copied to the second place. A log that is truncated
    later does not verify against it.
    """
    settings, around = here()
    trail = the_trail(settings, around)
    now = time.time()
    for stream in streams(trail.folder):
        if point := look(stream, now):
            note(stream, point)
            if "audit" not in settings.sections and not trail.keys():
                said = {"stream": stream.name, **msgspec.to_builtins(point)}
                say_json(said)
    if "audit" in settings.sections or trail.keys():
        trail.seal(now=now)
        trail.copy()
        for stream in streams(trail.folder):
            if made := seals(stream):
                say_json(made[-1])


@command.command("export")
@click.option(
    "--since", default="", help="Only events since then: 10m, 2h, 3d, or 2026-05-01T12:00."
)
@click.option("--session", default="", help="Only sessions whose id starts with this.")
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl")
def export(since: str, session: str, form: str) -> None:
    """Export the event log to stdout, oldest first."""
    folder, _ = record_folder()
    wanted = RecordQuery(since=moment(since, time.time()), session=session)
    out = pipe_out()
    if form == "csv":
        out.write(_csv(COLUMNS))
    for record in records(folder, wanted):
        if form == "csv":
            out.write(_csv([getattr(record, column) for column in COLUMNS]))
        else:
            out.write(msgspec.json.encode(record) + b"\n")


def _kept_elsewhere(file: Path) -> tuple[dict[str, list[Checkpoint]], dict[str, list[Seal]]]:
    """Return the checkpoints in *file* by stream: plain ones, and sealed ones."""
    plain: dict[str, list[Checkpoint]] = {}
    sealed: dict[str, list[Seal]] = {}
    try:
        for line in file.read_bytes().splitlines():
            said = msgspec.json.decode(line)
            stream = said["stream"]
            if "root" in said:
                sealed.setdefault(stream, []).append(msgspec.convert(said, Seal))
            else:
                del said["stream"]
                plain.setdefault(stream, []).append(msgspec.convert(said, Checkpoint))
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(
            where=str(file),
            what=f"contains no checkpoints: {error}",
            fix="'snaphook audit checkpoint' prints them.",
        ) from error
    return plain, sealed


FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""How a cell begins that a spreadsheet computes: https://owasp.org/www-community/attacks/CSV_Injection"""


def _csv(values: "tuple[str, ...] | list[Any]") -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(map(_as_text, values))
    return line.getvalue().encode()


def _as_text(cell: Any) -> Any:
    """Return *cell* so that a spreadsheet shows it: a command may begin like a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
