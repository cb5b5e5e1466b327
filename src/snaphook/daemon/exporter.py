"""The process beside the daemon that tells a collector what the record says.

[telemetry], followed  ->  TelemetryPipeline, told in a thread  ->  how that fares, a line each

It lives as long as its stdin: a daemon that is killed leaves nobody behind, and what it wrote is
still told.
"""

import contextlib
import logging
import os
import signal
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, time
from typing import IO, TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from snaphook.config import Environment, LiveSettings, Settings
from snaphook.errors import SnaphookError
from snaphook.providers.telemetry.settings import TelemetrySettings
from snaphook.wiring.assembly import NATIVE, log_settings, section
from snaphook.wiring.sections import every_section

from .control import ExporterStatus
from .exporter_supervisor import is_wanted
from .worker import MODEST, log_to

if TYPE_CHECKING:
    from snaphook.providers.telemetry.pipeline import TelemetryPipeline

log = logging.getLogger("snaphook.daemon")

LOOK = 5.0
"""Seconds between two looks at the settings, whoever keeps us waiting otherwise."""
LEAVE = 5.0
"""The longest that our end waits for a collector."""
PATIENCE = 60.0
"""The longest that a collector that is away waits to be asked again."""
AGAIN = 300.0
"""Seconds between two complaints."""
AWAY = "the collector cannot be reached or rejects the data"


def serve(
    lines: IO[bytes], out: IO[bytes], *, logs: Path | None = None, begun: float | None = None
) -> None:
    """Tell what came since *begun*, until *lines* end; say *out* how it fares."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # meant for the daemon; we leave when it has left
    os.nice(MODEST)
    if logs is not None:
        log_to(logs)

    def say(exporter_status: ExporterStatus | None) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more
            out.write(msgspec.json.encode(exporter_status) + b"\n")
            out.flush()

    thread = ExporterProcess(os.environ, say, begun=begun)
    thread.start()
    lines.read()
    thread.stop()


class ExporterProcess(threading.Thread):
    """Tells what the record says, until it is stopped."""

    def __init__(
        self,
        env: Mapping[str, str],
        say: Callable[[ExporterStatus | None], None] = lambda _: None,
        *,
        begun: float | None = None,
    ) -> None:
        super().__init__(name="snaphook-telemetry", daemon=True)
        self._around = Environment.here(Path("/"), env)
        self._live: LiveSettings | None = None
        self._of: Settings | None = None
        self._pipeline: TelemetryPipeline | None = None
        self._over = threading.Event()
        self._leaving = False
        """The numbers since the last export are told as well: they are due once a minute otherwise."""
        self._pause = self._due = 0.0
        self._complained = -AGAIN
        self._say = say
        self._begun = begun
        self.exporter_status: ExporterStatus | None = None
        """How it fares; ``None`` while nobody wants it."""

    def stop(self) -> None:
        """Tell the rest, and end; a collector that keeps us waiting hears it from the next one."""
        self._over.set()
        self.join(LEAVE)

    def run(self) -> None:
        """Look, count and tell until told to stop."""
        while not self._over.wait(min(LOOK, max(0.0, self._due - monotonic()))):
            self._once()
        self._due = 0.0
        self._leaving = True
        self._once()
        self._let_go()

    def _once(self) -> None:
        """Follow the settings; tell, where it is time to."""
        try:
            self._follow_settings()
            if monotonic() >= self._due:
                self._tell()
        except SnaphookError as problem:
            self._wait(str(problem))
        except Exception as problem:  # noqa: BLE001 - a collector has many ways to be away
            self._wait(f"{type(problem).__name__}: {problem}")

    def _tell(self) -> None:
        if self._pipeline is None:
            self._due = monotonic() + LOOK
        elif self._pipeline.once(all_of_it=self._leaving):
            self._pause = 0.0
            self._due = monotonic() + self._pipeline.settings.interval
            self._note(told=time(), problem="")
        else:
            self._wait(AWAY)

    def _wait(self, problem: str) -> None:
        """Wait longer each time, and say why now and then."""
        self._pause = min(max(self._pause * 2, 1.0), PATIENCE)
        self._due = monotonic() + self._pause
        self._note(problem=problem)
        if monotonic() - self._complained >= AGAIN:
            self._complained = monotonic()
            log.warning("telemetry: %s. It is tried again.", problem)

    def _note(self, **news: Any) -> None:
        if self.exporter_status is not None:
            self.exporter_status = replace(self.exporter_status, **news)
            self._say(self.exporter_status)

    def _follow_settings(self) -> None:
        if self._live is None:
            self._live = LiveSettings(self._around, sections=every_section(), dialects=NATIVE)
        settings = self._live.current()
        if settings is self._of and (self._pipeline is not None or not self._may_begin(settings)):
            return
        if settings is not self._of:
            self._pause = self._due = 0.0
        self._let_go()
        self._of = settings
        if is_wanted(settings):
            self.exporter_status = ExporterStatus()
            self._begin(settings)

    def _begin(self, settings: Settings) -> None:
        from snaphook.providers.telemetry.pipeline import TelemetryPipeline

        around = self._around
        self._pipeline = TelemetryPipeline(
            section(settings, "telemetry", TelemetrySettings),
            log_settings(settings).place(around.data_dir),
            around.data_dir,
            env=around.env,
            begun=self._begun,
        )
        served = self._pipeline.endpoint.url if self._pipeline.endpoint else ""
        self._note(collector=self._pipeline.collector, prometheus=served)
        if served:
            log.info("metrics are served at %s", served)

    def _may_begin(self, settings: Settings) -> bool:
        """Say whether it is wanted, and time to try again where it could not begin."""
        return is_wanted(settings) and monotonic() >= self._due

    def _let_go(self) -> None:
        pipeline, self._pipeline, self.exporter_status = self._pipeline, None, None
        if pipeline is not None:
            with contextlib.suppress(Exception):  # it may be half gone
                pipeline.close()
