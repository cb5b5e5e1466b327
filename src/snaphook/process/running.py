"""One process under watch, from its start to the last byte it left.

RUNNING ─ended─▶ LINGERING ─pipes closed, or patience over─▶ done
   └─timeout, cancel─▶ LEAVING (TERM) ─ended, or grace over─▶ KILL ─▶ done
"""

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Callable
from enum import Enum, auto
from time import monotonic
from typing import Protocol

from .capture import Capture
from .notice import notice
from .values import Command, Completed

GRACE = 0.5
"""Seconds between the polite signal and the one nobody can refuse."""
LINGER = 0.25
"""Seconds we wait for output after the command itself has ended."""
GLANCE = 0.02
"""Seconds between two looks at a process whose end nothing announces."""
LOST = "its exit code is lost, because this process ignores SIGCHLD"
_CHUNK = 65536


class ReadyWatcher(Protocol):
    """Calls back when a descriptor is ready: a selector, or an event loop behind the same words."""

    def register(self, fd: int, events: int, heard: Callable[[int], None], /) -> object:
        """Listen to *fd*."""

    def unregister(self, fd: int, /) -> object:
        """Stop listening to *fd*."""


class _Phase(Enum):
    RUNNING = auto()
    LINGERING = auto()
    LEAVING = auto()


class Running:
    """A started process and the descriptors we share with it, registered with *watcher*."""

    def __init__(self, command: Command, watcher: ReadyWatcher) -> None:
        """Start *command*; raise OSError or ValueError when the system refuses."""
        self._began = monotonic()
        self._process = subprocess.Popen(
            command.argv,
            cwd=command.cwd,
            env=command.env,
            stdin=subprocess.PIPE if command.stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._watcher = watcher
        self._open: dict[int, Capture] = {}
        self._stdin = memoryview(command.stdin)
        self._out, self._err = Capture(command.keep), Capture(command.keep)
        self._phase = _Phase.RUNNING
        self._due = self._began + command.timeout if command.timeout is not None else None
        self._timed_out = self._cancelled = False
        self._notice = notice(self._process.pid)
        self._ended = False
        self._code: int | None = None
        self.completed: Completed | None = None
        self._watch()

    def wait_for(self, now: float) -> float | None:
        """Return the seconds until :meth:`look` has something to do by itself."""
        if self._notice is None and not self._ended:
            return GLANCE
        return None if self._due is None else max(0.0, self._due - now)

    def look(self, now: float) -> None:
        """Go on to the next phase if it is time; ``completed`` is set at the end."""
        if self._notice is None and not self._ended:
            self._reap(os.WNOHANG)
        over = self._due is not None and now >= self._due
        match self._phase:
            case _Phase.RUNNING if self._ended:
                self._phase, self._due = _Phase.LINGERING, now + LINGER
                self.look(now)
            case _Phase.RUNNING if over:
                self._timed_out = True
                self._leave(now)
            case _Phase.LINGERING if over or not self._open:
                self._finish()
            case _Phase.LEAVING if over or (self._ended and not self._open):
                self._signal(signal.SIGKILL)
                self._finish()

    def cancel(self, now: float) -> None:
        """End the whole group because nobody waits for it any more."""
        if self.completed is None and self._phase is not _Phase.LEAVING:
            self._cancelled = True
            self._leave(now)

    def abandon(self) -> None:
        """Kill the group and reap it at once; for the way out of an exception."""
        if self.completed is None:
            self._cancelled = True
            self._signal(signal.SIGKILL)
            self._finish()

    def _watch(self) -> None:
        process = self._process
        assert process.stdout is not None
        assert process.stderr is not None
        for pipe, capture in ((process.stdout, self._out), (process.stderr, self._err)):
            os.set_blocking(pipe.fileno(), False)
            self._open[pipe.fileno()] = capture
            self._watcher.register(pipe.fileno(), selectors.EVENT_READ, self._read)
        if self._notice is not None:
            self._watcher.register(self._notice.fileno(), selectors.EVENT_READ, self._note)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._watcher.register(process.stdin.fileno(), selectors.EVENT_WRITE, self._write)
            self._write(process.stdin.fileno())  # a small document fits into the pipe at once

    def _read(self, fd: int) -> None:
        try:
            chunk = os.read(fd, _CHUNK)
        except BlockingIOError:
            return
        if chunk:
            self._open[fd].take(chunk)
        else:
            self._watcher.unregister(fd)
            del self._open[fd]

    def _write(self, fd: int) -> None:
        try:
            self._stdin = self._stdin[os.write(fd, self._stdin[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # a command need not read what it is told
            self._stdin = self._stdin[:0]
        if not self._stdin:
            self._close_stdin()

    def _note(self, fd: int) -> None:
        self._watcher.unregister(fd)
        self._ended = True

    def _leave(self, now: float) -> None:
        self._signal(signal.SIGTERM)
        self._phase, self._due = _Phase.LEAVING, now + GRACE

    def _signal(self, number: signal.Signals) -> None:
        # macOS says EPERM of a group of zombies
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _finish(self) -> None:
        for fd in self._open:
            self._drain(fd)
        self._close_stdin()
        if self._notice is not None:
            if not self._ended:
                self._watcher.unregister(self._notice.fileno())
            self._notice.close()
        if self._process.returncode is None:
            self._reap()
        ended_by_us = self._timed_out or self._cancelled
        code = None if ended_by_us else self._code
        self.completed = Completed(
            exit_code=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else None,
            failure=LOST if code is None and not ended_by_us else None,
            timed_out=self._timed_out,
            cancelled=self._cancelled,
            stdout=self._out.stream(),
            stderr=self._err.stream(),
            duration=monotonic() - self._began,
            left_running=bool(self._open) and not ended_by_us,
        )
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _reap(self, options: int = 0) -> None:
        """Take the exit code; what somebody else has taken is lost, and is no zero."""
        try:
            pid, status = os.waitpid(self._process.pid, options)
        except ChildProcessError:
            self._ended, self._process.returncode = True, -1
            return
        if pid:
            self._code = self._process.returncode = os.waitstatus_to_exitcode(status)
            self._ended = True

    def _drain(self, fd: int) -> None:
        """Stop listening to a pipe that somebody still holds; take what already lies in it."""
        self._watcher.unregister(fd)
        with contextlib.suppress(BlockingIOError):
            self._open[fd].take(os.read(fd, _CHUNK))

    def _close_stdin(self) -> None:
        stdin = self._process.stdin
        if stdin is not None and not stdin.closed:
            self._watcher.unregister(stdin.fileno())
            stdin.close()
