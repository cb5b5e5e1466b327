"""What people may change about the record.

[log] of snaphook.toml  ->  LogSettings
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct


class Durability(StrEnum):
    """When a record is durable on disk. A blocked call always is before the host gets the answer."""

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
    """Folder of the event log. Default: in the user's data folder."""
    durability: Durability = Durability.GROUP
    store: str = "sqlite"
    """Database that the log is copied to: "sqlite", "postgresql://…" or "none"."""
    machine: str = ""
    """Name of this machine in a fleet's database. Default: the host name."""
    keep_days: Annotated[int, Meta(ge=1)] = 90
    segment_mb: Annotated[int, Meta(ge=1)] = 64
    max_mb: Annotated[int, Meta(ge=2)] = 4096
    """Maximum size of a stream on disk in MB."""

    def place(self, data_dir: Path) -> Path:
        """Return the folder of the record, *data_dir* being the user's."""
        return Path(self.folder).expanduser() if self.folder else data_dir / "log"
