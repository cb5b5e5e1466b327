"""The reference agent as the builder, in this process: every hook of the settings fires.

message  ->  Agent.send_message  ->  DriverTurn
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from snaphook.agent import Agent, Listener, TurnStatus
from snaphook.builder.driver import DriverTurn, OnText
from snaphook.errors import DriverError

from .stream import RESUMABLE

MakeAgent: TypeAlias = Callable[[Path, str | None, Listener], Agent]
"""Codebase, session to resume and listener, to an agent that keeps its session on disk."""


class AgentDriver:
    """Has *make* make an agent for each conversation: which settings it follows is not ours to know."""

    def __init__(self, make: MakeAgent) -> None:
        self.name = "agent"
        self._make = make

    def talk(self, codebase: Path, *, resume: str = "") -> "AgentTalk":
        """Return a conversation."""
        return AgentTalk(self._make, codebase, resume)


class AgentTalk:
    """One session of the reference agent."""

    def __init__(self, make: MakeAgent, codebase: Path, session: str) -> None:
        self._ear = _TurnListener()
        self._agent = make(codebase, session or None, self._ear)
        self.id = self._agent.session_id

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        """Tell the agent *message*."""
        self._ear.tell = on_text
        used = self._agent.ledger.usage.total
        result = await self._agent.send_message(message)
        if result.status is not TurnStatus.DONE:
            raise DriverError(
                where="agent",
                what=f"ended as '{result.status}'" + (f": {result.error}" if result.error else ""),
                fix=RESUMABLE,
            )
        return DriverTurn(
            text=result.text,
            cost_micros=result.micro_dollars,
            tokens=self._agent.ledger.usage.total - used,
        )

    async def close(self) -> None:
        """End the session for now; it can be resumed."""
        await self._agent.close("complete")


class _TurnListener(Listener):
    tell: OnText = staticmethod(lambda _text: None)

    def on_text(self, text: str) -> None:
        self.tell(text)
