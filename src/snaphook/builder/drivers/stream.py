"""Run a program and hear its lines as they come.

argv, stdin  ->  line, line, …  ->  exit

In a group of its own: whoever stops listening before its end ends all of it.
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
GLANCE = 0.25
"""Seconds between two looks whether a silent program has ended: a child may hold its output open."""
GRACE = 2.0
"""Seconds between the polite signal and the one nobody can refuse."""
RESUMABLE = "Mend that and run the same command again; it goes on where it was."


async def listen(
    argv: Sequence[str], *, where: str, cwd: Path, on_line: OnText, stdin: str = ""
) -> None:
    """Call *on_line* for every line of stdout; raise ``DriverError`` unless it exits with 0."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise DriverError(
            where=where, what=f"cannot be started: {error}", fix=f"Is '{argv[0]}' installed?"
        ) from error
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    told = bytearray()
    side = asyncio.gather(_tell(process.stdin, stdin), _keep_tail(process.stderr, told))
    try:
        await _hear(process, process.stdout, on_line, where)
    finally:
        await _end(process)
        side.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await side
    if process.returncode != 0:
        said = told.decode("utf-8", "replace").strip() or "it said nothing"
        raise DriverError(
            where=where,
            what=f"ended with exit status {process.returncode}: {said}",
            fix=RESUMABLE,
        )


def parsed(line: str) -> dict[str, Any]:
    """Return the JSON object on *line*; an empty one where there is none."""
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


async def _tell(stdin: asyncio.StreamWriter, message: str) -> None:
    with contextlib.suppress(OSError):  # a program need not read what it is told
        stdin.write(message.encode())
        await stdin.drain()
        stdin.close()
        await stdin.wait_closed()


async def _keep_tail(stderr: asyncio.StreamReader, told: bytearray) -> None:
    while chunk := await stderr.read(65536):
        told += chunk
        del told[:-TAIL]


async def _hear(
    process: asyncio.subprocess.Process,
    stdout: asyncio.StreamReader,
    on_line: OnText,
    where: str,
) -> None:
    while True:
        try:
            line = await asyncio.wait_for(stdout.readline(), GLANCE)
        except TimeoutError:
            if process.returncode is not None:
                return
            continue
        except ValueError:
            raise DriverError(
                where=where,
                what=f"printed a line of more than {LONGEST >> 20} MB",
                fix="Have it print less, or in lines.",
            ) from None
        if not line:
            return
        on_line(line.decode("utf-8", "replace").rstrip("\r\n"))


async def _end(process: asyncio.subprocess.Process) -> None:
    """Wait for a program that closed its output; end one that has not, with all it started."""
    if process.returncode is not None:
        return
    if process.stdout is not None and process.stdout.at_eof():
        await process.wait()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE)
            return
