"""How long things are kept, by policy.

AuditSettings + record  ->  until when        stream  ->  what may go, and what a hold keeps

A whole segment goes when the longest time is over; a record with a shorter time loses its contents
and keeps its place. What is held stays.
"""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.read import decoded
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.segment import lines, segments
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.stores.eventlog.tidy import pack, retire
from snaphook.stores.eventlog.upkeep import upkeep

from .hold import holds, is_held, within
from .journal import STREAM
from .redact import Redacted, finish, redact
from .settings import YEAR, AuditSettings

DAY = 86_400.0
UNBOUNDED = 1 << 40


def retain(folder: Path, log: LogSettings, audit: AuditSettings, *, now: float) -> list[Redacted]:
    """Let go of what is over its time; return the records that lost their contents."""
    kept = kept_settings(log, audit)
    with upkeep(folder):
        may_go = _not_held(folder)
        for stream in streams(folder):
            for path in segments(stream)[:-1]:
                if path.suffix == ".log":
                    pack(path)
            if stream.name != STREAM:  # holds and redactions are kept as long as the record itself
                retire(stream, kept, now=now, may_go=may_go)
    finish(folder, now=now)
    if not audit.keep:
        return []
    gone, _ = redact(folder, expired(audit, now), why="its time is over", now=now)
    return gone


def kept_settings(log: LogSettings, audit: AuditSettings) -> LogSettings:
    """Return *log*'s limits, none of which may let a record go before *audit* does."""
    return replace(log, keep_days=max(log.keep_days, audit.keep_days), max_mb=UNBOUNDED)


def expired(audit: AuditSettings, now: float) -> Callable[[Record], bool]:
    """Return who says whether a record's contents are over their time."""

    def over(record: Record) -> bool:
        for rule in audit.keep:
            if rule.event and rule.event != record.event:
                continue
            if rule.project and not within(record.project, rule.project):
                continue
            return now - record.time > rule.days * DAY
        return now - record.time > audit.keep_years * YEAR * DAY

    return over


def _not_held(folder: Path) -> Callable[[Path], bool]:
    in_force = holds(folder)

    def may_go(segment: Path) -> bool:
        return not in_force or not any(
            is_held(record, in_force) for record in decoded(lines(segment))
        )

    return may_go
