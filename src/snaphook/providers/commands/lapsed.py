"""Report that a project's approval is void, so that nobody mistakes silence for a passed check.

Settings.lapsed  ->  a message at each session's start, and once at the next call
"""

from collections.abc import Sequence

from snaphook.canon import (
    HookContext,
    HooksProvider,
    Message,
    PreToolUse,
    PreToolUseOutput,
    Recipient,
    SessionStart,
    SessionStartOutput,
    Stance,
)
from snaphook.lazy import logger

_log = logger(__name__)


class LapsedApproval(HooksProvider):
    """Says which settings no longer run, and what to do; it decides nothing."""

    name = "trust"
    stance = Stance.OPEN
    suspends = False

    def __init__(self, lapsed: Sequence[str]) -> None:
        self._text = (
            f"[Snaphook: {'; '.join(lapsed)}. Rules of unapproved settings can only make the guard "
            "stricter. Review and approve them again: snaphook trust]"
        )
        self._reported = False
        _log.warning("%s", self._text)

    async def on_session_start(
        self, _event: SessionStart, _context: HookContext
    ) -> SessionStartOutput:
        """Tell the person at the start of every session."""
        self._reported = True
        return SessionStartOutput(messages=(Message(self._text, Recipient.USER),))

    async def on_pre_tool_use(
        self, _event: PreToolUse, _context: HookContext
    ) -> PreToolUseOutput | None:
        """Tell the person once, if it happens within a session."""
        if self._reported:
            return None
        self._reported = True
        return PreToolUseOutput(
            rule="trust.lapsed", messages=(Message(self._text, Recipient.USER),)
        )
