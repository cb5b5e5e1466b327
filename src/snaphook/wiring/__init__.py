"""Settings to providers to an engine; one event answered; every answer recorded; who does which job.

Environment  ->  Settings  ->  providers  ->  Engine  ->  Reply, Record

The one place that knows every package below it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assembly import build_engine, choose, read_settings, tenant_hooks

__all__ = ["build_engine", "choose", "read_settings", "tenant_hooks"]


def __getattr__(name: str) -> Any:
    """Import what is asked for: a hook that needs no engine pays for none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.assembly"), name)
