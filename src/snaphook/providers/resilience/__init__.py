"""Recovery from failing models: backoff, a fallback chain, a circuit breaker, alerts."""

from snaphook.config import Environment

from .alerts import through_outbox
from .provider import ResilienceProvider
from .settings import ResilienceSettings

__all__ = ["ResilienceProvider", "ResilienceSettings", "make"]


def make(settings: ResilienceSettings, around: Environment) -> ResilienceProvider:
    """Return the provider that ``[resilience]`` switches on."""
    return ResilienceProvider(settings, state=around.data_dir, alarm=through_outbox(around))
