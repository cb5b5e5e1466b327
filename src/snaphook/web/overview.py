"""The first view: is everything all right, and if not, where to look.

Dashboard + Period  ->  Overview
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from snaphook.stores.eventlog.tally import CountKind

from .ask import Filter
from .dashboard import Dashboard
from .figures import (
    STACK,
    Bar,
    HostSeen,
    Pace,
    RankedCount,
    hosts,
    machines,
    over_time,
    pace,
    ranking,
    sessions_since,
)
from .finding import Find, find
from .period import Period
from .spending import Spending, spending

BLOCKED_NOW = 9
ACTIVE = 900
"""Seconds in which a session that was heard of counts as at work."""


class Overview(Struct, frozen=True, kw_only=True):
    """Everything the first view shows."""

    period: Period
    now: float
    bars: Sequence[Bar]
    blocked: Sequence[Find]
    rules: Sequence[RankedCount]
    projects: Sequence[RankedCount]
    agents: Sequence[RankedCount]
    tools: Sequence[RankedCount]
    pace: Pace
    paces: Sequence[Pace]
    hosts: Sequence[HostSeen]
    machines: Sequence[HostSeen]
    sessions: int
    active: int
    spending: Spending
    daemon: Mapping[str, Any] | None

    @property
    def totals(self) -> dict[str, int]:
        """Return how many answers of each kind there were."""
        return {part: sum(bar.parts[part] for bar in self.bars) for part in STACK}

    @property
    def total(self) -> int:
        """Return how many events there were."""
        return sum(bar.total for bar in self.bars)


def overview(dashboard: Dashboard, period: Period, machine: str = "") -> Overview:
    """Return the first view."""
    now, source = dashboard.clock(), dashboard.records
    whole, paces = pace(source, period, now, machine)

    def most(kind: CountKind) -> list[RankedCount]:
        return ranking(source, kind, period, now, machine=machine)

    return Overview(
        period=period,
        now=now,
        bars=over_time(source, period, now, machine),
        blocked=find(source, Filter(verdict="stopped", machine=machine), limit=BLOCKED_NOW).finds,
        rules=most(CountKind.RULE),
        projects=most(CountKind.PROJECT),
        agents=most(CountKind.AGENT),
        tools=most(CountKind.TOOL),
        pace=whole,
        paces=paces,
        hosts=hosts(source, now, machine),
        machines=machines(source, period, now) if dashboard.fleet else (),
        sessions=sessions_since(source, period.since(now), machine),
        active=sessions_since(source, now - ACTIVE, machine),
        spending=spending(dashboard, days=14),
        daemon=dashboard.daemon() if dashboard.folder else None,
    )
