"""Start a command that nobody waits for, and that outlives us.

Command  ->  pid        later, if we still live: Completed

It holds no pipe of ours: what it is told lies in a file, what it says goes to a file.
"""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import IO

from .capture import Capture
from .running import GRACE
from .values import Command, Completed

LARGE = 4 * 1024 * 1024
"""Bytes after which a log is begun anew."""


def start(
    command: Command, *, log: Path | None = None, ended: Callable[[Completed], None] | None = None
) -> Completed | None:
    """Start *command* and return at once: ``None``, or why it could not be started.

    Its output is appended to *log*, where it stays when we are gone; a log that cannot be written
    is no reason not to start. While we live, a thread keeps the timeout, reaps the process and
    hands what came of it to *ended*.
    """
    from tempfile import TemporaryFile  # few commands go this way, and it is slow to import

    began = monotonic()
    try:
        with _opened(log) or TemporaryFile() as kept, TemporaryFile() as told:
            told.write(command.stdin)
            told.seek(0)
            place = kept.seek(0, os.SEEK_END)
            process = subprocess.Popen(
                command.argv,
                cwd=command.cwd,
                env=command.env,
                stdin=told,
                stdout=kept,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            heard = os.dup(kept.fileno())
    except (OSError, ValueError) as refusal:
        return Completed(failure=str(refusal), duration=monotonic() - began)
    watch = (process, command, os.fdopen(heard, "rb"), place, began, ended)
    threading.Thread(target=_watch, args=watch, name="snaphook-background", daemon=True).start()
    return None


def _opened(log: Path | None) -> IO[bytes] | None:
    """Return *log*, begun anew when it has grown large; the one before it is kept."""
    if log is None:
        return None
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LARGE:
            log.replace(log.with_suffix(".old"))
        return open(log, "a+b", opener=_for_the_user_only)
    except OSError:
        return None


def _for_the_user_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _watch(
    process: "subprocess.Popen[bytes]",
    command: Command,
    output: IO[bytes],
    place: int,
    began: float,
    ended: Callable[[Completed], None] | None,
) -> None:
    timed_out = not _ends_within(process, command.timeout)
    if timed_out:
        _end(process)
    code = process.wait()
    capture = Capture(command.keep)
    with output:
        output.seek(place)
        while chunk := output.read(65536):
            capture.take(chunk)
    if ended:
        ended(
            Completed(
                exit_code=code if code >= 0 and not timed_out else None,
                signal=-code if code < 0 and not timed_out else None,
                timed_out=timed_out,
                stdout=capture.stream(),
                duration=monotonic() - began,
            )
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        _ends_within(process, GRACE)
        os.killpg(process.pid, signal.SIGKILL)  # also those the leader left behind


def _ends_within(process: "subprocess.Popen[bytes]", seconds: float | None) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
