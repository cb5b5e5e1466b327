"""What people may change about telemetry.

[telemetry] of snaphook.toml  ->  TelemetrySettings
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct


class Signal(StrEnum):
    """What is told to a collector."""

    TRACES = "traces"
    METRICS = "metrics"
    LOGS = "logs"


class Protocol(StrEnum):
    """How a collector is spoken to."""

    HTTP = "http/protobuf"
    GRPC = "grpc"


class TelemetrySettings(Struct, frozen=True, kw_only=True):
    """Where traces, metrics and logs go, how many of them, and how much they tell.

    Read from the user's and the administrator's files: the daemon tells of every project, so no
    project decides where.
    """

    enabled: bool = True
    endpoint: str = ""
    """The collector, "http://127.0.0.1:4318"; where nothing is said, OTEL_EXPORTER_OTLP_ENDPOINT."""
    protocol: Protocol | None = None
    """"http/protobuf" or "grpc"; where nothing is said, OTEL_EXPORTER_OTLP_PROTOCOL, then the first."""
    signals: tuple[Signal, ...] = (Signal.TRACES, Signal.METRICS, Signal.LOGS)
    """Which signals are exported: traces, metrics, logs."""
    prometheus: str = ""
    """Where the daemon serves metrics, "127.0.0.1:9464"; nowhere if empty."""
    sample: Annotated[float, Meta(ge=0, le=1)] | None = None
    """Share of sessions whose traces are exported; metrics count all sessions."""
    content: bool = False
    """Also export commands, prompts, results and reasons, with secrets redacted."""
    interval: Annotated[float, Meta(ge=0.1, le=3600)] = 5.0
    """Seconds to collect spans before they are exported together."""

    @staticmethod
    def find_errors(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what is wrong with *table* that its types cannot tell: place, what, fix."""
        endpoint, address = str(table.get("endpoint", "")), str(table.get("prometheus", ""))
        if endpoint and not endpoint.startswith(("http://", "https://")):
            yield ("endpoint",), f"invalid endpoint '{endpoint}'", "Write 'http://127.0.0.1:4318'."
        if address and address_of(address) is None:
            yield ("prometheus",), f"'{address}' has no port", "Write '127.0.0.1:9464'."


def address_of(text: str) -> tuple[str, int] | None:
    """Return host and port of *text*; ``None`` where it names neither."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65_535:
        return None
    return host.strip("[]") or "127.0.0.1", int(port)
