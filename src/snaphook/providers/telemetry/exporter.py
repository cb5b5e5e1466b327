"""Follow the record and tell of it: once as numbers, once as traces and lines.

log folder  ->  Measures        log folder  ->  Spans, Stops  ->  Collector

Both remember in a file of their own how far they came, and what was open then; the file moves on only
when the collector has taken everything. So a collector may be away, and we may be killed, at any
moment: spans are told again with the same ids, numbers are never counted twice.
"""

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct, field

from snaphook.prices import PriceList
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.ship import ShipCursor

from . import measures as m
from . import spans as s
from .collector import Collector, ExportFailure, stop_in
from .follow import Cursors, end_of, fresh, just_before, keep_position
from .sample import Sampler
from .span import TraceSpan

log = logging.getLogger("snaphook.telemetry")

Kept = TypeVar("Kept")


class ExportPosition(Struct, Generic[Kept], kw_only=True):
    """How far the record was read, and what was open there."""

    kept: Kept
    cursors: dict[str, ShipCursor] = field(default_factory=dict)


class MetricExporter:
    """The record, counted: what Prometheus reads and a collector is told now and then.

    Whoever only looks (*keep* is false) leaves no trace, and counts all there is where nobody did.
    Counting begins now, or a moment ago (*begun*), or *since* one long over; what was counted is
    not counted again.
    """

    def __init__(
        self,
        folder: Path,
        place: Path,
        *,
        now: float,
        prices: PriceList | None = None,
        clean: Callable[[str], str] = str,
        keep: bool = True,
        since: float | None = None,
        begun: float | None = None,
    ) -> None:
        self._folder, self._file = folder, place / "metrics.json"
        found = _load(self._file, ExportPosition[m.StoredMeasures])
        self._keep = keep
        begins_now = keep and since is None
        self._since = 0.0 if found or since is None else since
        self._cursors = found.cursors if found else _begin(folder, begun) if begins_now else {}
        self._reading = threading.Lock()
        self.lock = threading.Lock()
        """Held by whoever reads or writes ``measures``."""
        self.measures = m.Measures(
            found.kept if found else None, prices=prices, clean=clean, now=now
        )
        if found is None:
            self._save()

    def read(self) -> int:
        """Count what is new; return how many records that was."""
        with self._reading:
            return self._read()

    def as_of_now(self) -> m.Measures:
        """Return the numbers as they stand; nobody counts on in these."""
        with self.lock:
            kept = msgspec.json.encode(self.measures.kept())
        return m.Measures(msgspec.json.decode(kept, type=m.StoredMeasures))

    def _read(self) -> int:
        counted = 0
        while True:
            records, reached = fresh(self._folder, self._cursors)
            if not records:
                return counted
            with self.lock:
                for record in records:
                    if record.time >= self._since:
                        self.measures.take(record)
            self._cursors = reached
            counted += len(records)
            self._save()

    def _save(self) -> None:
        if not self._keep:
            return
        with self.lock:
            position = ExportPosition(kept=self.measures.kept(), cursors=self._cursors)
            keep_position(self._file, msgspec.json.encode(position))


class TraceExporter:
    """The record, told: spans that are over, and a line for each stop.

    Telling begins now, or a moment ago (*begun*), and goes on from there; what came *since* one
    long over is told, and told again.
    """

    def __init__(
        self,
        folder: Path,
        place: Path,
        *,
        sampler: Sampler,
        content: bool = False,
        since: float | None = None,
        begun: float | None = None,
    ) -> None:
        self._folder, self._file = folder, place / "traces.json"
        self._sampler, self._content = sampler, content
        found = _load(self._file, ExportPosition[s.StoredSpans]) if since is None else None
        self._since = since or 0.0
        begin = _begin(folder, begun) if since is None else {}
        self._cursors: Cursors = found.cursors if found else begin
        self._stories = s.Traces(found.kept if found else None, content=content)
        self._spans: list[TraceSpan] = []
        self._stops: list[ExportFailure] = []
        if found is None:
            self._save()

    def tell(self, collector: Collector) -> bool:
        """Tell *collector* what is new; ``False`` where it did not take it, to be tried again."""
        while True:
            if not self._told(collector):
                return False
            records, reached = fresh(self._folder, self._cursors)
            if not records:
                return True
            self._cursors = reached
            for record in records:
                if record.time >= self._since:
                    self._take(record)
            self._spans += filter(self._sampler.takes, self._stories.idle(records[-1].time))

    def _take(self, record: Record) -> None:
        spans = self._stories.take(record)
        self._spans += filter(self._sampler.takes, spans)
        if spans and (stop := stop_in(record, spans[0], content=self._content)):
            self._stops.append(stop)

    def _told(self, collector: Collector) -> bool:
        """Say whether everything made so far has been taken; then it need not be made again."""
        if not self._spans and not self._stops:
            return True
        if self._spans and not collector.spans(self._spans):
            return False
        self._spans = []
        if self._stops and not collector.stops(self._stops):
            return False
        self._stops = []
        self._save()
        return True

    def _save(self) -> None:
        position = ExportPosition(kept=self._stories.kept, cursors=self._cursors)
        keep_position(self._file, msgspec.json.encode(position))


def _begin(folder: Path, begun: float | None) -> Cursors:
    """Return where whoever begins to listen now, or did a moment ago, begins to read."""
    return end_of(folder) if begun is None else just_before(folder, begun)


def _load(path: Path, kind: type[ExportPosition[Kept]]) -> ExportPosition[Kept] | None:
    """Return what lies at *path*; ``None`` where nothing does, or nothing that can be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as problem:
        log.warning("%s: %s. Telemetry restarts from now.", path, problem)
        return None
