"""The append-only, hash-chained record on disk."""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

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

__getattr__ = exports(__name__, _MODULES)
