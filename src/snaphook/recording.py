"""Every event and every answer, made a record.

Outcome  ->  Record

Scrubbed here, before anything is written: nothing below sees a secret.
"""

import os
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import Any

import msgspec

from snaphook.canon import ToolEvent, reason, verdict
from snaphook.engine import Answer, Outcome
from snaphook.scrub import Scrubber, load_salt
from snaphook.stores.eventlog import EventLog, LogSettings, Record, Said

LONGEST = 16_384
"""Characters kept of one text; what an agent writes into a file is in the file."""
SHARED = "direct"
"""The stream of those who answer without a daemon."""
_KEPT_ELSEWHERE = ("event", "context", "decision", "reason", "by")


class Recorder:
    """An engine's observer: what comes of each event goes to *write*, as a record."""

    def __init__(self, write: Callable[[Record], object], scrubber: Scrubber) -> None:
        self._write = write
        self._scrub = scrubber.scrub

    def __call__(self, outcome: Outcome) -> None:
        """Write *outcome* down."""
        self._write(record(outcome, self._scrub))


def scrubber(data_dir: Path) -> Scrubber:
    """Return a scrubber whose placeholders stay the same from one day to the next."""
    return Scrubber(salt=load_salt(data_dir / "salt"))


def keep(outcome: Outcome, settings: LogSettings, data_dir: Path) -> None:
    """Write *outcome* to the stream that processes without a daemon share; it is on disk then."""
    made = record(outcome, scrubber(data_dir).scrub)
    log = EventLog(
        settings.place(data_dir),
        stream=SHARED,
        durability=settings.durability,
        segment_bytes=settings.segment_mb << 20,
        patience=2.0,
    )
    log.append([made])
    log.close()


def record(outcome: Outcome, scrub: Callable[[Any], Any]) -> Record:
    """Return what is kept of *outcome*."""
    event, output = outcome.event, outcome.output
    context = event.context

    def kept(value: Any) -> Any:
        return scrub(_shortened(value))

    return Record(
        id=new_id(),
        time=context.timestamp or time(),
        event=event.event_name,
        session=context.session_id,
        host=context.host,
        agent=context.agent_type or context.agent_name,
        project=context.team_root or context.cwd,
        tool=event.tool_name if isinstance(event, ToolEvent) else "",
        input=kept(_plain(event)),
        answers=tuple(_said(answer, kept) for answer in outcome.answers),
        verdict=verdict(output),
        reason=kept(reason(output)),
        by=output.by if output else "",
        output=kept(_plain(output)) if output else {},
        duration_ms=round(outcome.duration_ms, 3),
        salt=os.urandom(8).hex(),
    )


def new_id() -> str:
    """Return a new id: milliseconds, then chance; sorted by time, unique over all machines."""
    return f"{int(time() * 1000):012x}{os.urandom(10).hex()}"


def _said(answer: Answer, kept: Callable[[Any], Any]) -> Said:
    return Said(
        by=answer.by,
        verdict=verdict(answer.output),
        reason=kept(reason(answer.output)),
        error=kept(str(answer.error)) if answer.error else None,
        duration_ms=round(answer.duration_ms, 3),
    )


def _plain(value: Any) -> dict[str, Any]:
    """Return the fields of an event or output that have no place of their own in a record."""
    fields: dict[str, Any] = msgspec.to_builtins(value)
    return {
        name: field
        for name, field in fields.items()
        if name not in _KEPT_ELSEWHERE and field not in (None, "", [], {})
    }


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        kept = value if len(value) <= LONGEST else _cut(value)
        return kept if kept.isascii() else kept.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {key: _shortened(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(inner) for inner in value]
    return value


def _cut(text: str) -> str:
    return f"{text[:LONGEST]}… [+{len(text) - LONGEST} characters]"
