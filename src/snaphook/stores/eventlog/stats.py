"""What the record comes to: how often, by whom, how fast.

Records  ->  Stats
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from .record import Record

PERCENTILES = (50, 90, 99)


class Latency(Struct, frozen=True, kw_only=True):
    """How long decisions took, in milliseconds."""

    count: int
    percentiles: Mapping[str, float]
    longest: float


class Stats(Struct, frozen=True, kw_only=True):
    """Counts and times over a stretch of the record."""

    records: int
    sessions: int
    first: float | None
    last: float | None
    events: Mapping[str, int]
    tools: Mapping[str, int]
    hosts: Mapping[str, int]
    verdicts: Mapping[str, int]
    decided_by: Mapping[str, int]
    errors: Mapping[str, int]
    """How often each provider failed."""
    latency: Latency
    providers: Mapping[str, Latency]


def stats(found: Iterable[Record]) -> Stats:
    """Return what *found* comes to."""
    events: Counter[str] = Counter()
    tools: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    decided_by: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    sessions: set[str] = set()
    times: list[float] = []
    took: list[float] = []
    asked: dict[str, list[float]] = {}
    for record in found:
        events[record.event] += 1
        tools[record.tool] += bool(record.tool)
        hosts[record.host] += bool(record.host)
        verdicts[record.verdict or "silent"] += 1
        decided_by[record.by] += bool(record.by)
        sessions.add(record.session)
        times.append(record.time)
        took.append(record.duration_ms)
        for answer in record.answers:
            asked.setdefault(answer.by, []).append(answer.duration_ms)
            errors[answer.by] += answer.error is not None
    return Stats(
        records=len(times),
        sessions=len(sessions),
        first=min(times, default=None),
        last=max(times, default=None),
        events=_ranked(events),
        tools=_ranked(tools),
        hosts=_ranked(hosts),
        verdicts=_ranked(verdicts),
        decided_by=_ranked(decided_by),
        errors=_ranked(errors),
        latency=_latency(took),
        providers={by: _latency(each) for by, each in sorted(asked.items())},
    )


def _ranked(counted: "Counter[str]") -> dict[str, int]:
    return {name: count for name, count in counted.most_common() if count}


def _latency(took: list[float]) -> Latency:
    ordered = sorted(took)
    return Latency(
        count=len(ordered),
        percentiles={f"p{p}": _percentile(ordered, p) for p in PERCENTILES},
        longest=ordered[-1] if ordered else 0.0,
    )


def _percentile(ordered: list[float], percent: int) -> float:
    """Return the smallest value that *percent* of *ordered* do not exceed."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0.0
