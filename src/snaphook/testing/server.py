"""A model on loopback that says what its script tells, over the wires real agents speak.

HTTP request  ->  Asked  ->  Script  ->  HTTP answer

    from snaphook.testing import ModelServer

    with ModelServer('''
        turn
          call Bash {"command": "git push --force"}
        turn when "blocked"
          say I'll open a pull request instead.
    ''') as server:
        run_my_agent(env=server.environment())      # ANTHROPIC_BASE_URL and its relatives
    assert server.asked[-1].heard("blocked")        # what the model was told

It speaks Anthropic Messages, OpenAI chat completions and responses, and Gemini, streaming and
whole, and refuses what the real APIs would refuse (``strict=False`` switches that off). It listens
on a free port of 127.0.0.1 from the moment it is made until ``close()``. The script's form is told
in :mod:`snaphook.testing.script`; ``python -m snaphook.testing FILE`` serves one by hand.
"""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from msgspec.structs import replace

from .script import Answer, Asked, Drop, Failure, Responder, Script, Turn, Wait, as_script
from .wires import Wire, wire_of
from .wires.augment import SIDE

_GONE = (BrokenPipeError, ConnectionResetError)


class ModelServer:
    """A scripted model that listens on loopback; a context manager, or close it yourself."""

    def __init__(
        self,
        script: Script | str | Iterable[Turn | Answer] | Responder,
        *,
        port: int = 0,
        strict: bool = True,
    ) -> None:
        self.script = as_script(script)
        self.strict = strict
        self.refused: list[str] = []
        """Why requests were refused as the real API would, in order."""
        self._http = _Http(("127.0.0.1", port), self)
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        """Return the address, without a path."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def asked(self) -> list[Asked]:
        """Return every request that reached the script, in order."""
        return self.script.asked

    def environment(self) -> dict[str, str]:
        """Return the variables that point the usual SDKs and command lines here."""
        return {
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": "scripted",
            "OPENAI_BASE_URL": f"{self.url}/v1",
            "OPENAI_API_KEY": "scripted",
            "GOOGLE_GEMINI_BASE_URL": self.url,
            "GEMINI_API_KEY": "scripted",
        }

    def close(self) -> None:
        """Stop listening; answers under way are cut."""
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], models: ModelServer) -> None:
        super().__init__(address, _Handler)
        self.models = models

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that hangs up is part of the trade."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_HEAD(self) -> None:
        self._json(200, {})

    def do_GET(self) -> None:
        self._json(200, {"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        path = urlsplit(self.path).path
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        wire = wire_of(path)
        if wire is not None:
            self._answer(wire, path, body)
        elif path in SIDE:
            self._json(200, SIDE[path])
        elif path.endswith(("/count_tokens", ":countTokens")):
            tokens = len(json.dumps(body)) // 4
            self._json(200, {"input_tokens": tokens, "totalTokens": tokens})
        else:
            self._json(404, {"error": {"message": f"the scripted model has no {path}"}})

    def _answer(self, wire: Wire, path: str, body: dict[str, Any]) -> None:
        models = self.server.models
        objections = wire.objections(body) if models.strict else []
        if objections:
            models.refused += objections
            self._fail(wire, Failure(status=400, message="; ".join(objections)))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = replace(wire.decode(path, body), headers=headers)
        answer = models.script.answer(asked)
        if isinstance(answer, Failure):
            self._fail(wire, answer)
        elif asked.stream:
            self._stream(wire.stream(answer, asked))
        elif self._paused(answer.steps):
            self._json(200, wire.whole(answer, asked))

    def _paused(self, steps: Iterable[object]) -> bool:
        """Wait as *steps* say; False when one of them broke the connection."""
        for step in steps:
            if isinstance(step, Wait):
                time.sleep(step.seconds)
            elif isinstance(step, Drop):
                self._drop()
                return False
        return True

    def _stream(self, pieces: Iterator[bytes | Wait | Drop]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        with contextlib.suppress(*_GONE):
            for piece in pieces:
                if isinstance(piece, bytes):
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                elif not self._paused([piece]):
                    return
            self.wfile.write(b"0\r\n\r\n")

    def _drop(self) -> None:
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()  # with nothing to linger for, the peer sees a reset

    def _fail(self, wire: Wire, failure: Failure) -> None:
        wait = failure.retry_after
        extra = {} if wait is None else {"retry-after": f"{wait:g}"}
        self._json(failure.status, wire.failure(failure), extra)

    def _json(self, status: int, body: dict[str, Any], extra: dict[str, str] | None = None) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(*_GONE):
            self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing on stderr."""
