"""What people may change about the daemon.

[daemon] of snaphook.toml  ->  DaemonSettings
"""

from typing import Annotated

from msgspec import Meta, Struct


class DaemonSettings(Struct, frozen=True, kw_only=True):
    """How long the daemon stays, whether hosts may call it by HTTP, and whether it guards its hooks."""

    idle_minutes: Annotated[float, Meta(gt=0)] = 30.0
    """How long it stays when nobody calls; with ``http`` it stays until it is stopped."""
    http: bool = False
    """Listen on a port of this machine, for hosts with HTTP hooks."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 4577
    """Which port; hosts' settings name it, so it must not change under them."""
    restore_hooks: bool = True
    """Put our hooks back into a host's settings when they disappear while an agent is at work."""
