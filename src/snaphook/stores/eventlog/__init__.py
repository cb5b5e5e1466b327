"""The append-only, hash-chained record on disk."""

from .log import Durability, EventLog
from .record import Record, Said
from .verify import Bad, Report, verify

__all__ = ["Bad", "Durability", "EventLog", "Record", "Report", "Said", "verify"]
