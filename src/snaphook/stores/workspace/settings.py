"""What people may change about the workspace.

[workspace] of snaphook.toml  ->  WorkspaceSettings
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

ADDRESSES = ("postgresql://", "postgres://")
Seconds = Annotated[float, Meta(gt=0)]


class WorkspaceSettings(Struct, frozen=True, kw_only=True):
    """Where agents share their work, and how long one of them may be silent."""

    enabled: bool = True
    path: str = ""
    """The workspace folder. Default: the nearest folder above with a queue."""
    store: str = ""
    """Where the queue is stored: in files, or at "postgresql://…" for several machines."""
    project: str = ""
    """Name of the queue in a shared database. Default: the folder's name."""
    lease_seconds: Seconds = 120
    """How long a claim is valid without a heartbeat."""
    heartbeat_seconds: Seconds = 30
    """Seconds between two heartbeats of a working agent."""
    stuck_hours: Seconds = 24
    """Report a task in progress as stuck after this time."""
    patience_seconds: Seconds = 10
    """How long a change waits for the lock."""
    backups: Annotated[int, Meta(ge=1, le=1000)] = 10
    """Number of backups kept of each file."""
    max_mb: Annotated[int, Meta(ge=1)] = 32
    """Size limit of files; the event log may be larger."""

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: an address we cannot use, a lease nobody could keep."""
        store = table.get("store", "")
        if isinstance(store, str) and store and not store.startswith(ADDRESSES):
            fix = f"Write an address that begins with '{ADDRESSES[0]}', or leave it out."
            yield ("store",), f"'{store}' is not the address of a database", fix
        beat, lease = table.get("heartbeat_seconds", 30), table.get("lease_seconds", 120)
        if isinstance(beat, int | float) and isinstance(lease, int | float) and beat >= lease:
            fix = "Make it a quarter of lease_seconds, so that a missed one does no harm."
            yield ("heartbeat_seconds",), f"{beat} is not less than lease_seconds = {lease}", fix
