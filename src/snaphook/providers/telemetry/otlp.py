"""Speak OTLP to a collector, with OpenTelemetry's own exporters.

Spans, Stops, Measures  ->  protobuf over HTTP or gRPC

Address, headers, certificates, compression and timeout come from the standard OTEL_* variables where
the settings say nothing.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from socket import gethostname
from typing import Any

from snaphook.errors import MissingExtra

from . import names as n
from .collector import ExportFailure
from .measures import Measures, Spread, series
from .names import METRICS, MetricKind
from .settings import Protocol, Signal, TelemetrySettings
from .span import TraceSpan

try:
    from opentelemetry._logs import LogRecord, SeverityNumber
    from opentelemetry.sdk._logs import ReadableLogRecord
    from opentelemetry.sdk.metrics import export as points
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import (
        NonRecordingSpan,
        SpanContext,
        SpanKind,
        Status,
        StatusCode,
        TraceFlags,
        set_span_in_context,
    )
except ModuleNotFoundError as missing:
    raise MissingExtra.named("otel", wanted_by="telemetry") from missing

VERSION = version("snaphook")
_MODULES = {
    Protocol.HTTP: "opentelemetry.exporter.otlp.proto.http",
    Protocol.GRPC: "opentelemetry.exporter.otlp.proto.grpc",
}
_EXPORTERS = {
    Signal.TRACES: ("trace_exporter", "OTLPSpanExporter"),
    Signal.METRICS: ("metric_exporter", "OTLPMetricExporter"),
    Signal.LOGS: ("_log_exporter", "OTLPLogExporter"),
}
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_CUMULATIVE = points.AggregationTemporality.CUMULATIVE


class OneResource(Resource):
    """Who tells: one for all, so that a span is put with the others of its kind without comparing."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__


class RecordedSpanContext:
    """Which span it is, as an exporter asks for it."""

    __slots__ = ("span_id", "trace_id")
    is_remote, trace_flags, trace_state = False, _SAMPLED, None

    def __init__(self, trace: str, span: str) -> None:
        self.trace_id, self.span_id = int(trace, 16), int(span, 16)


class RecordedSpan:
    """A span that is over, with all that an exporter asks a ``ReadableSpan`` for.

    Made for each event, and a third of the price: nothing is checked, copied or locked.
    """

    __slots__ = (
        "attributes",
        "context",
        "end_time",
        "instrumentation_scope",
        "name",
        "parent",
        "resource",
        "start_time",
        "status",
    )
    kind = SpanKind.INTERNAL
    events = links = ()
    dropped_attributes = dropped_events = dropped_links = 0

    def __init__(self, span: TraceSpan, resource: Resource, scope: InstrumentationScope) -> None:
        self.name = span.name
        self.context = RecordedSpanContext(span.trace, span.id)
        self.parent = RecordedSpanContext(span.trace, span.parent) if span.parent else None
        self.resource, self.instrumentation_scope = resource, scope
        self.attributes = span.attributes
        self.status = Status(StatusCode.ERROR, span.error) if span.error else None
        self.start_time, self.end_time = _nanoseconds(span.start), _nanoseconds(span.end)

    def get_span_context(self) -> RecordedSpanContext:
        """Return which one it is."""
        return self.context


class Otlp:
    """A collector reached by OTLP; a signal that nobody wants is taken and forgotten."""

    def __init__(self, settings: TelemetrySettings, env: Mapping[str, str]) -> None:
        named = {} if env.get("OTEL_SERVICE_NAME") else {"service.name": "snaphook"}
        if "host.name" not in env.get("OTEL_RESOURCE_ATTRIBUTES", ""):
            named["host.name"] = gethostname()
        found = Resource.create({**named, "service.version": VERSION})
        self._resource = OneResource(found.attributes, found.schema_url)
        self._closed = False
        self._scope = InstrumentationScope(n.SCOPE, VERSION)
        self._exporters = {
            signal: _exporter(signal, settings, env)
            for signal in settings.signals
            if env.get(f"OTEL_{signal.upper()}_EXPORTER") != "none"
        }

    def spans(self, spans: Sequence[TraceSpan]) -> bool:
        """Tell *spans*."""
        exporter = self._exporters.get(Signal.TRACES)
        return exporter is None or _taken(exporter.export([self._span(span) for span in spans]))

    def stops(self, stops: Sequence[ExportFailure]) -> bool:
        """Tell *stops*."""
        exporter = self._exporters.get(Signal.LOGS)
        return exporter is None or _taken(exporter.export([self._line(stop) for stop in stops]))

    def metrics(self, measures: Measures, now: float) -> bool:
        """Tell how far every number has come."""
        exporter = self._exporters.get(Signal.METRICS)
        if exporter is None:
            return True
        return _taken(exporter.export(metrics_data(measures, now, self._resource, self._scope)))

    def close(self) -> None:
        """Let go of every connection; nothing is taken from then on."""
        if not self._closed:
            self._closed = True
            for exporter in self._exporters.values():
                exporter.shutdown()

    def _span(self, span: TraceSpan) -> RecordedSpan:
        return RecordedSpan(span, self._resource, self._scope)

    def _line(self, stop: ExportFailure) -> ReadableLogRecord:
        line = LogRecord(
            timestamp=_nanoseconds(stop.time),
            observed_timestamp=_nanoseconds(stop.time),
            context=set_span_in_context(NonRecordingSpan(_context(stop.trace, stop.span))),
            severity_text="WARN",
            severity_number=SeverityNumber.WARN,
            body=stop.text,
            attributes=stop.attributes,
            event_name="snaphook.stop",
        )
        return ReadableLogRecord(line, self._resource, self._scope)


