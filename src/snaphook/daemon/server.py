"""One socket, many clients, none of which can disturb another.

frame  ->  Request  ->  handle  ->  Answer  ->  frame

What the handler does is not known here; that it is answered, in time, by the right user's daemon of
the right version, is.
"""

import asyncio
import contextlib
import logging
import os
import socket
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from snaphook.errors import WireError

from . import frames
from .frames import Answer, Request

log = logging.getLogger("snaphook.daemon")

Handler: TypeAlias = Callable[[Request], Awaitable[Answer]]

HEARTBEAT = 0.5
"""Seconds between two signs of life while a hook takes its time."""
FRAME_DEADLINE = 30.0
"""Seconds a client may take to send its request."""
BACKLOG = 4096


class Server:
    """Listens until it is idle for too long, told to stop, or met by a newer client."""

    def __init__(
        self,
        make_handler: "Callable[[Server], Handler]",
        *,
        version: str,
        idle_seconds: float = 1800.0,
    ) -> None:
        self._handle = make_handler(self)
        self._version = version
        self._idle_seconds = idle_seconds
        self._last = monotonic()
        self._busy = 0
        self._stop = asyncio.Event()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.served = 0

    async def serve(self, listening: socket.socket) -> None:
        """Answer until it is time to go; requests under way are finished first."""
        server = await asyncio.start_unix_server(
            self._client, sock=listening, backlog=BACKLOG, limit=1 << 20
        )
        async with server:
            await self._until_done()
            server.close()
            await self._quiet.wait()

    def stop(self) -> None:
        """Take no new request; finish those under way."""
        self._stop.set()

    async def _until_done(self) -> None:
        while not self._stop.is_set():
            quiet = monotonic() - self._last
            if not self._busy and quiet >= self._idle_seconds:
                log.info("idle for %.0f s, leaving", quiet)
                return
            with contextlib.suppress(TimeoutError):
                wait = max(0.05, self._idle_seconds - quiet)
                await asyncio.wait_for(self._stop.wait(), timeout=min(wait, 60))

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._busy += 1
        self._quiet.clear()
        try:
            if not _same_user(writer.get_extra_info("socket")):
                log.warning("a client of another user was turned away")
                return
            async with asyncio.timeout(FRAME_DEADLINE):
                request = await _read(reader)
            await self._reply(request, writer)
        except (WireError, TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
            log.info("a client left or made no sense: %s", error)
        finally:
            self._busy -= 1
            self._last = monotonic()
            if not self._busy:
                self._quiet.set()
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _reply(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if request.version != self._version:
            log.info("client %s, daemon %s: handing over", request.version, self._version)
            writer.write(frames.ASK_ELSEWHERE)
            self.stop()
        else:
            writer.write(await self._answered(request, writer))
            self.served += 1
        await writer.drain()

    async def _answered(self, request: Request, writer: asyncio.StreamWriter) -> bytes:
        """Return the answer's frame, giving signs of life while it takes long."""
        thinking = asyncio.ensure_future(self._handle(request))
        try:
            while True:
                done, _ = await asyncio.wait({thinking}, timeout=HEARTBEAT)
                if done:
                    return frames.encode_answer(thinking.result())
                writer.write(frames.STILL_WORKING)
                await writer.drain()
        except Exception:
            log.exception("a request failed; Python answers it instead")
            return frames.ASK_ELSEWHERE
        finally:
            thinking.cancel()


async def _read(reader: asyncio.StreamReader) -> Request:
    mark = await reader.readexactly(frames.MARK)
    if mark != frames.MAGIC + bytes([frames.REQUEST]):
        raise WireError(where="daemon", what=f"no frame begins {mark!r}", fix="Mend the client.")
    head = await _block(reader, frames.MAX_HEAD)
    return frames.decode_head(head, await _block(reader, frames.MAX_BODY))


async def _block(reader: asyncio.StreamReader, most: int) -> bytes:
    length = int.from_bytes(await reader.readexactly(frames.LENGTH), "big")
    if length > most:
        raise WireError(
            where="daemon", what=f"a block of {length} bytes; {most} is the most", fix="Send less."
        )
    return await reader.readexactly(length)


def _same_user(peer: socket.socket) -> bool:
    """Say whether the process at the other end is ours."""
    credentials = getattr(socket, "SO_PEERCRED", None)
    if credentials is None:
        return True  # macOS: the folder's mode keeps others out
    _, uid, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, credentials, 12))
    return bool(uid == os.getuid())


def listen(path: Path) -> socket.socket:
    """Return a socket that listens at *path*; whoever sat there before is gone."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    listening.bind(str(path))
    path.chmod(0o600)
    listening.listen(BACKLOG)
    listening.setblocking(False)
    return listening
