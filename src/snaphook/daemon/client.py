"""One client at the socket: its question is gathered, answered, and it is let go.

bytes  ->  Request  ->  Answer  ->  bytes

Where the handler answers at once no task is made: for most calls that is the greater part of the
work that is saved.
"""

import asyncio
import logging
import os
import socket
import struct
from collections.abc import Coroutine
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from snaphook.errors import WireError

from . import frames
from .frames import Answer, Request

if TYPE_CHECKING:
    from .server import Server

log = logging.getLogger("snaphook.daemon")

FAILED = "a request failed; Python answers it instead"
HEARTBEAT = 0.5
"""Seconds between two signs of life while a hook takes its time."""


class Client(asyncio.Protocol):
    """A connection."""

    def __init__(self, server: "Server") -> None:
        self.since = monotonic()
        self.asked = False
        """The whole question is here; what follows is ours to do."""
        self._server = server
        self._gathered = frames.Gathering()
        self._transport: asyncio.Transport | None = None
        self._thinking: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let our own user in, and nobody else."""
        self._transport = cast("asyncio.Transport", transport)
        self._server.clients.add(self)
        if not _same_user(transport.get_extra_info("socket")):
            log.warning("a client of another user was turned away")
            self.close()

    def data_received(self, data: bytes) -> None:
        """Gather *data*, and answer once the question is whole."""
        if self.asked:
            return
        try:
            request = self._gathered.add(data)
        except WireError as error:
            log.info("a client made no sense: %s", error)
            self.close()
            return
        if request is not None:
            self.asked = True
            self._answer(request)

    def eof_received(self) -> bool:
        """Keep the line open for our answer if there was a whole question."""
        return self.asked

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop thinking about an answer that nobody waits for."""
        if self._thinking is not None:
            self._thinking.cancel()
        self._transport = None
        self._server.gone(self)

    def close(self) -> None:
        """Hang up, once what was said is sent."""
        if self._transport is not None:
            self._transport.close()

    def _answer(self, request: Request) -> None:
        server = self._server
        if request.version != server.version:
            log.info("client %s, daemon %s: handing over", request.version, server.version)
            self._say_last(frames.ASK_ELSEWHERE)
            server.stop()
            return
        try:
            said = server.handle(request)
        except Exception:
            log.exception(FAILED)
            self._say_last(frames.ASK_ELSEWHERE)
            return
        if isinstance(said, Answer):
            self._answered(said)
        else:
            self._thinking = asyncio.get_running_loop().create_task(self._think(said))

    async def _think(self, thinking: Coroutine[Any, Any, Answer]) -> None:
        """Answer when *thinking* is done, giving signs of life while it takes long."""
        loop = asyncio.get_running_loop()
        alive = loop.call_later(HEARTBEAT, self._still_working)
        try:
            answer = await thinking
        except Exception:
            log.exception(FAILED)
            self._say_last(frames.ASK_ELSEWHERE)
        else:
            self._answered(answer)
        finally:
            alive.cancel()

    def _still_working(self) -> None:
        if self._transport is not None and self._thinking and not self._thinking.done():
            self._transport.write(frames.STILL_WORKING)
            asyncio.get_running_loop().call_later(HEARTBEAT, self._still_working)

    def _answered(self, answer: Answer) -> None:
        self._server.served += 1
        self._say_last(frames.encode_answer(answer))

    def _say_last(self, frame: bytes) -> None:
        self._thinking = None
        if self._transport is not None:
            self._transport.write(frame)
            self._transport.close()


def _same_user(peer: socket.socket) -> bool:
    """Say whether the process at the other end is ours."""
    credentials = getattr(socket, "SO_PEERCRED", None)
    if credentials is None:
        return True  # macOS: the folder's mode keeps others out
    _, uid, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, credentials, 12))
    return bool(uid == os.getuid())
