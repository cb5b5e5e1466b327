"""What is to be retained, as the outbox carries it.

Stop, PreCompact, SessionEnd  ->  RetainRequest  ->  ``remembering``
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from .settings import MemorySettings


class RetainRequest(Struct, frozen=True, kw_only=True):
    """Files to learn from, and who was at work."""

    paths: tuple[str, ...]
    project: str = ""
    run: str = ""
    session: str = ""
    agent: str = ""
    transcripts: tuple[str, ...] = ()
    """Read for who wrote what, and not retained: the settings leave them out, or another job has them."""
    settings: MemorySettings = MemorySettings()
    """Those in force when it was asked for."""


Keep: TypeAlias = Callable[[RetainRequest, str], None]
"""Sees to it that a request is done, once for each key, without making anybody wait."""
