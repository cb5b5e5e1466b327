"""Telemetry beside the daemon's own work: started when the user's settings ask for it.

[telemetry], followed  ->  Station, told in a thread

While nobody asks, this looks at a few files' times now and then, and imports nothing.
"""

import contextlib
import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from snaphook.config import LiveSettings, Settings, Surroundings
from snaphook.errors import SnaphookError
from snaphook.providers.telemetry.settings import TelemetrySettings
from snaphook.rooms import every_section
from snaphook.wiring import NATIVE, log_settings, section

from .control import Telling

if TYPE_CHECKING:
    from snaphook.providers.telemetry.station import Station

log = logging.getLogger("snaphook.daemon")

LOOK = 5.0
"""Seconds between two looks at the settings, whoever keeps us waiting otherwise."""
LEAVE = 5.0
"""The longest that the daemon's end waits for a collector."""
PATIENCE = 60.0
"""The longest that a collector that is away waits to be asked again."""
AGAIN = 300.0
"""Seconds between two complaints."""
AWAY = "the collector is away, or does not take what it is told"


class Telemetry(threading.Thread):
    """Tells what the record says, for as long as the daemon lives."""

    def __init__(self, env: Mapping[str, str]) -> None:
        super().__init__(name="snaphook-telemetry", daemon=True)
        self._around = Surroundings.here(Path("/"), env)
        self._live: LiveSettings | None = None
        self._of: Settings | None = None
        self._station: Station | None = None
        self._over = threading.Event()
        self._pause = self._due = 0.0
        self._complained = -AGAIN
        self.telling: Telling | None = None
        """How it fares, for whoever asks; ``None`` while nobody wants it."""

    def stop(self) -> None:
        """Tell the rest, and end; a collector that keeps us waiting hears it from the next daemon."""
        self._over.set()
        self.join(LEAVE)

    def run(self) -> None:
        """Look, count and tell until told to stop."""
        while not self._over.wait(min(LOOK, max(0.0, self._due - monotonic()))):
            self._once()
        self._due = 0.0
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
        if self._station is None:
            self._due = monotonic() + LOOK
        elif self._station.once():
            self._pause = 0.0
            self._due = monotonic() + self._station.settings.interval
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
        if self.telling is not None:
            self.telling = replace(self.telling, **news)

    def _follow_settings(self) -> None:
        if self._live is None:
            self._live = LiveSettings(self._around, sections=every_section(), dialects=NATIVE)
        settings = self._live.current()
        if settings is self._of and (self._station is not None or not self._may_begin(settings)):
            return
        if settings is not self._of:
            self._pause = self._due = 0.0
        self._let_go()
        self._of = settings
        if _wanted(settings):
            self.telling = Telling()
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
        served = self._station.endpoint.url if self._station.endpoint else ""
        self._note(collector=self._station.collector, prometheus=served)
        if served:
            log.info("metrics are served at %s", served)

    def _may_begin(self, settings: Settings) -> bool:
        """Say whether it is wanted, and time to try again where it could not begin."""
        return _wanted(settings) and monotonic() >= self._due

    def _let_go(self) -> None:
        station, self._station, self.telling = self._station, None, None
        if station is not None:
            with contextlib.suppress(Exception):  # it may be half gone
                station.close()


def _wanted(settings: Settings) -> bool:
    table = settings.sections.get("telemetry")
    return table is not None and section(settings, "telemetry", TelemetrySettings).enabled
