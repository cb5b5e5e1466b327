"""The dashboard: read-only views over what is recorded, for one machine or a fleet."""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

if TYPE_CHECKING:
    from .app import create_app
    from .dashboard import Dashboard, open_desk

__all__ = ["Dashboard", "create_app", "open_desk"]

_MODULES = {"Dashboard": "dashboard", "create_app": "app", "open_desk": "dashboard"}

__getattr__ = exports(__name__, _MODULES)
