"""The figures of a stretch of time, read from the counts.

Period  ->  verdicts by bar, rankings, percentiles, who was last seen when
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from snaphook.stores.eventlog.tally import SLOT, CountKind, bound

from .period import Period
from .source import FigureSource

STACK = ("stopped", "ask", "modify", "allow", "silent")
"""The parts of a bar, the most important first."""
_PART = {"deny": "stopped", "block": "stopped", "": "silent"}
PERCENTILES = (50, 90, 99)
HEALTH_DAYS = 30
DAY = 86_400


class Bar(Struct, frozen=True, kw_only=True):
    """One stretch of a chart."""

    start: int
    parts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Return how many there are together."""
        return sum(self.parts.values())


class RankedCount(Struct, frozen=True, kw_only=True):
    """How often something happened, and how often it was stopped or asked about."""

    name: str
    count: int
    stopped: int = 0
    asked: int = 0


class Pace(Struct, frozen=True, kw_only=True):
    """How long answers took, in milliseconds, by percentile."""

    start: int = 0
    count: int = 0
    percentiles: Mapping[int, float] = {}


class HookSeen(Struct, frozen=True, kw_only=True):
    """When an event was last reported by a host."""

    event: str
    seen: float
    count: int


class HostSeen(Struct, frozen=True, kw_only=True):
    """A host, and what was heard of it."""

    host: str
    seen: float
    count: int
    """In the last day."""
    stopped: int
    hooks: Sequence[HookSeen]


def over_time(source: FigureSource, period: Period, now: float, machine: str = "") -> list[Bar]:
    """Return how many answers of each kind every bar of *period* holds."""
    only, who = _only(machine)
    rows = source.rows(
        "SELECT slot - slot % ? AS bar, verdict, sum(n) FROM {p}tally "  # noqa: S608 - ours
        f"WHERE kind = ? AND slot >= ?{only} GROUP BY bar, verdict",
        (period.step, CountKind.HOOK.value, period.since(now), *who),
    )
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for bar, verdict, count in rows:
        found[int(bar)][_PART.get(str(verdict), str(verdict))] += int(count)
    return [
        Bar(start=start, parts={part: found[start][part] for part in STACK})
        for start in period.starts(now)
    ]


def ranking(
    source: FigureSource,
    kind: CountKind,
    period: Period,
    now: float,
    *,
    most: int = 8,
    machine: str = "",
) -> list[RankedCount]:
    """Return what of *kind* there was most of."""
    only, who = _only(machine)
    rows = source.rows(
        "SELECT name, sum(n) AS total, "  # noqa: S608 - ours
        "sum(CASE WHEN verdict IN ('deny', 'block') THEN n ELSE 0 END), "
        "sum(CASE WHEN verdict = 'ask' THEN n ELSE 0 END) FROM {p}tally "
        f"WHERE kind = ? AND slot >= ?{only} GROUP BY name ORDER BY total DESC, name LIMIT ?",
        (kind.value, period.since(now), *who, most),
    )
    return [
        RankedCount(name=str(name), count=int(count), stopped=int(stopped), asked=int(asked))
        for name, count, stopped, asked in rows
    ]


def pace(
    source: FigureSource, period: Period, now: float, machine: str = ""
) -> tuple[Pace, list[Pace]]:
    """Return how long answers took in all of *period*, and in every bar of it."""
    only, who = _only(machine)
    rows = source.rows(
        "SELECT slot - slot % ? AS bar, name, sum(n) FROM {p}tally "  # noqa: S608 - ours
        f"WHERE kind = ? AND slot >= ?{only} GROUP BY bar, name",
        (period.step, CountKind.PACE.value, period.since(now), *who),
    )
    bars: dict[int, Counter[int]] = defaultdict(Counter)
    whole: Counter[int] = Counter()
    for bar, name, count in rows:
        bars[int(bar)][int(name)] += int(count)
        whole[int(name)] += int(count)
    return _pace(0, whole), [_pace(start, bars[start]) for start in period.starts(now)]


def hosts(source: FigureSource, now: float, machine: str = "") -> list[HostSeen]:
    """Return every host of the last month, and when each of its events was last reported."""
    only, who = _only(machine)
    rows = source.rows(
        "SELECT name, max(slot), sum(CASE WHEN slot >= ? THEN n ELSE 0 END), "  # noqa: S608 - ours
        "sum(CASE WHEN slot >= ? AND verdict IN ('deny', 'block') THEN n ELSE 0 END) "
        f"FROM {{p}}tally WHERE kind = ? AND slot >= ?{only} GROUP BY name",
        (now - DAY, now - DAY, CountKind.HOOK.value, int(now - HEALTH_DAYS * DAY), *who),
    )
    hooks: dict[str, list[HookSeen]] = defaultdict(list)
    stopped: Counter[str] = Counter()
    for name, slot, count, no in rows:
        host, _, event = str(name).partition(" ")
        seen = min(float(slot) + SLOT, now)
        hooks[host].append(HookSeen(event=event, seen=seen, count=int(count)))
        stopped[host] += int(no)
    found = [
        HostSeen(
            host=host,
            seen=max(hook.seen for hook in each),
            count=sum(hook.count for hook in each),
            stopped=stopped[host],
            hooks=sorted(each, key=lambda hook: (-hook.count, hook.event)),
        )
        for host, each in hooks.items()
    ]
    return sorted(found, key=lambda one: (-one.count, -one.seen, one.host))


def machines(source: FigureSource, period: Period, now: float) -> list[HostSeen]:
    """Return the machines that ship here, as far as there are several."""
    rows = source.rows(
        "SELECT machine, max(slot), sum(n), "
        "sum(CASE WHEN verdict IN ('deny', 'block') THEN n ELSE 0 END) "
        "FROM {p}tally WHERE kind = ? AND slot >= ? GROUP BY machine ORDER BY machine",
        (CountKind.HOOK.value, period.since(now)),
    )
    return [
        HostSeen(
            host=str(name),
            seen=min(float(slot) + SLOT, now),
            count=int(count),
            stopped=int(stopped),
            hooks=(),
        )
        for name, slot, count, stopped in rows
        if name
    ]


def sessions_since(source: FigureSource, moment: float, machine: str = "") -> int:
    """Return how many sessions were at work since *moment*."""
    only, who = _only(machine)
    sql = f"SELECT count(*) FROM {{p}}sitting WHERE last >= ?{only}"  # noqa: S608 - ours
    rows = source.rows(sql, (moment, *who))
    return int(rows[0][0]) if rows else 0


def _only(machine: str) -> tuple[str, tuple[str, ...]]:
    return (" AND machine = ?", (machine,)) if machine else ("", ())


def _pace(start: int, bands: "Counter[int]") -> Pace:
    count = sum(bands.values())
    found: dict[int, float] = {}
    passed = 0
    for number in sorted(bands):
        passed += bands[number]
        for percent in PERCENTILES:
            if percent not in found and passed * 100 >= count * percent:
                found[percent] = bound(number)
    return Pace(start=start, count=count, percentiles=found)
