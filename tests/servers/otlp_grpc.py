"""A receiver of OTLP over gRPC, on loopback: a real server of the three services."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1 import logs_service_pb2, logs_service_pb2_grpc
from opentelemetry.proto.collector.metrics.v1 import (
    metrics_service_pb2,
    metrics_service_pb2_grpc,
)
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from tests.servers.otlp import Receiver


class GrpcReceiver(Receiver):
    """What came in by gRPC; says UNAVAILABLE while it is *away*."""

    def keep(self, path: str, message: Any, call: grpc.ServicerContext) -> None:
        """Take *message*, or refuse the *call*."""
        if self.away:
            self.refused += 1
            call.abort(grpc.StatusCode.UNAVAILABLE, "away")
        self.headers = dict(call.invocation_metadata())
        self.came[path].append(message)


@contextmanager
def grpc_receiver() -> Iterator[GrpcReceiver]:
    """Yield a receiver that listens on loopback."""
    told = GrpcReceiver()

    class Traces(trace_service_pb2_grpc.TraceServiceServicer):
        def Export(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
            told.keep("/v1/traces", request, context)
            return trace_service_pb2.ExportTraceServiceResponse()

    class Metrics(metrics_service_pb2_grpc.MetricsServiceServicer):
        def Export(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
            told.keep("/v1/metrics", request, context)
            return metrics_service_pb2.ExportMetricsServiceResponse()

    class Logs(logs_service_pb2_grpc.LogsServiceServicer):
        def Export(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
            told.keep("/v1/logs", request, context)
            return logs_service_pb2.ExportLogsServiceResponse()

    server = grpc.server(ThreadPoolExecutor(4))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(Traces(), server)
    metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(Metrics(), server)
    logs_service_pb2_grpc.add_LogsServiceServicer_to_server(Logs(), server)
    told.url = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield told
    finally:
        server.stop(None).wait()
