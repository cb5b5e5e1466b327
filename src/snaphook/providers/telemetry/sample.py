"""Which sessions are told as traces: a share of them, the same on every machine.

trace id  ->  yes or no

Chosen as OpenTelemetry's ratio sampler does, from the lower half of the id, so that a collector that
samples by the same ratio keeps the same traces.
"""

from collections.abc import Mapping

from .settings import TelemetrySettings
from .span import TraceSpan

WHOLE = 1 << 64


class Sampler:
    """Takes *share* of all traces, each whole or not at all."""

    def __init__(self, share: float = 1.0) -> None:
        self.share = share
        self._bound = round(share * WHOLE)

    def takes(self, span: TraceSpan) -> bool:
        """Say whether *span* belongs to a trace that is told."""
        return int(span.trace[16:], 16) < self._bound


def sampler(settings: TelemetrySettings, env: Mapping[str, str]) -> Sampler:
    """Return the sampler that *settings* ask for, or else OTEL_TRACES_SAMPLER."""
    if settings.sample is not None:
        return Sampler(settings.sample)
    named = env.get("OTEL_TRACES_SAMPLER", "").removeprefix("parentbased_")
    if named == "always_off":
        return Sampler(0.0)
    if named != "traceidratio":
        return Sampler()
    try:
        return Sampler(min(1.0, max(0.0, float(env.get("OTEL_TRACES_SAMPLER_ARG", "1")))))
    except ValueError:
        return Sampler()