def metrics_data(
    measures: Measures, now: float, resource: Resource, scope: InstrumentationScope
) -> points.MetricsData:
    """Return every number of *measures* as the exporter takes them, counted since they began."""
    since, until = _nanoseconds(measures.since), _nanoseconds(now)
    found: dict[str, list[Any]] = {}
    for name, labels, value in series(measures):
        attributes = dict(zip(METRICS[name].labels, labels, strict=True))
        found.setdefault(name, []).append(_point(name, attributes, value, since, until))
    made = [_metric(name, data) for name, data in found.items()]
    scoped = points.ScopeMetrics(scope=scope, metrics=made, schema_url="")
    told = points.ResourceMetrics(resource=resource, scope_metrics=[scoped], schema_url="")
    return points.MetricsData(resource_metrics=[told])


def _point(
    name: str, attributes: Mapping[str, str], value: float | Spread, since: int, until: int
) -> points.NumberDataPoint | points.HistogramDataPoint:
    if not isinstance(value, Spread):
        return points.NumberDataPoint(
            attributes=attributes, start_time_unix_nano=since, time_unix_nano=until, value=value
        )
    bounds = METRICS[name].bounds
    filled = [
        edge for edge, count in zip((*bounds, bounds[-1]), value.counts, strict=True) if count
    ]
    return points.HistogramDataPoint(
        attributes=attributes,
        start_time_unix_nano=since,
        time_unix_nano=until,
        count=value.count,
        sum=value.sum,
        bucket_counts=value.counts,
        explicit_bounds=bounds,
        min=0.0,
        max=filled[-1],  # not kept; the edge of the last bucket is as near as we know
    )


def _metric(name: str, data: list[Any]) -> points.Metric:
    metric = METRICS[name]
    return points.Metric(
        name=name, description=metric.help, unit=metric.unit, data=_behaving(metric.kind, data)
    )


def _behaving(kind: MetricKind, data: list[Any]) -> points.Histogram | points.Sum | points.Gauge:
    match kind:
        case MetricKind.HISTOGRAM:
            return points.Histogram(data_points=data, aggregation_temporality=_CUMULATIVE)
        case MetricKind.COUNTER:
            return points.Sum(
                data_points=data, aggregation_temporality=_CUMULATIVE, is_monotonic=True
            )
        case MetricKind.GAUGE:
            return points.Gauge(data_points=data)


def _exporter(signal: Signal, settings: TelemetrySettings, env: Mapping[str, str]) -> Any:
    said = settings.protocol or env.get("OTEL_EXPORTER_OTLP_PROTOCOL") or Protocol.HTTP
    protocol = Protocol.GRPC if said == Protocol.GRPC else Protocol.HTTP
    module, name = _EXPORTERS[signal]
    try:
        exporter = getattr(import_module(f"{_MODULES[protocol]}.{module}"), name)
    except ModuleNotFoundError as missing:
        raise MissingExtra(
            where="telemetry",
            what=f"cannot speak {protocol}",
            fix=f"Run: pip install opentelemetry-exporter-otlp-proto-{protocol.partition('/')[0]}",
        ) from missing
    if not settings.endpoint:
        return exporter()
    if protocol is Protocol.GRPC:
        return exporter(
            endpoint=settings.endpoint, insecure=settings.endpoint.startswith("http://")
        )
    return exporter(endpoint=f"{settings.endpoint.rstrip('/')}/v1/{signal}")


def _taken(result: Any) -> bool:
    return bool(result.name == "SUCCESS")


def _context(trace: str, span: str) -> SpanContext:
    return SpanContext(int(trace, 16), int(span, 16), is_remote=False, trace_flags=_SAMPLED)


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
