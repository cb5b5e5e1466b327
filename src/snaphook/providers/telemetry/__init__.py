"""What agents do, told to whoever watches: traces, metrics and logs, made of the record."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .provider import TelemetryProvider
    from .settings import TelemetrySettings

__all__ = ["TelemetryProvider", "TelemetrySettings"]


def __getattr__(name: str) -> Any:
    """Import what is asked for: reading the settings must not cost the rest."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "provider" if name == "TelemetryProvider" else "settings"
    return getattr(import_module(f"{__name__}.{module}"), name)
