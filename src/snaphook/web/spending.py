"""What was spent: over time, by whom, against which limit.

charges + [budget]  ->  Spending

Read past the meter, which locks: looking at money must not hold up those who spend it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from snaphook.errors import StoreError
from snaphook.providers.budget.limits import limits_of

from .dashboard import Dashboard
from .source import FigureSource

DAY = 86_400
LIMITED = ("day", "month")
_AGENT = (
    "CASE WHEN agent = '' THEN '' ELSE agent || ' · ' || coalesce(nullif(host, ''), 'embedded') END"
)


class Slice(Struct, frozen=True, kw_only=True):
    """What one model, project, agent or session cost."""

    name: str
    micros: int
    tokens: int
    answers: int
    estimated: bool = False


class Day(Struct, frozen=True, kw_only=True):
    """What one day cost, by model."""

    start: int
    models: Mapping[str, int]

    @property
    def micros(self) -> int:
        """Return what it cost in all."""
        return sum(self.models.values())


class LimitUse(Struct, frozen=True, kw_only=True):
    """How much of a limit is used up."""

    name: str
    micros: int
    limit: int

    @property
    def share(self) -> float:
        """Return the part of it; 1.0 is all."""
        return self.micros / self.limit if self.limit else 1.0


class Spending(Struct, frozen=True, kw_only=True):
    """The money of some days."""

    days: Sequence[Day]
    models: Sequence[Slice]
    projects: Sequence[Slice]
    sessions: Sequence[Slice]
    agents: Sequence[Slice]
    """By agent and host: ``main · claude-code``."""
    used: Sequence[LimitUse]
    daily_limit: int | None
    """Micro-dollars a day may cost."""

    @property
    def micros(self) -> int:
        """Return what it all cost."""
        return sum(day.micros for day in self.days)

    @property
    def today(self) -> int:
        """Return what today cost."""
        return self.days[-1].micros if self.days else 0


def spending(dashboard: Dashboard, days: int = 30) -> Spending:
    """Return what was spent in the last *days*, today being one of them."""
    now = dashboard.clock()
    today = int(now // DAY) * DAY
    since = today - (days - 1) * DAY
    limits = limits_of(dashboard.budget)
    daily = limits["day"].micro_dollars if "day" in limits else None
    return Spending(
        days=_days(dashboard.spending, since, today),
        models=_slices(dashboard.spending, "model", since),
        projects=_slices(dashboard.spending, "project", since),
        sessions=_slices(dashboard.spending, "tree", since),
        agents=_agents(dashboard.spending, since),
        used=[
            LimitUse(
                name=kind, micros=_account(dashboard.spending, kind, now), limit=limit.micro_dollars
            )
            for kind, limit in limits.items()
            if kind in LIMITED and limit.micro_dollars is not None
        ],
        daily_limit=daily,
    )


def cost_of(source: FigureSource, session: str) -> Slice | None:
    """Return what *session* and everybody it started have cost; ``None`` if nobody told."""
    rows = source.rows(
        "SELECT sum(micros), sum(input + output), count(*), max(estimated) FROM budget_charge "
        "WHERE tree = ? OR session = ?",
        (session, session),
    )
    if not rows or not rows[0][2]:
        return None
    micros, tokens, answers, estimated = rows[0]
    return Slice(
        name=session,
        micros=int(micros),
        tokens=int(tokens),
        answers=int(answers),
        estimated=bool(estimated),
    )


def _days(source: FigureSource, since: int, today: int) -> list[Day]:
    rows = source.rows(
        "SELECT CAST(time AS BIGINT) / 86400 AS day, model, sum(micros) FROM budget_charge "
        "WHERE time >= ? GROUP BY day, model",
        (since,),
    )
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for day, model, micros in rows:
        found[int(day) * DAY][str(model) or "unknown"] = int(micros)
    return [Day(start=start, models=found[start]) for start in range(since, today + 1, DAY)]


def _slices(source: FigureSource, column: str, since: int, most: int = 12) -> list[Slice]:
    rows = source.rows(
        f"SELECT {column}, sum(micros) AS cost, sum(input + output), count(*), max(estimated) "  # noqa: S608
        f"FROM budget_charge WHERE time >= ? GROUP BY 1 ORDER BY cost DESC LIMIT ?",
        (since, most),
    )
    return [
        Slice(
            name=str(name) or "unknown",
            micros=int(micros),
            tokens=int(tokens),
            answers=int(answers),
            estimated=bool(estimated),
        )
        for name, micros, tokens, answers, estimated in rows
    ]


def _agents(source: FigureSource, since: int) -> list[Slice]:
    """Return what each agent cost; nothing where an earlier version kept the charges."""
    try:
        return _slices(source, _AGENT, since)
    except StoreError:  # one that is away fails the other questions too
        return []


def _account(source: FigureSource, kind: str, now: float) -> int:
    day = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")
    name = day if kind == "day" else day[:7]
    rows = source.rows(
        "SELECT micros FROM budget_account WHERE kind = ? AND name = ?", (kind, name)
    )
    return int(rows[0][0]) if rows else 0
