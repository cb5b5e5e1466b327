"""Start a command that nobody waits for, and that outlives us.

Command  ->  pid        later, if we still live: Completed

It holds no pipe of ours, so it does not die with us: what it reads and what it prints are files without
a name, which the kernel frees when the last process has closed them.
"""

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import IO

from msgspec import Struct

from .capture import Capture
from .running import GRACE
from .values import CapturedStream, Command, Completed


class StartedProcess(Struct, frozen=True, kw_only=True):
    """A command that runs, and the files that it prints to."""

    process: "subprocess.Popen[bytes]"
    command: Command
    stdout: IO[bytes]
    stderr: IO[bytes]
    began: float

    def wait(self) -> Completed:
        """Return what came of it, ending it when its time is over."""
        timed_out = not _ends_within(self.process, self.command.timeout)
        if timed_out:
            _end(self.process)
        code = self.process.wait()
        return Completed(
            exit_code=code if code >= 0 and not timed_out else None,
            signal=-code if code < 0 and not timed_out else None,
            timed_out=timed_out,
            stdout=_printed(self.stdout, self.command.keep),
            stderr=_printed(self.stderr, self.command.keep),
            duration=monotonic() - self.began,
        )


def launch(command: Command) -> StartedProcess | Completed:
    """Start *command* and return at once: the process, or why it could not be started."""
    from tempfile import TemporaryFile  # few commands go this way, and it is slow to import

    began = monotonic()
    try:
        with contextlib.ExitStack() as opened:
            given, stdout, stderr = (opened.enter_context(TemporaryFile()) for _ in range(3))
            given.write(command.stdin)
            given.seek(0)
            process = subprocess.Popen(
                command.argv,
                cwd=command.cwd,
                env=command.env,
                stdin=given,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
            opened.pop_all()  # closed once they were read
            given.close()
    except (OSError, ValueError) as refusal:
        return Completed(failure=str(refusal), duration=monotonic() - began)
    return StartedProcess(
        process=process, command=command, stdout=stdout, stderr=stderr, began=began
    )


def start(command: Command, *, ended: Callable[[Completed], None]) -> Completed | None:
    """Start *command* and return at once: ``None``, or why it could not be started.

    While we live, a thread keeps the timeout, reaps the process and hands what came of it to *ended*.
    """
    started = launch(command)
    if isinstance(started, Completed):
        return started
    _in_thread(lambda: ended(started.wait()))
    return None


def start_apart(argv: Sequence[str], given: bytes) -> Completed | None:
    """Start a process of our own that outlives us and reads *given*; return why it could not be.

    *given* lies in a file without a name: it may hold an environment, which argv would show to every user.
    """
    from tempfile import TemporaryFile

    try:
        with TemporaryFile() as file:
            file.write(given)
            file.seek(0)
            process = subprocess.Popen(
                argv,
                cwd="/",
                stdin=file,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
    except OSError as refusal:
        return Completed(failure=str(refusal))
    _in_thread(process.wait)  # or it stays a zombie for as long as a daemon lives
    return None


def _in_thread(do: Callable[[], object]) -> None:
    threading.Thread(target=do, name="snaphook-background", daemon=True).start()


def _printed(file: IO[bytes], keep: int) -> CapturedStream:
    capture = Capture(keep)
    with file:
        file.seek(0)
        while chunk := file.read(65536):
            capture.take(chunk)
    return capture.stream()


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
