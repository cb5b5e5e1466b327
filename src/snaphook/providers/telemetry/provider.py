"""Telemetry for an agent of one's own: an observer of an engine, or a provider among others.

Outcome, or Event  ->  a queue that never waits  ->  Spans, numbers, lines  ->  Collector

Inside a host nobody needs this: the daemon tells of the record. Here there may be no record, so what
happens goes through a bounded queue to a thread; where that is full, the oldest goes and is counted.
"""

import itertools
import logging
import os
import threading
from collections import deque
from collections.abc import Mapping
from time import time
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec.structs import replace

from snaphook.canon import Event, HookContext, HooksProvider, Output, ToolEvent, reason, verdict
from snaphook.canon.hook_runs import RecordedRun
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog.record import Record, RecordedAnswer

from .collector import Collector, ExportFailure, stop_in
from .measures import Measures
from .prometheus import exposition
from .sample import sampler
from .settings import TelemetrySettings
from .span import TraceSpan
from .spans import Traces

if TYPE_CHECKING:
    from collections.abc import Sequence

log = logging.getLogger("snaphook.telemetry")

WAITING = 8_192
"""Events that may wait to be told."""
_ABOUT = frozenset(
    ["agent_id", "agent_name", "duration_ms", "kind", "model", "payload", "source", "status"]
) | {"tool_use_id"}
"""Fields of an event that hold no content."""


class Happened(Protocol):
    """What came of an event, as an engine tells its observers."""

    @property
    def event(self) -> Event:
        """Return what happened."""

    @property
    def output(self) -> Output | None:
        """Return what was decided."""

    @property
    def answers(self) -> "Sequence[Any]":
        """Return what everybody said."""

    @property
    def hooks(self) -> "Sequence[RecordedRun]":
        """Return the command hooks that ran."""

    @property
    def duration_ms(self) -> float:
        """Return how long it took."""


class TelemetryProvider(HooksProvider):
    """Has no opinion, and tells a collector what happens.

    As an observer (``Engine(providers, observers=[telemetry.observe])``) it knows the decisions, too;
    as one provider among others it hears the events alone. Be one or the other: as both it hears
    everything twice. ``close`` tells the rest.
    """

    name = "telemetry"
    suspends = False

    def __init__(
        self,
        settings: TelemetrySettings | None = None,
        *,
        collector: Collector | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.settings = settings or TelemetrySettings()
        env = os.environ if env is None else env
        self._scrubber = Scrubber()
        self._measures = Measures(now=time(), clean=self._scrubber.text)
        self._stories = Traces(content=self.settings.content)
        self._sampler = sampler(self.settings, env)
        self._collector = collector or _otlp(self.settings, env)
        self._waiting: deque[Record] = deque(maxlen=WAITING)
        self._dropped = 0
        self._spans: list[TraceSpan] = []
        self._stops: list[ExportFailure] = []
        self._ids = itertools.count()
        self._turn = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="snaphook-telemetry", daemon=True)
        self._thread.start()

    def observe(self, outcome: Happened) -> None:
        """Take in what came of an event; an engine's observer."""
        answers = tuple(
            RecordedAnswer(
                by=answer.by,
                verdict=verdict(answer.output),
                error=str(answer.error) if answer.error else None,
                rule=getattr(answer.output, "rule", ""),
            )
            for answer in outcome.answers
        )
        # What hooks printed stays here: nobody has scrubbed it.
        hooks = tuple(replace(run, stdout="", stderr="", failure=None) for run in outcome.hooks)
        self._put(
            outcome.event,
            outcome.output,
            answers=answers,
            hooks=hooks,
            duration_ms=outcome.duration_ms,
        )

    def exposition(self) -> str:
        """Return every number so far, as Prometheus reads it."""
        self.flush()
        with self._turn:
            return exposition(self._measures)

    def flush(self) -> bool:
        """Tell everything that waits, now; ``False`` where the collector did not take it."""
        with self._turn:
            while self._waiting:
                self._take(self._waiting.popleft())
            dropped, self._dropped = self._dropped, 0
            if dropped:
                self._measures.add(
                    "snaphook.telemetry.dropped", {"snaphook.signal": "events"}, dropped
                )
            return self._told()

    def close(self) -> None:
        """Tell the rest, and let go."""
        self._over.set()
        self._thread.join()
        self.flush()
        if self._collector is not None:
            self._collector.close()

    def _put(self, event: Event, output: Output | None = None, **about: Any) -> None:
        if len(self._waiting) == WAITING:
            self._dropped += 1
        context = event.context
        self._waiting.append(
            Record(
                id=f"{os.getpid()}-{id(self)}-{next(self._ids)}",
                time=context.timestamp or time(),
                event=event.event_name,
                session=context.session_id,
                host=context.host,
                agent=context.agent_type or context.agent_name,
                project=context.team_root or context.cwd,
                tool=event.tool_name if isinstance(event, ToolEvent) else "",
                parent=context.parent_session_id or "",
                agent_id=context.agent_id or "",
                turn=context.turn_id or "",
                input=self._fields(event),
                verdict=verdict(output),
                reason=self._reason(output),
                by=output.by if output else "",
                **about,
            )
        )

    def _fields(self, event: Event) -> dict[str, Any]:
        fields: dict[str, Any] = msgspec.to_builtins(event)
        if not self.settings.content:
            return {name: value for name, value in fields.items() if name in _ABOUT}
        found: dict[str, Any] = self._scrubber.scrub(fields)
        return found

    def _reason(self, output: Output | None) -> str | None:
        why = reason(output) if self.settings.content else None
        return self._scrubber.text(why) if why else None

    def _take(self, record: Record) -> None:
        self._measures.take(record)
        spans = self._stories.take(record)
        self._spans += filter(self._sampler.takes, spans)
        if spans and (stop := stop_in(record, spans[0], content=self.settings.content)):
            self._stops.append(stop)
        self._bound()

    def _bound(self) -> None:
        """Drop the oldest where a collector is away for too long."""
        if (many := len(self._spans) - WAITING) > 0:
            del self._spans[:many]
            self._measures.add("snaphook.telemetry.dropped", {"snaphook.signal": "spans"}, many)
        del self._stops[:-WAITING]

    def _told(self) -> bool:
        collector = self._collector
        if collector is None:
            self._spans, self._stops = [], []
            return True
        if self._spans and not collector.spans(self._spans):
            return False
        self._spans = []
        if self._stops and not collector.stops(self._stops):
            return False
        self._stops = []
        return collector.metrics(self._measures, time())

    def _run(self) -> None:
        while not self._over.wait(self.settings.interval):
            try:
                if self._waiting or self._spans:
                    self.flush()
            except Exception:
                log.exception("telemetry export failed; it is retried")


def _otlp(settings: TelemetrySettings, env: Mapping[str, str]) -> Collector | None:
    from .pipeline import wanted

    if not wanted(settings, env):
        return None
    from .otlp import Otlp

    return Otlp(settings, env)


def _heard(self: TelemetryProvider, event: Event, _context: HookContext) -> None:
    self._put(event)


for _method in (name for name in vars(HooksProvider) if name.startswith("on_")):
    setattr(TelemetryProvider, _method, _heard)
