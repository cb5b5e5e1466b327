"""What ``snaphook audit verify`` says: intact, complete up to where, and what is wrong.

Reports + Checked  ->  lines for people
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from snaphook.stores.eventlog.audit import ChainReport
from snaphook.stores.eventlog.trail.finding import Attack, Checked

from .output import say


def tell(reports: Sequence[ChainReport], checked: Sequence[Checked]) -> None:
    """Print what is known about every stream."""
    by_stream = {each.stream: each for each in checked}
    for report in reports:
        _tell(report, by_stream.pop(report.stream, None))
    for each in by_stream.values():
        _tell_findings(each)


def _tell(report: ChainReport, trail: Checked | None) -> None:
    redacted = f", {report.redacted} redacted" if report.redacted else ""
    if report.bad is not None:
        where = f"{report.bad.file}:{report.bad.line}" if report.bad.line else report.bad.file
        say(f"✗ {report.stream}: {where} {report.bad.what}.", style="red")
        say(f"  The {report.records} records before it are unchanged.")
    else:
        say(f"✓ {report.stream}: {report.records} records, intact{redacted}.", style="green")
    if trail is not None and trail.complete_to is not None:
        _tell_complete(trail)
    elif report.bad is None and report.complete_at is not None:
        say(f"  Complete up to checkpoint {report.checkpoints}, of {_when(report.complete_at)}.")
    elif report.bad is None:
        say("  No checkpoint yet: 'snaphook audit checkpoint' creates one.")
    if trail is not None:
        _tell_redactions(trail)
        _tell_findings(trail)


def _tell_redactions(trail: Checked) -> None:
    for act in trail.redactions:
        many, each = _many(act.records, "record"), _many(len(act.fields), "field")
        what = f"{many}, {each} each ({', '.join(act.fields)})"
        say(f"  Redacted by {act.by} on {_when(act.time)}: {what}: {act.why}")
    if trail.unfinished:
        what = f"{trail.unfinished} redactions were started and not finished"
        say(f"! {trail.stream}: {what}. Run: snaphook audit redact --finish", style="yellow")


def _tell_complete(trail: Checked) -> None:
    when = _when((trail.complete_at_ms or 0) / 1000)
    signed = f"signed by {trail.signed_by}" if trail.signed_by else "not signed"
    kept = ", copied to a second location" if trail.elsewhere else ""
    say(f"  Complete up to checkpoint {trail.complete_to}, of {when}, {signed}{kept}.")


def _tell_findings(trail: Checked) -> None:
    for found in trail.findings:
        mark, colour = ("!", "yellow") if found.attack is Attack.CLOCK else ("✗", "red")
        say(f"{mark} {trail.stream}: {found.attack}: {found.where}: {found.what}.", style=colour)


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().isoformat(" ", "seconds")
