"""What people may set about money.

[budget] of snaphook.toml  ->  BudgetSettings
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Percent = Annotated[float, Meta(ge=0, le=1000)]
Dollars = Annotated[float, Meta(ge=0)]


CHEAPER = {
    "claude": "claude-haiku-5-5",
    "gemini": "gemini-2.5-flash-lite",
    "gpt": "gpt-6-luna",
}


class LimitTable(Struct, frozen=True, kw_only=True):
    """The most that may be spent; what is left out has no limit."""

    dollars: Dollars | None = None
    tokens: Annotated[int, Meta(ge=0)] | None = None


class PeriodTable(LimitTable, frozen=True, kw_only=True):
    """The same, for a day, a month (both UTC) or ever."""

    per: Literal["day", "month", "ever"] = "ever"


class BudgetSettings(Struct, frozen=True, kw_only=True):
    """How much may be spent by whom, and what happens on the way there."""

    enabled: bool = True
    session: LimitTable = LimitTable()
    """Limit for one session, without subagents that have their own session."""
    tree: LimitTable = LimitTable()
    """Limit for a session and all its subagents."""
    project: PeriodTable = PeriodTable()
    tenant: PeriodTable = PeriodTable()
    day: LimitTable = LimitTable()
    """Limit for all spending per UTC day."""
    month: LimitTable = LimitTable()

    warn_at: Percent = 50.0
    """Percentage of a limit at which the user is warned."""
    cheaper_at: Percent = 70.0
    """Percentage from which subagents (and sessions, if supported) use one of ``cheaper_models``."""
    deny_spawns_at: Percent = 90.0
    """Percentage from which no subagent is started."""
    stop_at: Percent = 100.0
    """Percentage from which tool calls and prompts are blocked."""
    cheaper_models: Mapping[str, str] = field(default_factory=lambda: dict(CHEAPER))
    """Cheaper model by the first word of a model's name."""
    per_minute: Dollars = 0.0
    """Dollars per minute before the user is asked; 0 means no limit."""
    repeats: Annotated[int, Meta(ge=0)] = 12
    """Ask the user after this many identical calls in a row; 0 never asks."""
    spawn_reserve: Dollars = 0.0
    """Dollars reserved for each running subagent."""

    prices: str = ""
    """A file of your own prices, in dollars per million tokens."""
    store: str = "sqlite"
    """Where spending is stored: "sqlite" for this machine, "postgresql://…" for a fleet."""
    stance: Literal["open", "closed"] = "closed"
    """What happens if the store is unavailable: "closed" blocks tool calls."""
    report: bool = True
    """Write a report when a session stops or ends."""

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: steps in the wrong order, prices that cannot be read."""
        steps = [(name, table.get(name, default)) for name, default in STEPS.items()]
        for (low, first), (high, second) in pairwise(steps):
            if (
                isinstance(first, int | float)
                and isinstance(second, int | float)
                and first > second
            ):
                yield (
                    (low,),
                    f"{first} comes after {high} ({second})",
                    "Put the steps in ascending order.",
                )
        if isinstance(prices := table.get("prices"), str) and prices:
            from pathlib import Path

            from snaphook.errors import ConfigError
            from snaphook.prices import read_prices

            try:
                read_prices(Path(prices).expanduser())
            except ConfigError as error:
                yield ("prices",), f"{error.where}: {error.what}", error.fix


STEPS = {"warn_at": 50.0, "cheaper_at": 70.0, "deny_spawns_at": 90.0, "stop_at": 100.0}
