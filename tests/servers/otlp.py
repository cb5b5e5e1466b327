"""A receiver of OTLP over HTTP, on loopback: OpenTelemetry's own messages, decoded for real."""

import gzip
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

MESSAGES: Mapping[str, Any] = {
    "/v1/traces": ExportTraceServiceRequest,
    "/v1/metrics": ExportMetricsServiceRequest,
    "/v1/logs": ExportLogsServiceRequest,
}


class Receiver:
    """What came in, signal by signal; answers 503 while it is *away*."""

    def __init__(self) -> None:
        self.came: dict[str, list[Any]] = {path: [] for path in MESSAGES}
        self.away = False
        self.answers = threading.Event()
        """Cleared, it has everybody wait."""
        self.knocked = threading.Event()
        """Set by whoever comes to tell something."""
        self.answers.set()
        self.refused = 0
        self.headers: dict[str, str] = {}
        self.url = ""

    def take(self, path: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Return the status for *body*, posted to *path*."""
        self.knocked.set()
        self.answers.wait(60)
        if self.away:
            self.refused += 1
            return 503
        self.headers = dict(headers)
        raw = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body
        message = MESSAGES[path]()
        message.ParseFromString(raw)
        self.came[path].append(message)
        return 200

    @property
    def spans(self) -> list[Any]:
        """Return every span that came."""
        return [
            span
            for message in self.came["/v1/traces"]
            for resource in message.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def lines(self) -> list[Any]:
        """Return every line of a log that came."""
        return [
            line
            for message in self.came["/v1/logs"]
            for resource in message.resource_logs
            for scope in resource.scope_logs
            for line in scope.log_records
        ]

    @property
    def metrics(self) -> dict[str, Any]:
        """Return the last state of every metric that came."""
        return {
            metric.name: metric
            for message in self.came["/v1/metrics"]
            for resource in message.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }

    def tree(self) -> list[str]:
        """Return the names of all spans, indented below their parents, in the order of time."""
        ids = {span.span_id for span in self.spans}
        below: dict[bytes, list[Any]] = {}
        for span in sorted(self.spans, key=lambda one: (one.start_time_unix_nano, one.name)):
            parent = span.parent_span_id if span.parent_span_id in ids else b""
            below.setdefault(parent, []).append(span)

        def shown(parent: bytes, depth: int) -> Iterator[str]:
            for span in below.get(parent, ()):
                yield "  " * depth + span.name
                yield from shown(span.span_id, depth + 1)

        return list(shown(b"", 0))


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Yield a receiver that listens on loopback."""
    told = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = told.take(self.path, body, dict(self.headers))
            with suppress(ConnectionError):  # who was kept waiting may have left
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, *_said: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield told
    finally:
        told.answers.set()
        server.shutdown()
        server.server_close()
        thread.join()


def attributes(of: Any) -> dict[str, Any]:
    """Return the attributes of a span, point or line as Python values."""
    return {a.key: getattr(a.value, a.value.WhichOneof("value")) for a in of.attributes}
