"""One line of the record: an event, what everyone said, and what came of it.

Already scrubbed when it gets here: nothing below this point looks inside.
"""

from typing import Any

from msgspec import Struct, field

from snaphook.canon.hook_runs import RecordedRun


class RecordedAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One provider's answer, as it is kept."""

    by: str
    verdict: str | None = None
    reason: str | None = None
    error: str | None = None
    duration_ms: float = 0.0
    rule: str = ""
    """Which of its rules decided, where it has rules."""
    would: str | None = None
    """What it would have said, were it enforcing."""


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who, where, what was asked, who answered what, and the sum of it."""

    id: str
    """Unique over all machines, and growing with time: shipping twice is shipping once."""
    time: float
    event: str
    session: str
    host: str = ""
    agent: str = ""
    project: str = ""
    tool: str = ""
    parent: str = ""
    """The session that started this one."""
    agent_id: str = ""
    """Which subagent of the session it was; empty for the agent that a person talks to."""
    input: dict[str, Any] = field(default_factory=dict)
    """The event's own fields."""
    answers: tuple[RecordedAnswer, ...] = ()
    verdict: str | None = None
    reason: str | None = None
    by: str = ""
    output: dict[str, Any] = field(default_factory=dict)
    hooks: tuple[RecordedRun, ...] = ()
    """The command hooks that ran: how each ended, and what it printed."""
    duration_ms: float = 0.0
    turn: str = ""
    """Which turn of the session it was, where the host tells."""
    transcript: str = ""
    """Where the host writes down the conversation; kept where a stretch of it begins or ends."""
    salt: str = ""
    """Random, so that the digest of a record that was redacted cannot be guessed back."""

    @property
    def stops(self) -> bool:
        """Say whether something was stopped; such a record is on disk before the host hears of it."""
        return self.verdict in ("deny", "block")
