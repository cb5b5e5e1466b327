"""The daemon's side of the process beside it: started when there is something to do, and again if it dies.

a record was written  ->  a message to the worker, once a second at most
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import msgspec

from .worker_messages import WorkerConfig, WorkerMessage

log = logging.getLogger("snaphook.daemon")

SOON = 1.0
"""Seconds after the first record; a daemon that leaves sooner ships by itself."""
EVERY = 1.0
"""Seconds between two words about one folder; less than a keeper gathers, so none is missed."""
AGAIN = 30.0
"""Seconds before another is started where one has died."""
LEAVES = 5.0
"""Seconds in which it may finish."""
COMMAND = (sys.executable, "-I", "-m", "snaphook", "daemon", "keep")


class WorkerSupervisor:
    """The process that maintains the record for us."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._configs: dict[Path, WorkerConfig] = {}
        self._told: dict[Path, float] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._line: int | None = None
        self._starting: asyncio.TimerHandle | None = None
        self._started = -AGAIN

    @property
    def pid(self) -> int | None:
        """The process, where there is one."""
        return self._process.pid if self._process else None

    def look_after(self, folder: Path, config: WorkerConfig) -> None:
        """Have *folder* looked after from now on, or otherwise than so far."""
        if self._configs.get(folder) != config:
            self._configs[folder] = config
            self._say(WorkerMessage(folder=str(folder), config=config))

    def wake(self, folder: Path) -> None:
        """Say that there is something new in *folder*."""
        now = monotonic()
        if now < self._told.get(folder, 0.0):
            return
        self._told[folder] = now + EVERY
        if self._process is None and self._starting is None:
            wait = max(SOON, self._started + AGAIN - now)
            self._starting = asyncio.get_running_loop().call_later(wait, self._start)
        self._say(WorkerMessage(folder=str(folder)))

    def let_go(self, folder: Path) -> bool:
        """Have *folder* shipped once more and then left alone; say whether somebody does that."""
        self._configs.pop(folder, None)
        self._told.pop(folder, None)
        return self._say(WorkerMessage(folder=str(folder), over=True))

    def close(self) -> None:
        """Let it finish, and end."""
        if self._starting is not None:
            self._starting.cancel()
        self._hang_up()
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.wait(LEAVES)
        except subprocess.TimeoutExpired:
            log.warning("records are still being shipped; that continues without the daemon")

    def _start(self) -> None:
        """Start it; what it must know waits in the line before it is there to hear."""
        self._starting = None
        self._started = monotonic()
        heard, self._line = os.pipe()
        os.set_blocking(self._line, False)
        for folder, config in self._configs.items():
            self._say(WorkerMessage(folder=str(folder), config=config))
        try:
            self._process = subprocess.Popen(
                self._command,
                cwd="/",
                stdin=heard,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as problem:
            log.error("records stay on disk for now: %s", problem)  # noqa: TRY400 - one line will do
            self._hang_up()
        finally:
            os.close(heard)

    def _say(self, word: WorkerMessage) -> bool:
        """Say *word*, whole or not at all; whoever does not listen is put out."""
        if self._line is None:
            return False
        line = msgspec.json.encode(word) + b"\n"
        with contextlib.suppress(OSError):
            if os.write(self._line, line) == len(line):
                return True
        log.error("the log maintenance process died or hangs; starting another")
        self._hang_up()
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        return False

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            os.close(line)
