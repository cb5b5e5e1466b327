"""Report that a project's approval is void, so that nobody mistakes silence for a passed check.

Settings.lapsed  ->  a message at each session's start, and once at the next call
"""

from collections.abc import Callable, Sequence

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

    def __init__(
        self, lapsed: Sequence[str], is_first: Callable[[str, str, str], bool] | None = None
    ) -> None:
        """Report *lapsed*; *is_first* says of a text, a session and a project whether it is new there."""
        self._text = (
            f"[Snaphook: {'; '.join(lapsed)}. Rules of unapproved settings can only make the guard "
            "stricter. Review and approve them again: snaphook trust]"
        )
        self._seen: set[str] = set()
        self._is_first = is_first or (lambda _text, session, _project: session not in self._seen)
        _log.warning("%s", self._text)

    async def on_session_start(
        self, _event: SessionStart, context: HookContext
    ) -> SessionStartOutput:
        """Tell the person at the start of every session."""
        self._new(context)
        return SessionStartOutput(messages=(Message(self._text, Recipient.USER),))

    async def on_pre_tool_use(
        self, _event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Tell the person once, if it happens within a session."""
        if not self._new(context):
            return None
        return PreToolUseOutput(
            rule="trust.lapsed", messages=(Message(self._text, Recipient.USER),)
        )

    def _new(self, context: HookContext) -> bool:
        """Say whether the session has not been told; processes that answer one call share the answer."""
        session = context.session_id
        if session in self._seen:
            return False
        first = self._is_first(self._text, session, context.team_root or context.cwd)
        self._seen.add(session)
        return first
