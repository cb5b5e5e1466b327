"""The numbers as Prometheus reads them.

Measures  ->  text exposition format  ->  GET /metrics
"""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate, groupby

from .measures import Labels, Measures, Spread, series
from .names import METRICS, prometheus_name

KIND = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = 5
"""How long somebody may take to ask."""


def exposition(measures: Measures) -> str:
    """Return every number of *measures*, one a line."""
    return "".join(f"{line}\n" for line in _lines(measures))


def _lines(measures: Measures) -> Iterator[str]:
    for name, rows in groupby(series(measures), key=lambda row: row[0]):
        metric, spelled = METRICS[name], prometheus_name(name)
        yield f"# HELP {spelled} {metric.help}"
        yield f"# TYPE {spelled} {metric.kind}"
        for _, labels, value in rows:
            if isinstance(value, Spread):
                yield from _spread(spelled, metric.labels, metric.bounds, labels, value)
            else:
                yield f"{spelled}{_labels(metric.labels, labels)} {_number(value)}"


def _spread(
    spelled: str, names: Labels, bounds: tuple[float, ...], labels: Labels, value: Spread
) -> Iterator[str]:
    edges = [*map(_number, bounds), "+Inf"]
    for edge, below in zip(edges, accumulate(value.counts), strict=True):
        yield f"{spelled}_bucket{_labels((*names, 'le'), (*labels, edge))} {below}"
    told = _labels(names, labels)
    yield f"{spelled}_sum{told} {_number(value.sum)}"
    yield f"{spelled}_count{told} {value.count}"


def _labels(names: Labels, values: Labels) -> str:
    pairs = zip(names, values, strict=True)
    return "{" + ",".join(f'{name.replace(".", "_")}="{_escape(v)}"' for name, v in pairs) + "}"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


class Endpoint:
    """Serves what *read* returns at *address*, in threads of its own, until closed."""

    def __init__(self, address: tuple[str, int], read: Callable[[], str]) -> None:
        class Handler(BaseHTTPRequestHandler):
            timeout = SECONDS

            def do_GET(self) -> None:
                known = self.path.partition("?")[0] in ("/", "/metrics")
                body = read().encode() if known else b"Ask for /metrics.\n"
                self.send_response(200 if known else 404)
                self.send_header("Content-Type", KIND)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_said: object) -> None:
                """Say nothing: the daemon's log is for other things."""

        self._server = ThreadingHTTPServer(address, Handler)
        self._server.daemon_threads = True
        self.url = f"http://{address[0]}:{self._server.server_address[1]}/metrics"
        self._thread = threading.Thread(
            target=self._server.serve_forever, name="snaphook-prometheus", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
