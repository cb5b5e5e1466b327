"""What can be a builder: anything that keeps a conversation and can be told something.

Driver  ->  DriverSession  ->  DriverTurn
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias

from msgspec import Struct

OnText: TypeAlias = Callable[[str], None]


class DriverTurn(Struct, frozen=True, kw_only=True):
    """What came of one message: the agent ended by itself."""

    text: str = ""
    cost_micros: int | None = None
    """Millionths of a dollar, where the agent tells."""
    tokens: int | None = None


class DriverSession(Protocol):
    """One conversation. Every message goes into the same one."""

    @property
    def id(self) -> str:
        """Return what it takes to go on with it later; empty before the first answer."""

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        """Return once the agent has ended by itself; *on_text* hears it meanwhile.

        An agent that fails raises ``DriverError``: that is never a gate's business.
        """

    async def close(self) -> None:
        """End the conversation for now."""


class Driver(Protocol):
    """An agent that can be the planner or the builder."""

    name: str

    def talk(self, codebase: Path, *, resume: str = "") -> DriverSession:
        """Return a fresh conversation about *codebase*, or the one called *resume*."""
