"""Every event and every answer, made a record.

Outcome  ->  Record  ->  EventLog

Scrubbed here, before anything is written: nothing below sees a secret.
"""

import os
from collections.abc import Callable
from time import time
from typing import Any

import msgspec

from snaphook.canon import ToolEvent, reason, verdict
from snaphook.engine import Answer, Outcome
from snaphook.stores.eventlog import EventLog, Record, Said

Scrub = Callable[[Any], Any]

LONGEST = 16_384
"""Characters kept of one text; what an agent writes into a file is in the file."""


class Recorder:
    """An observer that writes every outcome down."""

    def __init__(self, log: EventLog, scrub: Scrub) -> None:
        self._log = log
        self._scrub = scrub

    def __call__(self, outcome: Outcome) -> None:
        """Write *outcome* down; a stop is on disk when this returns."""
        self._log.append([record(outcome, self._scrub)])


def record(outcome: Outcome, scrub: Scrub) -> Record:
    """Return what is kept of *outcome*."""
    event, output = outcome.event, outcome.output
    context = event.context
    fields = msgspec.to_builtins(event)
    for name in ("event", "context", "extra"):
        fields.pop(name, None)
    said = {key: value for key, value in msgspec.to_builtins(output or {}).items() if value}
    for name in ("event", "decision", "reason", "by"):
        said.pop(name, None)
    return Record(
        id=new_id(),
        time=context.timestamp or time(),
        event=event.event_name,
        session=context.session_id,
        host=context.host,
        agent=context.agent_type or context.agent_name,
        project=context.team_root,
        tool=event.tool_name if isinstance(event, ToolEvent) else "",
        input=scrub(_shortened(fields)),
        answers=tuple(_said(answer, scrub) for answer in outcome.answers),
        verdict=verdict(output),
        reason=scrub(reason(output)),
        by=output.by if output else "",
        output=scrub(_shortened(said)),
        duration_ms=round(outcome.duration_ms, 3),
        salt=os.urandom(8).hex(),
    )


def new_id() -> str:
    """Return a new id: milliseconds, then chance; sorted by time, unique over all machines."""
    return f"{int(time() * 1000):012x}{os.urandom(10).hex()}"


def _said(answer: Answer, scrub: Scrub) -> Said:
    return Said(
        by=answer.by,
        verdict=verdict(answer.output),
        reason=scrub(reason(answer.output)),
        error=scrub(str(answer.error)) if answer.error else None,
        duration_ms=round(answer.duration_ms, 3),
    )


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}… [+{len(value) - LONGEST} characters]"
    if isinstance(value, dict):
        return {key: _shortened(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(inner) for inner in value]
    return value
