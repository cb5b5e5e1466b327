"""Where an event happened: which session, which agent, which project, in which host."""

from time import time

from msgspec import Struct, field


class HookContext(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The circumstances every event shares.

    The first four are what a provider can always rely on; a host fills in the rest as far as it
    tells them. Paths are absolute.
    """

    session_id: str
    agent_name: str = "main"
    team_root: str = ""
    """The project's root directory."""
    timestamp: float = field(default_factory=time)
    """Seconds since the epoch, UTC; now, where nobody says."""

    cwd: str = ""
    host: str = ""
    """The host's name as ``snaphook hook`` spells it; empty when embedded."""
    transcript_path: str | None = None
    permission_mode: str | None = None
    turn_id: str | None = None
    agent_id: str | None = None
    """Set inside a subagent."""
    agent_type: str | None = None
    parent_session_id: str | None = None
    depth: int = 0
    """0 for the agent a person talks to, 1 for its subagents, and so on."""
    headless: bool = False
    """No person can be asked."""
