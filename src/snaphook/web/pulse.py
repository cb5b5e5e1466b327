"""What is going on right now, in a handful of figures.

Desk  ->  Pulse: rates, who is at work, what was blocked, how fast, how dear
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from snaphook.stores.eventlog.record import Record

from .ask import Filter
from .desk import Desk
from .figures import Pace, pace
from .finding import by_ids, find, ids_since
from .overview import ACTIVE
from .period import PERIODS
from .spending import spending
from .subject import gist, subject
from .words import said

MINUTE = 60.0
MOST = 5_000
"""Records of the last minute that are looked at."""


class Busy(Struct, frozen=True, kw_only=True):
    """One agent in one host, over the last minute."""

    host: str
    agent: str
    events: int
    stopped: int
    asked: int


class Line(Struct, frozen=True, kw_only=True):
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
    lines: Sequence[Line]
    cost_today_micros: int
    cost_limit_micros: int | None


def pulse(desk: Desk, wanted: Filter | None = None, *, most: int = 12) -> Pulse:
    """Return how things are; *wanted* narrows the decisions that are listed."""
    now, source = desk.clock(), desk.records
    minute = [find_.record for find_ in by_ids(source, ids_since(source, now - MINUTE, MOST))]
    hour = PERIODS["1h"]
    whole, _ = pace(source, hour, now)
    money = spending(desk, days=1)
    verdicts = _verdicts(desk, now)
    listed = find(source, wanted or Filter(verdict="said"), limit=most).finds
    return Pulse(
        time=now,
        events_per_second=round(len(minute) / MINUTE, 2),
        stopped_last_hour=verdicts["deny"] + verdicts["block"],
        asked_last_hour=verdicts["ask"],
        sessions=_sessions(desk, now),
        pace=whole,
        busy=_busy(minute),
        lines=[_line(each.record) for each in listed],
        cost_today_micros=money.today,
        cost_limit_micros=money.daily_limit,
    )


def _verdicts(desk: Desk, now: float) -> Counter[str]:
    rows = desk.records.rows(
        "SELECT verdict, sum(n) FROM {p}tally WHERE kind = 'hook' AND slot >= ? GROUP BY verdict",
        (PERIODS["1h"].since(now),),
    )
    return Counter({str(verdict): int(count) for verdict, count in rows})


def _sessions(desk: Desk, now: float) -> int:
    rows = desk.records.rows("SELECT count(*) FROM {p}sitting WHERE last >= ?", (now - ACTIVE,))
    return int(rows[0][0]) if rows else 0


def _busy(records: Sequence[Record]) -> list[Busy]:
    who = Counter((record.host, record.agent) for record in records)
    stopped = Counter((record.host, record.agent) for record in records if record.stops)
    asked = Counter((one.host, one.agent) for one in records if one.verdict == "ask")
    return [
        Busy(host=key[0], agent=key[1], events=count, stopped=stopped[key], asked=asked[key])
        for key, count in who.most_common(8)
    ]


def _line(record: Record) -> Line:
    return Line(
        time=record.time,
        said=said(record)[1],
        tool=record.tool or record.event,
        subject=subject(record),
        why=gist(record.reason) if record.reason else "",
    )
