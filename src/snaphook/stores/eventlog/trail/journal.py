"""What auditors and administrators did to the record, kept in the record.

deed  ->  a line of the stream "audit"

Chained and sealed like every other stream: a hold that was never placed, or one that was quietly
taken away, would have to be forged here first.
"""

import getpass
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snaphook.stores.eventlog.log import EventLog
from snaphook.stores.eventlog.read import decoded
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.redaction import JOURNAL as STREAM
from snaphook.stores.eventlog.redaction import REDACTION
from snaphook.stores.eventlog.segment import lines, segments
from snaphook.stores.eventlog.settings import Durability

__all__ = ["CHECKPOINT", "HOLD", "REDACTION", "RELEASE", "STREAM", "actions", "write_down"]
CHECKPOINT, HOLD, RELEASE = "AuditCheckpoint", "AuditHold", "AuditRelease"


def write_down(folder: Path, actions: list[tuple[str, dict[str, Any]]], *, now: float) -> None:
    """Keep *actions*, each an event with its fields, on disk before this returns."""
    log = EventLog(folder, stream=STREAM, durability=Durability.RECORD)
    try:
        log.append(
            [
                Record(
                    id=f"{int(now * 1000):012x}{os.urandom(10).hex()}",
                    time=now,
                    event=event,
                    session="",
                    agent=_who(),
                    input=fields,
                    salt=os.urandom(8).hex(),
                )
                for event, fields in actions
            ]
        )
    finally:
        log.close()


def actions(folder: Path, *events: str) -> Iterator[Record]:
    """Yield what was written down of *events*, oldest first."""
    for path in segments(folder / STREAM):
        for record in decoded(lines(path)):
            if record.event in events:
                yield record


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"
