"""The daemon's side of telemetry: a process beside it that tells, for as long as the settings want that.

[telemetry], followed  ->  a process  ->  how it fares

Telling takes as long as deciding does, and two threads of one process take turns; two processes do
not. While nobody asks, this looks at a few files' times now and then, and imports nothing.
"""

import contextlib
import logging
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, time

import msgspec

from snaphook.config import Environment, LiveSettings, Settings
from snaphook.errors import SnaphookError
from snaphook.providers.telemetry.settings import TelemetrySettings
from snaphook.wiring.assembly import NATIVE, section
from snaphook.wiring.sections import every_section

from .control import ExporterStatus

log = logging.getLogger("snaphook.daemon")

LOOK = 5.0
"""Seconds between two looks at the settings."""
LEAVES = 6.0
"""Seconds in which it may tell the rest; the next one tells what it did not."""
AGAIN = 30.0
"""Seconds before another is started where one has died."""
COMMAND = (sys.executable, "-I", "-m", "snaphook", "daemon", "tell")


class ExporterSupervisor(threading.Thread):
    """Whoever tells of the record for us."""

    def __init__(self, env: Mapping[str, str], command: Sequence[str] = COMMAND) -> None:
        super().__init__(name="snaphook-exporter", daemon=True)
        self._env = env
        self._around = Environment.here(Path("/"), env)
        self._command = command
        self._live: LiveSettings | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = -AGAIN
        self._looked = time()
        """When it was last seen whether somebody is wanted; what comes after that is told."""
        self._over = threading.Event()
        self.exporter_status: ExporterStatus | None = None
        """How it fares; ``None`` while nobody wants it."""

    @property
    def pid(self) -> int | None:
        """The process, where there is one."""
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """Have the rest told, and end; nobody waits long for a slow collector."""
        self._over.set()
        self.join(LEAVES + 1)

    def run(self) -> None:
        """Look until told to stop."""
        pause = 0.0
        while not self._over.wait(pause):
            pause = LOOK
            try:
                self._look()
            except (SnaphookError, OSError) as problem:
                log.warning("telemetry: %s. It is tried again.", problem)
        self._end()

    def _look(self) -> None:
        """Have somebody there if somebody is wanted, who tells what came since we last looked."""
        before, self._looked = self._looked, time()
        if self._live is None:
            self._live = LiveSettings(self._around, sections=every_section(), dialects=NATIVE)
        wanted = is_wanted(self._live.current())
        if self._process is not None and self._process.poll() is not None:
            log.error("the telemetry exporter died; starting another")
            self._end()
        if wanted and self._process is None and monotonic() - self._begun >= AGAIN:
            self._start(before)
        elif not wanted and self._process is not None:
            self._end()
            self._begun = -AGAIN

    def _start(self, since: float) -> None:
        self._begun = monotonic()
        self.exporter_status = ExporterStatus()
        self._process = subprocess.Popen(
            [*self._command, f"--begun={since}"],
            cwd="/",
            env=dict(self._env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Note how it fares, until it is gone."""
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                if process is self._process:
                    self.exporter_status = msgspec.json.decode(line, type=ExporterStatus | None)

    def _end(self) -> None:
        process, self._process, self.exporter_status = self._process, None, None
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(LEAVES)
        except subprocess.TimeoutExpired:
            process.kill()  # the record is the queue: nothing is lost
            process.wait()


def is_wanted(settings: Settings) -> bool:
    """Say whether *settings* have a table for telemetry, and it is on."""
    table = settings.sections.get("telemetry")
    return table is not None and section(settings, "telemetry", TelemetrySettings).enabled
