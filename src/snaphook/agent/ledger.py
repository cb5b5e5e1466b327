"""What a session has used up: tokens, money, tool calls, and the files it changed."""

import time
from collections.abc import Sequence

from msgspec import Struct, field

from snaphook.canon import Usage
from snaphook.prices import cost


class UsageLedger(Struct, kw_only=True):
    """Sums that only grow."""

    usage: Usage = Usage()
    micro_dollars: int = 0
    estimated: bool = False
    tool_calls: int = 0
    files: dict[str, None] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    def spend(self, model: str, usage: Usage) -> int:
        """Add what an answer of *model* used, and return its price in micro-dollars."""
        price = cost(model, usage)
        self.usage += usage
        self.micro_dollars += price.micro_dollars
        self.estimated |= price.estimated
        return price.micro_dollars

    def change(self, files: Sequence[str]) -> None:
        """Remember that *files* were written."""
        self.files |= dict.fromkeys(files)

    def take_in(self, other: "UsageLedger") -> None:
        """Add what a subagent used."""
        self.usage += other.usage
        self.micro_dollars += other.micro_dollars
        self.estimated |= other.estimated
        self.tool_calls += other.tool_calls
        self.files |= other.files

    @property
    def duration_ms(self) -> float:
        """Return how long it has been going on."""
        return (time.monotonic() - self.started) * 1000
