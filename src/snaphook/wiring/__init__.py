"""Settings to providers to an engine; one event answered; every answer recorded; who does which job.

Environment  ->  Settings  ->  providers  ->  Engine  ->  Reply, Record

The one place that knows every package below it.
"""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

if TYPE_CHECKING:
    from .assembly import build_engine, choose, read_settings, tenant_hooks

__all__ = ["build_engine", "choose", "read_settings", "tenant_hooks"]

__getattr__ = exports(__name__, dict.fromkeys(__all__, "assembly"))
