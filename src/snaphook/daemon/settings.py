"""What people may change about the daemon.

[daemon] of snaphook.toml  ->  DaemonSettings
"""

from typing import Annotated

from msgspec import Meta, Struct


class DaemonSettings(Struct, frozen=True, kw_only=True):
    """How long the daemon stays, whether hosts may call it by HTTP, and whether it guards its hooks."""

    idle_minutes: Annotated[float, Meta(gt=0)] = 30.0
    """Seconds without calls before the daemon stops; with ``http`` it runs until stopped."""
    http: bool = False
    """Listen on a local port for hosts with HTTP hooks."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 4577
    """The port. Hosts' settings contain it, so it must not change."""
    restore_hooks: bool = True
    """Put our hooks back into a host's settings when they disappear while an agent is at work."""
