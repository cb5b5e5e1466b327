"""One socket, many clients, none of which can disturb another.

frame  ->  RequestFrame  ->  handle  ->  ReplyFrame  ->  frame

What the handler does is not known here; that it is answered, in time, by the right user's daemon of
the right version, is.
"""

import asyncio
import contextlib
import logging
import math
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from .connection import ClientConnection
from .frames import ReplyFrame, RequestFrame

log = logging.getLogger("snaphook.daemon")

Handler: TypeAlias = Callable[[RequestFrame], ReplyFrame | Coroutine[Any, Any, ReplyFrame]]
"""Answers at once where it can; a coroutine is for what must wait."""

FRAME_DEADLINE = 30.0
"""Seconds a client may take to send its request."""
LOOK_EVERY = 5.0
"""Seconds between two looks at whether we are still wanted."""
BACKLOG = 4096
AT_ONCE = 16
"""How many are let in before those inside have another turn."""
PAUSE = 0.2
"""Seconds in which nobody is let in when the system has no more lines."""


class DaemonServer:
    """Listens until it is idle for too long, told to stop, or met by a newer client."""

    def __init__(
        self,
        make_handler: "Callable[[DaemonServer], Handler]",
        *,
        version: str,
        idle_seconds: float = math.inf,
        still_there: Callable[[], bool] = lambda: True,
    ) -> None:
        self.version = version
        self.served = 0
        self.http = ""
        """Where hosts reach us by HTTP, if they may."""
        self.holds: Callable[[], bool] = lambda: False
        """Whether we hold something that would be gone with us."""
        self.clients: set[ClientConnection] = set()
        self._idle_seconds = idle_seconds
        self._still_there = still_there
        self._last = monotonic()
        self._stop = asyncio.Event()
        self._quiet = asyncio.Event()
        self._leaving: list[Callable[[], None]] = []
        self._looks: list[Callable[[], None]] = []
        self.loop = asyncio.get_running_loop()
        self.handle = make_handler(self)

    def on_leaving(self, do: Callable[[], None]) -> None:
        """Have *do* called once the last request is answered."""
        self._leaving.append(do)

    def on_look(self, do: Callable[[], None]) -> None:
        """Have *do* called every few seconds; it must be quick, since callers wait for it."""
        self._looks.append(do)

    @property
    def last_call(self) -> float:
        """When somebody was last answered, by the monotonic clock."""
        return self._last

    async def serve(self, listening: socket.socket) -> None:
        """Answer until it is time to go; requests under way are finished first."""
        door = listening.fileno()
        self.loop.add_reader(door, self._let_in, listening)
        try:
            await self._until_done()
            self.loop.remove_reader(door)
            self._let_in(listening)  # who has knocked already is answered
            listening.close()
            for client in [client for client in self.clients if not client.asked]:
                client.close()
            while self.clients:
                self._quiet.clear()
                await self._quiet.wait()
        finally:
            for do in self._leaving:
                do()

    def _let_in(self, listening: socket.socket) -> None:
        """Let in those who knock, a few at a time: those inside have their turns as well."""
        for _ in range(AT_ONCE):
            try:
                line = _accepted(listening)
            except BlockingIOError:
                return
            except OSError as problem:
                self._pause(listening, problem)
                return
            line.setblocking(False)
            client = ClientConnection(self, line)
            self.clients.add(client)
            client.begin()

    def _pause(self, listening: socket.socket, problem: OSError) -> None:
        """Let nobody in for a moment: there are too many for the system to give us another line."""
        log.error("cannot accept connections for now: %s", problem)
        self.loop.remove_reader(listening.fileno())

        def again() -> None:
            if listening.fileno() >= 0 and not self._stop.is_set():
                self.loop.add_reader(listening.fileno(), self._let_in, listening)

        self.loop.call_later(PAUSE, again)

    def stop(self) -> None:
        """Take no new request; finish those under way."""
        self._stop.set()

    def gone(self, client: ClientConnection) -> None:
        """Note that *client* has what it came for, or left."""
        self.clients.discard(client)
        self._last = monotonic()
        if not self.clients:
            self._quiet.set()

    async def _until_done(self) -> None:
        while not self._stop.is_set():
            quiet = monotonic() - self._last
            if not self.clients and quiet >= self._idle_seconds and not self.holds():
                log.info("idle for %.0f s, stopping", quiet)
                return
            if not self._still_there():
                log.info("the socket is gone, stopping")
                return
            self._hurry()
            for do in self._looks:
                do()
            with contextlib.suppress(TimeoutError):
                wait = max(0.05, self._idle_seconds - quiet)
                await asyncio.wait_for(self._stop.wait(), timeout=min(wait, LOOK_EVERY))

    def _hurry(self) -> None:
        """Hang up on those who never finish their question."""
        late = monotonic() - FRAME_DEADLINE
        for client in [each for each in self.clients if not each.asked and each.since < late]:
            client.close()


def _accepted(listening: socket.socket) -> socket.socket:
    """Return the line of the next who knocks; ``accept`` asks of each what kind of line it is."""
    number, _ = listening._accept()  # type: ignore[attr-defined]  # noqa: SLF001 - all that ``accept`` calls
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, number)


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
