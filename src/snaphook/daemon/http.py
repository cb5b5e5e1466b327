"""A door for hosts that call by HTTP: one port of this machine, one token, one question a visit.

POST /snaphook/HOST/EVENT  ->  RequestFrame  ->  ReplyFrame  ->  200 and JSON

Any process of any user of this machine can knock at a port, and so can a web page. So nothing of a
body is read before the token was right, and who comes from a browser (an ``Origin``, another name
for this machine in ``Host``) is turned away whatever it brings.
"""

import asyncio
import contextlib
import hmac
import logging
from collections.abc import Mapping
from typing import Any

import h11
from msgspec import Struct
from msgspec.json import encode

from snaphook.errors import SnaphookError
from snaphook.hosts import Host, HostCall, Reply, host_named
from snaphook.hosts.host import time_limit
from snaphook.hosts.http import PATH, Address, body
from snaphook.hosts.refusal import refuse

from .frames import ReplyFrame, RequestFrame
from .server import DaemonServer

log = logging.getLogger("snaphook.daemon")

MOST_HEAD = 16 << 10
MOST_BODY = 64 << 20
READ_SECONDS = 10.0
"""Within which a question must be whole."""
VISITORS = 128
"""At once; who comes after them is turned away."""
FROM_A_BROWSER = (b"origin", b"sec-fetch-site", b"sec-fetch-mode")


class HttpRefusal(Exception):  # noqa: N818 - what happens to a visitor
    """A visitor who is turned away: with which status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class HttpHookCall(Struct, frozen=True, kw_only=True):
    """Who asks about which event."""

    host: Host
    event: str


class HttpEndpoint:
    """Listens on a port of this machine and hands on what is asked there."""

    def __init__(self, server: DaemonServer, address: Address, env: Mapping[str, str]) -> None:
        self._server = server
        self._address = address
        self._env = env
        self._names = {f"127.0.0.1:{address.port}".encode(), f"localhost:{address.port}".encode()}
        self._visitors: set[asyncio.StreamWriter] = set()
        self._listening: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen; fails with an OSError where somebody else has the port."""
        self._listening = await asyncio.start_server(
            self._visit, "127.0.0.1", self._address.port, limit=MOST_HEAD
        )

    def close(self) -> None:
        """Listen no more, and send the visitors home."""
        if self._listening is not None:
            self._listening.close()
        for visitor in tuple(self._visitors):
            visitor.close()

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        self._visitors.add(writer)
        try:
            with contextlib.suppress(OSError, h11.LocalProtocolError):  # they hung up
                if len(self._visitors) > VISITORS:
                    return
                status, said = await self._heard(line, reader)
                writer.write(_reply(line, status, said))
                await writer.drain()
        finally:
            self._visitors.discard(writer)
            writer.close()

    async def _heard(self, line: h11.Connection, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        """Return the status and the body to answer with, whatever comes in."""
        try:
            async with asyncio.timeout(READ_SECONDS):
                asked = self._let_in(await _next(line, reader))
                wire = await _body(line, reader)
        except HttpRefusal as away:
            return away.status, encode({"error": str(away)})
        except h11.RemoteProtocolError as problem:
            return problem.error_status_hint, encode({"error": "invalid HTTP request"})
        except TimeoutError:
            return 408, encode({"error": f"no whole question within {READ_SECONDS:g} s"})
        return 200, body(asked.event, await self._answered(asked, wire))

    def _let_in(self, request: Any) -> HttpHookCall:
        """Return what *request* asks, if it may."""
        if not isinstance(request, h11.Request):
            raise HttpRefusal(400, "no request")
        # h11 bounds only what has not come whole yet: a head that arrives in one piece is not bounded.
        if (
            len(request.target) + sum(len(name) + len(value) for name, value in request.headers)
            > MOST_HEAD
        ):
            raise HttpRefusal(431, f"more than {MOST_HEAD >> 10} KiB of headers")
        headers = dict(request.headers)
        if any(name in headers for name in FROM_A_BROWSER):
            raise HttpRefusal(403, "not for browsers")
        if headers.get(b"host") not in self._names:
            raise HttpRefusal(403, "unknown Host header")
        wanted = f"Bearer {self._address.token}".encode()
        if not hmac.compare_digest(headers.get(b"authorization", b""), wanted):
            raise HttpRefusal(401, "the token is missing or wrong")
        if request.method != b"POST":
            raise HttpRefusal(405, "only POST")
        if int(headers.get(b"content-length", b"0")) > MOST_BODY:
            raise HttpRefusal(413, f"more than {MOST_BODY >> 20} MiB")
        return _asked(request.target.decode("ascii", "replace"))

    async def _answered(self, asked: HttpHookCall, wire: bytes) -> Reply:
        """Return the reply; where there is none in time, the strictest its host takes."""
        args, call = (asked.host.NAME, asked.event), HostCall(event=asked.event)
        request = RequestFrame(
            version=self._server.version, cwd="/", args=args, env=self._env, stdin=wire
        )
        try:
            said = self._server.handle(request)
            if not isinstance(said, ReplyFrame):
                said = await asyncio.wait_for(said, time_limit(asked.host, call))
        except Exception as problem:
            log.exception("a request by HTTP failed")
            why = f"{type(problem).__name__}: {problem}"
            return refuse(asked.host, call, why)
        self._server.served += 1
        return Reply(exit_code=said.status, stdout=said.stdout, stderr=said.stderr)


def _asked(target: str) -> HttpHookCall:
    """Return who asks what by the path *target*."""
    match target.split("/"):
        case ["", here, name, event] if f"/{here}" == PATH:
            try:
                host = host_named(name)
            except SnaphookError:
                raise HttpRefusal(404, "unknown agent") from None
            if host.PLACEMENT is not None and host.PLACEMENT.http and event in host.CAN:
                return HttpHookCall(host=host, event=event)
    raise HttpRefusal(404, "not found")


async def _body(line: h11.Connection, reader: asyncio.StreamReader) -> bytes:
    whole = bytearray()
    while not isinstance(event := await _next(line, reader), h11.EndOfMessage):
        if not isinstance(event, h11.Data):
            raise HttpRefusal(400, "cut short")
        whole += event.data
        if len(whole) > MOST_BODY:
            raise HttpRefusal(413, f"more than {MOST_BODY >> 20} MiB")
    return bytes(whole)


async def _next(line: h11.Connection, reader: asyncio.StreamReader) -> Any:
    while (event := line.next_event()) is h11.NEED_DATA:
        if line.they_are_waiting_for_100_continue:
            raise HttpRefusal(417, "send the body at once")
        line.receive_data(await reader.read(1 << 16))
    return event


def _reply(line: h11.Connection, status: int, said: bytes) -> bytes:
    """Return the bytes of the answer; after it the line is closed."""
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(said))),
        ("Connection", "close"),
    ]
    sent = line.send(h11.Response(status_code=status, headers=headers)) or b""
    return sent + (line.send(h11.Data(data=said)) or b"") + (line.send(h11.EndOfMessage()) or b"")
