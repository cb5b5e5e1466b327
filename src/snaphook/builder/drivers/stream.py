"""Run a program and hear its lines as they come.

argv  ->  line, line, …  ->  exit

In a group of its own: whoever stops listening ends all of it.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from snaphook.errors import DriverError

from ..driver import OnText

LONGEST = 16 << 20
"""Bytes of one line; an agent's JSON line may hold a whole file."""
TAIL = 4000
"""Characters of stderr that are told when a program fails."""


async def listen(
    argv: Sequence[str],
    *,
    where: str,
    cwd: Path,
    on_line: OnText,
    env: Mapping[str, str] | None = None,
) -> None:
    """Call *on_line* for every line of stdout; raise ``DriverError`` unless it exits with 0."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST,
            start_new_session=True,
        )
    except OSError as error:
        raise DriverError(
            where=where, what=f"cannot be started: {error}", fix=f"Is '{argv[0]}' installed?"
        ) from error
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.create_task(process.stderr.read())
    try:
        async for line in process.stdout:
            on_line(line.decode("utf-8", "replace").rstrip("\n"))
        status = await process.wait()
    finally:
        _end(process)
        told = (await errors).decode("utf-8", "replace").strip()
    if status != 0:
        raise DriverError(
            where=where,
            what=f"ended with exit status {status}: {told[-TAIL:] or 'it said nothing'}",
            fix="Mend that and run the same command again; it goes on where it was.",
        )


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM if process.returncode is None else signal.SIGKILL)
