"""Everything that telemetry does on one machine, held together.

TelemetrySettings + the record  ->  a Prometheus endpoint, a collector that is kept up to date

One at a time for each user: whoever has the lock. Nothing here is on the way of an answer.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, time

from snaphook.errors import StoreError
from snaphook.scrub import Scrubber, load_salt
from snaphook.storage.lock import Held, take

from .collector import Collector
from .exporter import MetricExporter, TraceExporter
from .measures import Measures
from .prometheus import Endpoint, exposition
from .sample import sampler
from .settings import Signal, TelemetrySettings, address_of

log = logging.getLogger("snaphook.telemetry")

FOLDER = "telemetry"
METRICS_EVERY = 60.0
"""Seconds between two tellings of all numbers, where OTEL_METRIC_EXPORT_INTERVAL says nothing."""


class TelemetryPipeline:
    """Follows the record in *folder*; keeps what it must remember below *data_dir*.

    It begins where it left off, or now, or when it was asked to (*begun*, a moment ago); *since* has
    it begin further back.
    """

    def __init__(
        self,
        settings: TelemetrySettings,
        folder: Path,
        data_dir: Path,
        *,
        env: Mapping[str, str],
        collector: Collector | None = None,
        since: float | None = None,
        begun: float | None = None,
    ) -> None:
        self.settings = settings
        self._env = env
        place = data_dir / FOLDER
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _locked(place)
        clean = Scrubber(salt=load_salt(data_dir / "salt")).text
        self._numbers = MetricExporter(
            folder, place, now=time(), clean=clean, since=since, begun=begun
        )
        self._collector = collector or _collector(settings, env)
        chosen = sampler(settings, env)
        self._traces = (
            TraceExporter(
                folder,
                place,
                sampler=chosen,
                content=settings.content,
                since=since,
                begun=begun,
            )
            if self._collector
            else None
        )
        self._every = _interval(env)
        self._told_at = -self._every
        address = address_of(settings.prometheus)
        self.endpoint = Endpoint(address, self.exposition) if address else None

    @property
    def measures(self) -> Measures:
        """Return the numbers; whoever reads them while others count asks for ``exposition``."""
        return self._numbers.measures

    def exposition(self) -> str:
        """Return every number as Prometheus reads it, as of now, whatever the collector does."""
        self._numbers.read()
        with self._numbers.lock:
            return exposition(self._numbers.measures)

    def once(self, *, all_of_it: bool = False) -> bool:
        """Count and tell what is new; ``False`` where the collector did not take it."""
        self._numbers.read()
        if self._collector is None or self._traces is None:
            return True
        took = self._traces.tell(self._collector)
        due = all_of_it or monotonic() - self._told_at >= self._every
        if not took or not due:
            return took
        took = self._collector.metrics(self._numbers.as_of_now(), time())
        if took:
            self._told_at = monotonic()
        return took

    @property
    def collector(self) -> str:
        """Return the address of the collector that is told; nothing where there is none."""
        if self._collector is None:
            return ""
        return self.settings.endpoint or self._env.get("OTEL_EXPORTER_OTLP_ENDPOINT", "")

    def close(self) -> None:
        """Let go of everything; what was not told is told next time."""
        if self.endpoint is not None:
            self.endpoint.close()
        if self._collector is not None:
            self._collector.close()
        self._lock.release()


def wanted(settings: TelemetrySettings, env: Mapping[str, str]) -> bool:
    """Say whether anybody named a collector."""
    if env.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    named = ("", *(f"{signal.upper()}_" for signal in Signal))
    return bool(
        settings.endpoint or any(env.get(f"OTEL_EXPORTER_OTLP_{one}ENDPOINT") for one in named)
    )


def numbers_of(folder: Path, data_dir: Path) -> str:
    """Return every number of the record as Prometheus reads it, and change nothing."""
    numbers = MetricExporter(folder, data_dir / FOLDER, now=time(), keep=False)
    numbers.read()
    return exposition(numbers.measures)


def _locked(place: Path) -> Held:
    held = take(place / ".lock")
    if held is None:
        raise StoreError(
            where="telemetry",
            what="another process (the daemon) already exports telemetry",
            fix="Let the daemon do it, or run 'snaphook daemon stop' first.",
        )
    return held


def _collector(settings: TelemetrySettings, env: Mapping[str, str]) -> Collector | None:
    if not wanted(settings, env):
        return None
    from .otlp import Otlp  # the SDK is an extra, and takes its time

    return Otlp(settings, env)


def _interval(env: Mapping[str, str]) -> float:
    try:
        return float(env.get("OTEL_METRIC_EXPORT_INTERVAL", "")) / 1000
    except ValueError:
        return METRICS_EVERY
