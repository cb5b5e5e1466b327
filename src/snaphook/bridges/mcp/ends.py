"""The two ends of a proxy over pipes: the client that started us, the server that we start.

bytes  <->  one message on each line

Neither can make us hold more than ``LONGEST`` of one message, nor hold us up: who does not read
keeps only those waiting who write to it.
"""

import asyncio
import os
import signal
import threading
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from queue import SimpleQueue
from typing import Protocol

from snaphook.errors import HostError, ProcessError

from .oversized import EDGE, OversizedMessage, oversized

LONGEST = 64 << 20
"""Bytes of one message; pictures and files travel inside of them."""
GRACE = 2.0
"""Seconds a server has to end by itself, and again between the two signals."""
GLANCE = 0.01
_CHUNK = 1 << 16


class End(Protocol):
    """Somebody who sends and takes messages."""

    def messages(self) -> AsyncIterator[bytes | OversizedMessage]:
        """Yield what it sends, until it ends."""
        ...

    async def send(self, message: bytes) -> None:
        """Hand *message* over; one who has left takes nothing."""
        ...


class LineSplitter:
    """Cuts what arrives into lines; of one that is longer than ``LONGEST``, only the two ends are held."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._dropped = 0
        """Bytes of a line that is too long, so far, that were not kept."""

    def take(self, chunk: bytes) -> list[bytes | OversizedMessage]:
        """Return the lines that *chunk* completes, blank ones left out."""
        first, *more = chunk.split(b"\n")
        self._keep(first)
        if not more:
            return []
        ended = self._ended()
        self._keep(more.pop())
        whole = [ended, *map(bytes.strip, more)]
        return [line for line in whole if line]

    def _keep(self, piece: bytes) -> None:
        self._rest += piece
        if len(self._rest) > (4 * EDGE if self._dropped else LONGEST):
            self._dropped += len(self._rest) - 2 * EDGE
            del self._rest[EDGE:-EDGE]

    def _ended(self) -> bytes | OversizedMessage:
        line, dropped = bytes(self._rest), self._dropped
        self._rest, self._dropped = bytearray(), 0
        return oversized(line, len(line) + dropped) if dropped else line.strip()


def line(message: bytes) -> bytes:
    """Return *message* as exactly one line, whatever its reader takes for the end of one."""
    return message.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n"


class ClientEnd:
    """Whoever started us, over the pipes *reads* and *writes*.

    Threads read and write, for a file or a terminal may be behind them as well. Nobody waits for
    the threads: they end with us.
    """

    def __init__(self, reads: int, writes: int) -> None:
        self._reads = reads
        self._writes = writes
        self._loop = asyncio.get_running_loop()
        self._arrived = asyncio.Queue[bytes](16)
        self._leaving = SimpleQueue[tuple[bytes, asyncio.Future[None]]]()
        for work in (self._read, self._write):
            threading.Thread(target=work, name="snaphook-mcp", daemon=True).start()

    @classmethod
    def on_stdio(cls) -> "ClientEnd":
        """Return the client on our stdin and stdout, which nobody else here can use from now on."""
        ends = os.dup(0), os.dup(1)
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, 0)
        os.dup2(2, 1)
        os.close(nowhere)
        return cls(*ends)

    async def messages(self) -> AsyncIterator[bytes | OversizedMessage]:
        """Yield what the client sends, until it closes the pipe."""
        lines = LineSplitter()
        while chunk := await self._arrived.get():
            for each in lines.take(chunk):
                yield each

    async def send(self, message: bytes) -> None:
        """Write *message*; a client that has left hears nothing."""
        written = self._loop.create_future()
        self._leaving.put((line(message), written))
        await written

    def _read(self) -> None:
        chunk = b" "
        while chunk:
            try:
                chunk = os.read(self._reads, _CHUNK)
            except OSError:
                chunk = b""
            with suppress(RuntimeError, CancelledError):  # the loop is over, and so are we
                asyncio.run_coroutine_threadsafe(self._arrived.put(chunk), self._loop).result()

    def _write(self) -> None:
        while True:
            data, written = self._leaving.get()
            with suppress(OSError):
                while data:
                    data = data[os.write(self._writes, data) :]
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(_done, written)


def _done(written: asyncio.Future[None]) -> None:
    if not written.done():
        written.set_result(None)


@asynccontextmanager
async def started(argv: Sequence[str]) -> AsyncIterator["ServerEnd"]:
    """Yield the server that *argv* starts, and end it; ``HostError`` if it fails before that."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
    except (OSError, ValueError) as problem:
        raise ProcessError(
            where=f"MCP server '{argv[0]}'",
            what=f"cannot be started: {getattr(problem, 'strerror', None) or problem}",
            fix="Run the command after '--' on its own to see why.",
        ) from None
    server = ServerEnd(process)
    try:
        yield server
    finally:
        left, status = server.left, await server.end()  # a second signal cuts it short
    if left and status:
        how = f"exit status {status}" if status > 0 else signal.Signals(-status).name
        raise HostError(
            where=f"MCP server '{argv[0]}'",
            what=f"ended by itself ({how})",
            fix="Its stderr output above may show why.",
        )


class ServerEnd:
    """A server that we started, in a process group of its own; its stderr is ours."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.left = False
        """Whether it ended before anybody told it to."""

    async def messages(self) -> AsyncIterator[bytes | OversizedMessage]:
        """Yield what the server sends, until it closes its stdout."""
        stdout, lines = self._process.stdout, LineSplitter()
        assert stdout is not None
        while chunk := await stdout.read(_CHUNK):
            for each in lines.take(chunk):
                yield each
        self.left = True

    async def send(self, message: bytes) -> None:
        """Write *message*; a server that has ended takes nothing."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(line(message))
            await self._process.stdin.drain()

    async def end(self) -> int:
        """Have the server end, as politely as it lets us, and return its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            if not await self._ended():
                self._signal(signal.SIGTERM)
                await self._ended()
        finally:
            if self._process.returncode is None:
                self._signal(signal.SIGKILL)
                await self._ended()
        self._signal(signal.SIGTERM)  # what it left behind in its group
        status = self._process.returncode
        return -signal.SIGKILL if status is None else status

    async def _ended(self) -> bool:
        until = asyncio.get_running_loop().time() + GRACE
        while self._process.returncode is None:
            if asyncio.get_running_loop().time() > until:
                return False
            await asyncio.sleep(GLANCE)  # wait() would wait for everybody who holds its pipes
        return True

    def _signal(self, way: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, way)
