"""Who asks for a call, with which tool, and when.

Event + HookContext  ->  Asker
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Asker(Struct, frozen=True, kw_only=True):
    """The circumstances of a call that its words do not tell; nothing where nobody says."""

    tool: str = ""
    input: Mapping[str, Any] = {}
    agent: str = ""
    """Its type where it has one, else its name."""
    agent_name: str = ""
    host: str = ""
    time: float = 0.0
    """Seconds since the epoch."""
