"""What people may change about the record.

[log] of snaphook.toml  ->  LogSettings
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct


class Durability(StrEnum):
    """When a record is on disk for good. A stop always is before its host hears of it."""

    RECORD = "record"
    """Before the reply, every time."""
    GROUP = "group"
    """Within a moment, many at once."""
    NONE = "none"
    """When the system gets round to it."""


class LogSettings(Struct, frozen=True, kw_only=True):
    """Where the record is kept, how safely, and for how long."""

    enabled: bool = True
    folder: str = ""
    """Below the user's data folder where nothing is said."""
    durability: Durability = Durability.GROUP
    store: str = "sqlite"
    """Where the record is copied to: "sqlite" beside it, "postgresql://…", or "none"."""
    machine: str = ""
    """What this machine is called in a fleet's database; its host name where nothing is said."""
    keep_days: Annotated[int, Meta(ge=1)] = 90
    segment_mb: Annotated[int, Meta(ge=1)] = 64
    max_mb: Annotated[int, Meta(ge=2)] = 4096
    """The most that a stream may take on disk, even while the database is away."""

    def place(self, data_dir: Path) -> Path:
        """Return the folder of the record, *data_dir* being the user's."""
        return Path(self.folder).expanduser() if self.folder else data_dir / "log"
