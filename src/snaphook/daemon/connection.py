"""One client at the socket: its question is gathered, answered, and it is let go.

bytes  ->  RequestFrame  ->  ReplyFrame  ->  bytes

The socket is read and written by hand. A client's question is mostly there when it knocks, and an
answer mostly goes out in one piece: then neither a transport nor a task is made, nor is the event
loop told about the socket at all, and that is a third of a decision's time.
"""

import asyncio
import logging
import os
import socket
import struct
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import TYPE_CHECKING, Any

from snaphook.errors import WireError
from snaphook.process.ancestry import peer

from . import frames
from .frames import ReplyFrame, RequestFrame

if TYPE_CHECKING:
    from .server import DaemonServer

log = logging.getLogger("snaphook.daemon")

FAILED = "a request failed; Python answers it instead"
HEARTBEAT = 0.5
"""Seconds between two signs of life while a hook takes its time."""
_SOL_LOCAL, _LOCAL_PEERPID = 0, 2
"""Of macOS's <sys/un.h>."""
_SO_PEERCRED = getattr(socket, "SO_PEERCRED", None)
_CREDENTIALS = struct.Struct("3i")
_OURSELVES = os.getuid()
PIECE = 1 << 16
"""Bytes read at once; then it is somebody else's turn."""


class ClientConnection:
    """A connection."""

    def __init__(self, server: "DaemonServer", line: socket.socket) -> None:
        self.since = monotonic()
        self.asked = False
        """The whole question is here; what follows is ours to do."""
        self._server = server
        self._loop = server.loop
        self._line = line
        self._pid = 0
        self._gathered = frames.Gathering()
        self._waits_for: Callable[[int], bool] | None = None
        """How to tell the event loop that we no longer wait for the line."""
        self._unsent: bytes | memoryview = b""
        """A view where not all of it went out at once: what is left of much is not copied."""
        self._open = True
        self._thinking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Let our own user in, and nobody else; answer at once if the question is there."""
        uid, self._pid = _peer(self._line)
        if uid == _OURSELVES:
            self._read()
        else:
            log.warning("rejected a client of another user")
            self.close()

    def close(self) -> None:
        """Hang up, and stop thinking about an answer that nobody waits for."""
        if not self._open:
            return
        self._open = False
        self._rest()
        self._line.close()
        if self._thinking is not None:
            self._thinking.cancel()
        self._server.gone(self)

    def _read(self) -> None:
        try:
            piece = self._line.recv(PIECE)
            request = self._gathered.add(piece) if piece else None
        except BlockingIOError:
            self._wait_to_read()
        except WireError as error:
            log.info("invalid request from a client: %s", error)
            self.close()
        except OSError:
            self.close()
        else:
            if request is not None:
                self.asked = True
                self._rest()
                self._answer(request)
            elif piece:
                self._wait_to_read()
            else:
                self.close()  # gone in mid-question

    def _answer(self, request: RequestFrame) -> None:
        server = self._server
        if request.version != server.version:
            log.info("client %s, daemon %s: handing over", request.version, server.version)
            self._say_last(frames.ASK_ELSEWHERE)
            server.stop()
            return
        peer.set((self._pid, self.since))
        try:
            said = server.handle(request)
        except Exception:
            log.exception(FAILED)
            self._say_last(frames.ASK_ELSEWHERE)
            return
        if isinstance(said, ReplyFrame):
            self._answered(said)
        else:
            self._thinking = self._loop.create_task(self._think(said))

    async def _think(self, thinking: Coroutine[Any, Any, ReplyFrame]) -> None:
        """Answer when *thinking* is done, giving signs of life while it takes long."""
        alive = self._loop.call_later(HEARTBEAT, self._still_working)
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
        if self._open and self._thinking and not self._thinking.done():
            self._send(frames.STILL_WORKING)
            self._loop.call_later(HEARTBEAT, self._still_working)

    def _answered(self, answer: ReplyFrame) -> None:
        self._server.served += 1
        self._say_last(frames.encode_answer(answer))

    def _say_last(self, frame: bytes) -> None:
        self._thinking = None
        self._send(frame)
        if not self._unsent:
            self.close()

    def _send(self, frame: bytes) -> None:
        """Send *frame* behind what is unsent; what does not go out now follows by itself."""
        if not self._open:
            return
        if self._unsent:
            self._unsent = bytes(self._unsent) + frame
        else:
            self._unsent = frame
            self._write()

    def _write(self) -> None:
        try:
            sent = self._line.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._unsent = b""
            self.close()
            return
        self._unsent = memoryview(self._unsent)[sent:] if sent < len(self._unsent) else b""
        if self._unsent:
            self._wait_to_write()
        elif self._waits_for is not None:
            self._rest()
            if self._thinking is None:
                self.close()

    def _wait_to_read(self) -> None:
        if self._waits_for is None:
            self._loop.add_reader(self._line.fileno(), self._read)
            self._waits_for = self._loop.remove_reader

    def _wait_to_write(self) -> None:
        if self._waits_for is None:
            self._loop.add_writer(self._line.fileno(), self._write)
            self._waits_for = self._loop.remove_writer

    def _rest(self) -> None:
        """Wait for the line no more."""
        if self._waits_for is not None:
            self._waits_for(self._line.fileno())
            self._waits_for = None


def _peer(line: socket.socket) -> tuple[int, int]:
    """Return the user and the process at the other end, as the kernel tells them."""
    if _SO_PEERCRED is None:  # macOS: the folder's mode keeps others out
        return _OURSELVES, line.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID)
    told = line.getsockopt(socket.SOL_SOCKET, _SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(told)
    return uid, pid
