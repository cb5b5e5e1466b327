"""The ask-user limit: a person answers so many questions a session, then the agent decides.

a question  ->  counted, or blocked

Strict: every host's question tool; a call asked about twice counts once, and a question that
another hook stops does not count at all. Compatible: the tool ``ask_user``, counted when looked at.
"""

from collections import OrderedDict
from typing import Protocol

from .call import PreToolUseContext
from .tools import ASKERS, is_one_of


class Tally(Protocol):
    """How many questions each session has asked."""

    def used(self, session: str) -> int:
        """Return the number of questions *session* has asked."""

    def asked(self, session: str, call_id: str | None) -> bool:
        """Say whether the call of that id is among them."""

    def add(self, session: str, call_id: str | None) -> None:
        """Count one more."""


class MemoryTally:
    """Counts that live as long as this process; the sessions longest silent are forgotten first."""

    def __init__(self, *, sessions: int = 10_000) -> None:
        self._most = sessions
        self._asked: OrderedDict[str, list[str | None]] = OrderedDict()

    def used(self, session: str) -> int:
        """Return the number of questions *session* has asked."""
        return len(self._asked.get(session, ()))

    def asked(self, session: str, call_id: str | None) -> bool:
        """Say whether the call of that id is among them."""
        return call_id is not None and call_id in self._asked.get(session, ())

    def add(self, session: str, call_id: str | None) -> None:
        """Count one more."""
        self._asked.setdefault(session, []).append(call_id)
        self._asked.move_to_end(session)
        if len(self._asked) > self._most:
            self._asked.popitem(last=False)


class AskUserLimit:
    """So many questions a session; the pipeline counts one when it really goes through."""

    def __init__(self, most: int, tally: Tally | None = None) -> None:
        self._most = most
        self._tally = tally or MemoryTally()

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a question must not be asked, or ``None``."""
        if not is_one_of(call.tool_name, ASKERS):
            return None
        if self._tally.asked(call.session_id, call.call_id):
            return None
        used = self._tally.used(call.session_id)
        return _reason(used, self._most) if used >= self._most else None

    def let_through(self, call: PreToolUseContext) -> None:
        """Count *call* if it is a question that was not counted yet."""
        question = is_one_of(call.tool_name, ASKERS)
        if question and not self._tally.asked(call.session_id, call.call_id):
            self._tally.add(call.session_id, call.call_id)


class CompatibleAskUserLimit:
    """The same for the one tool Squad knows, counted as soon as it is looked at."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tally = MemoryTally()

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a question must not be asked, or ``None``."""
        if call.tool_name != "ask_user":
            return None
        used = self._tally.used(call.session_id)
        if used >= self._most:
            return _reason(used, self._most)
        self._tally.add(call.session_id, None)
        return None


def _reason(used: int, most: int) -> str:
    return (
        f"ask_user rate limit exceeded: {used}/{most} calls used for this session. "
        "The agent should proceed without user input."
    )
