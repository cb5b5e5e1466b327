"""What a collector hears, whatever speaks to it.

Record + TraceSpan  ->  ExportFailure        Spans, Stops, Measures  ->  Collector
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from snaphook.stores.eventlog.record import Record

from . import names as n
from .measures import Measures
from .span import Attributes, TraceSpan


class ExportFailure(Struct, frozen=True, kw_only=True):
    """Something that did not go through, as one line of a log."""

    time: float
    text: str
    trace: str
    span: str
    attributes: Attributes


class Collector(Protocol):
    """Takes what there is to tell; ``False`` where it could not, so that it is told again."""

    def spans(self, spans: Sequence[TraceSpan]) -> bool:
        """Tell *spans*."""

    def stops(self, stops: Sequence[ExportFailure]) -> bool:
        """Tell *stops*."""

    def metrics(self, measures: Measures, now: float) -> bool:
        """Tell how far every number has come."""

    def close(self) -> None:
        """Let go; whoever waits in a call above is released."""


def stop_in(record: Record, hook: TraceSpan, *, content: bool) -> ExportFailure | None:
    """Return the line for *record*, whose hook is the span *hook*; ``None`` where nothing stopped."""
    if not record.stops:
        return None
    attributes = {**hook.attributes, n.CONVERSATION: record.session, n.AGENT: record.agent}
    if record.tool:
        attributes[n.TOOL] = record.tool
    rule = f" ({attributes[n.RULE]})" if n.RULE in attributes else ""
    said = f"{record.verdict} {record.tool or record.event} by {record.by}{rule}"
    return ExportFailure(
        time=record.time,
        text=f"{said}: {record.reason}" if content and record.reason else said,
        trace=hook.trace,
        span=hook.id,
        attributes=attributes,
    )
