"""What is going on right now, in a handful of figures.

Dashboard  ->  Pulse: rates, who is at work, what was blocked, how fast, how dear
"""

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from snaphook.stores.eventlog.record import Record

from .ask import Filter
from .dashboard import Dashboard
from .figures import Pace, pace
from .finding import find
from .overview import ACTIVE
from .period import PERIODS
from .source import FigureSource
from .spending import spending
from .subject import gist, subject
from .words import said

MINUTE = 60.0
MOST_BUSY = 50


class Busy(Struct, frozen=True, kw_only=True):
    """One agent in one host, over the last minute."""

    machine: str
    """Where it is, if many machines are looked at."""
    host: str
    agent: str
    events: int
    stopped: int
    asked: int


class PulseLine(Struct, frozen=True, kw_only=True):
    """A decision in a line."""

    time: float
    said: str
    tool: str
    subject: str
    why: str


class Pulse(Struct, frozen=True, kw_only=True):
    """The last minute, and what stands behind it."""

    time: float
    events_per_second: float
    stopped_last_hour: int
    asked_last_hour: int
    sessions: int
    pace: Pace
    busy: Sequence[Busy]
    lines: Sequence[PulseLine]
    cost_today_micros: int
    cost_limit_micros: int | None


def pulse(dashboard: Dashboard, wanted: Filter | None = None, *, most: int = 12) -> Pulse:
    """Return how things are; *wanted* narrows the decisions that are listed."""
    now, source = dashboard.clock(), dashboard.records
    busy = _busy(source, now - MINUTE)
    hour = PERIODS["1h"]
    whole, _ = pace(source, hour, now)
    money = spending(dashboard, days=1)
    verdicts = _verdicts(dashboard, now)
    listed = find(source, wanted or Filter(verdict="said"), limit=most).finds
    return Pulse(
        time=now,
        events_per_second=round(sum(one.events for one in busy) / MINUTE, 2),
        stopped_last_hour=verdicts["deny"] + verdicts["block"],
        asked_last_hour=verdicts["ask"],
        sessions=_sessions(dashboard, now),
        pace=whole,
        busy=busy[:MOST_BUSY],
        lines=[_line(each.record) for each in listed],
        cost_today_micros=money.today,
        cost_limit_micros=money.daily_limit,
    )


def _verdicts(dashboard: Dashboard, now: float) -> Counter[str]:
    rows = dashboard.records.rows(
        "SELECT verdict, sum(n) FROM {p}tally WHERE kind = 'hook' AND slot >= ? GROUP BY verdict",
        (PERIODS["1h"].since(now),),
    )
    return Counter({str(verdict): int(count) for verdict, count in rows})


def _sessions(dashboard: Dashboard, now: float) -> int:
    rows = dashboard.records.rows(
        "SELECT count(*) FROM {p}sitting WHERE last >= ?", (now - ACTIVE,)
    )
    return int(rows[0][0]) if rows else 0


def _busy(source: FigureSource, since: float) -> list[Busy]:
    """Return who reported anything since then, the busiest first."""
    rows = source.rows(
        f"SELECT {source.machine}, host, agent, count(*) AS events, "  # noqa: S608 - ours
        "sum(CASE WHEN verdict IN ('deny', 'block') THEN 1 ELSE 0 END), "
        "sum(CASE WHEN verdict = 'ask' THEN 1 ELSE 0 END) "
        "FROM {p}record WHERE time >= ? GROUP BY 1, 2, 3 ORDER BY events DESC, 1, 2, 3",
        (since,),
    )
    names = Busy.__struct_fields__
    return [msgspec.convert(dict(zip(names, row, strict=True)), Busy, strict=False) for row in rows]


def _line(record: Record) -> PulseLine:
    return PulseLine(
        time=record.time,
        said=said(record)[1],
        tool=record.tool or record.event,
        subject=subject(record),
        why=gist(record.reason) if record.reason else "",
    )
