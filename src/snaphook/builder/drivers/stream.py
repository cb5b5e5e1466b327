"""Run a program and hear its lines as they come.

argv, stdin  ->  line, line, …  ->  exit

In a group of its own: whoever stops listening before its end ends all of it. What it leaves running
when it ends by itself is its own affair, and is not waited for.
"""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from snaphook.builder.driver import OnText
from snaphook.errors import DriverError

LONGEST = 16 << 20
"""Bytes of one line; an agent's JSON line may hold a whole file."""
TAIL = 4000
"""Bytes of stderr that are told when a program fails."""
LINGER = 1.0
"""Seconds we wait for output after the program has ended: a child may hold it open."""
GRACE = 2.0
"""Seconds between the polite signal and the one nobody can refuse."""
RESUMABLE = "Fix that and run the same command again to resume."


async def listen(
    argv: Sequence[str], *, where: str, cwd: Path, on_line: OnText, stdin: str = ""
) -> None:
    """Call *on_line* for every line of stdout; raise ``DriverError`` unless it exits with 0."""
    try:
        transport, ear = await _started(argv, cwd, _LineReader(on_line, where))
    except (OSError, ValueError) as error:
        raise DriverError(
            where=where, what=f"cannot be started: {error}", fix=f"Is '{argv[0]}' installed?"
        ) from error
    try:
        _tell(transport, stdin)
        await ear.ended
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ear.drained.wait(), LINGER)
        ear.finish()
    finally:
        await _end(transport, ear)
    if status := transport.get_returncode():
        said = ear.told.decode("utf-8", "replace").strip() or "it said nothing"
        what = f"ended with exit status {status}: {said}"
        raise DriverError(where=where, what=what, fix=RESUMABLE)


async def _started(
    argv: Sequence[str], cwd: Path, ear: "_LineReader"
) -> tuple[asyncio.SubprocessTransport, "_LineReader"]:
    """Return the program once it runs. Cancelled halfway, asyncio would wait for its end for ever."""
    loop = asyncio.get_running_loop()
    starting = asyncio.ensure_future(
        loop.subprocess_exec(lambda: ear, *argv, cwd=cwd, start_new_session=True)
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await _end(*await starting)
        raise


def parsed(line: str) -> dict[str, Any]:
    """Return the JSON object on *line*; an empty one where there is none."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


class _LineReader(asyncio.SubprocessProtocol):
    """Cuts stdout into lines and keeps the end of stderr."""

    def __init__(self, on_line: OnText, where: str) -> None:
        self._on_line = on_line
        self._where = where
        self._rest = bytearray()
        self._deaf = False
        self.told = bytearray()
        self.exited = asyncio.Event()
        self.drained = asyncio.Event()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.told += data
            del self.told[:-TAIL]
        elif not self._deaf:
            try:
                self._take(data)
            except Exception as error:  # noqa: BLE001 - whoever listens hears of it, not the loop
                self._fail(error)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self.drained.set()

    def process_exited(self) -> None:
        self.exited.set()
        if not self.ended.done():
            self.ended.set_result(None)

    def finish(self) -> None:
        """Hear a last line that no newline ended."""
        if self._rest:
            self._take(b"\n")

    def _take(self, data: bytes) -> None:
        self._rest += data
        if b"\n" in data:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._on_line(line.decode("utf-8", "replace").rstrip("\r"))
        if len(self._rest) > LONGEST:
            what = f"printed a line of more than {LONGEST >> 20} MB"
            raise DriverError(where=self._where, what=what, fix="Have it print less, or in lines.")

    def _fail(self, error: Exception) -> None:
        self._deaf = True
        if not self.ended.done():
            self.ended.set_exception(error)


def _tell(transport: asyncio.SubprocessTransport, message: str) -> None:
    pipe = transport.get_pipe_transport(0)
    assert isinstance(pipe, asyncio.WriteTransport)
    pipe.write(message.encode())
    pipe.write_eof()


async def _end(transport: asyncio.SubprocessTransport, ear: _LineReader) -> None:
    """Let go of a program that has ended; end one that has not, with all it started."""
    try:
        for number in (signal.SIGTERM, signal.SIGKILL):
            if ear.exited.is_set():
                break
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(transport.get_pid(), number)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ear.exited.wait(), GRACE)
    finally:
        transport.close()
