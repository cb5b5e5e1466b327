"""The append-only, hash-chained record on disk."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .audit import Bad, ChainReport, verify
    from .log import EventLog
    from .record import Record, RecordedAnswer
    from .settings import Durability, LogSettings

_MODULES = {
    "Bad": "audit",
    "Durability": "settings",
    "EventLog": "log",
    "LogSettings": "settings",
    "Record": "record",
    "ChainReport": "audit",
    "RecordedAnswer": "record",
    "verify": "audit",
}

__all__ = [
    "Bad",
    "ChainReport",
    "Durability",
    "EventLog",
    "LogSettings",
    "Record",
    "RecordedAnswer",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for: the settings are read on every call, the rest is not."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
