"""Who asks for a call, with which tool, and when.

Event + HookContext + the session's role  ->  Caller
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct


class AgentRole(Struct, frozen=True, kw_only=True):
    """What the agent of a session is, beside what its host calls it."""

    name: str = ""
    """planner, executor …; empty where nobody says."""
    folders: Callable[[], tuple[str, ...]] = tuple
    """Where it works: asked for only when a rule wants to know."""


NO_ROLE = AgentRole()


class Caller(Struct, frozen=True, kw_only=True):
    """The circumstances of a call that its words do not tell; nothing where nobody says."""

    tool: str = ""
    input: Mapping[str, Any] = {}
    agent: str = ""
    """Its type where it has one, else its name."""
    agent_name: str = ""
    role: AgentRole = NO_ROLE
    """The session's; a subagent keeps it, whatever its own type is."""
    host: str = ""
    time: float = 0.0
    """Seconds since the epoch."""
