"""A real HTTP server on loopback that remembers what it was told and answers as it is told to."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct


class ReceivedRequest(Struct, frozen=True, kw_only=True):
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Return the document."""
        return json.loads(self.body)


class Listener:
    """The server: *answers* are given in order, the last one from then on."""

    def __init__(self, *answers: tuple[int, dict[str, str], bytes]) -> None:
        self.answers = list(answers) or [(200, {}, b"ok")]
        self.heard: list[ReceivedRequest] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                heard = ReceivedRequest(
                    path=self.path, headers=dict(self.headers.items()), body=body
                )
                listener.heard.append(heard)
                self._answer()

            do_GET = do_POST  # noqa: N815 - likewise

            def _answer(self) -> None:
                answers = listener.answers
                status, headers, body = answers.pop(0) if len(answers) > 1 else answers[0]
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def listening(*answers: tuple[int, dict[str, str], bytes]) -> Iterator[Listener]:
    """Yield a listener that is up."""
    listener = Listener(*answers)
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()
