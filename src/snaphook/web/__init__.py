"""The dashboard: read-only views over what is recorded, for one machine or a fleet."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .app import create_app
    from .dashboard import Dashboard, open_desk

__all__ = ["Dashboard", "create_app", "open_desk"]

_MODULES = {"Dashboard": "dashboard", "create_app": "app", "open_desk": "dashboard"}


def __getattr__(name: str) -> Any:
    """Import what is asked for: ``snaphook top`` reads the same figures and needs no web server."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
