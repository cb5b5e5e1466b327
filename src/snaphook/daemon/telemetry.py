"""Telemetry beside the daemon's own work: started when the user's settings ask for it.

[telemetry], followed  ->  Station, told in a thread

While nobody asks, this looks at a few files' times now and then, and imports nothing.
"""

import contextlib
import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from snaphook.config import LiveSettings, Settings, Surroundings
from snaphook.errors import SnaphookError
from snaphook.providers.telemetry.settings import TelemetrySettings
from snaphook.wiring import NATIVE, every_section, log_settings, section

if TYPE_CHECKING:
    from snaphook.providers.telemetry.station import Station

log = logging.getLogger("snaphook.daemon")

LOOK = 5.0
"""Seconds between two looks at the settings."""
PATIENCE = 60.0
"""The longest that a collector that is away waits to be asked again."""
AGAIN = 300.0
"""Seconds between two complaints."""


class Telemetry(threading.Thread):
    """Tells what the record says, for as long as the daemon lives."""

    def __init__(self, env: Mapping[str, str]) -> None:
        super().__init__(name="snaphook-telemetry", daemon=True)
        self._around = Surroundings.here(Path("/"), env)
        self._live: LiveSettings | None = None
        self._of: Settings | None = None
        self._station: Station | None = None
        self._over = threading.Event()
        self._complained = -AGAIN

    def stop(self) -> None:
        """Tell the rest, and end."""
        self._over.set()
        self.join(5)

    def run(self) -> None:
        """Look, count and tell until told to stop."""
        pause = 0.0
        while not self._over.wait(pause):
            took = self._once()
            shortest = self._station.settings.interval if self._station else LOOK
            pause = shortest if took else min(max(pause * 2, 1.0), PATIENCE)
        self._once()
        self._let_go()

    def _once(self) -> bool:
        """Say whether there is no reason to wait longer than usual."""
        try:
            self._follow_settings()
            return self._station is None or self._station.once()
        except SnaphookError as problem:
            self._complain(str(problem))
        except Exception as problem:  # noqa: BLE001 - a collector has many ways to be away
            self._complain(f"{type(problem).__name__}: {problem}")
        return False

    def _follow_settings(self) -> None:
        if self._live is None:
            self._live = LiveSettings(self._around, sections=every_section(), dialects=NATIVE)
        settings = self._live.current()
        if settings is self._of and (self._station is not None or not _wanted(settings)):
            return
        self._let_go()
        self._of = settings
        if _wanted(settings):
            self._begin(settings)

    def _begin(self, settings: Settings) -> None:
        from snaphook.providers.telemetry.station import Station

        around = self._around
        self._station = Station(
            section(settings, "telemetry", TelemetrySettings),
            log_settings(settings).place(around.data_dir),
            around.data_dir,
            env=around.env,
        )
        if self._station.endpoint:
            log.info("metrics are served at %s", self._station.endpoint.url)

    def _let_go(self) -> None:
        station, self._station = self._station, None
        if station is not None:
            with contextlib.suppress(Exception):  # it may be half gone
                station.close()

    def _complain(self, problem: str) -> None:
        if monotonic() - self._complained >= AGAIN:
            self._complained = monotonic()
            log.warning("telemetry: %s. It is tried again.", problem)


def _wanted(settings: Settings) -> bool:
    table = settings.sections.get("telemetry")
    return table is not None and section(settings, "telemetry", TelemetrySettings).enabled
