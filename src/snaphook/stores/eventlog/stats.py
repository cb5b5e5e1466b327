"""What the record comes to: how often, by whom, how fast.

Records  ->  LogStats
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from snaphook.canon.hook_runs import HOOK_ENDED

from .record import Record
from .refused import refused_rules

PERCENTILES = (50, 90, 99)
MOST_COMMANDS = 10
LONGEST_COMMAND = 80


class Latency(Struct, frozen=True, kw_only=True):
    """How long decisions took, in milliseconds."""

    count: int
    percentiles: Mapping[str, float]
    longest: float


class Audited(Struct, frozen=True, kw_only=True):
    """What enforcing would have cost: calls that ran because nobody but the record objected."""

    calls: int
    per_day: float
    """Over the days on which anything happened."""
    verdicts: Mapping[str, int]
    rules: Mapping[str, int]
    commands: Mapping[str, int]
    """The most frequent, shortened."""


class LogStats(Struct, frozen=True, kw_only=True):
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
    rules: Mapping[str, int]
    """How often each rule of a provider decided."""
    approved: Mapping[str, int]
    """Calls that were approved automatically, by level: the prompts that were saved."""
    audited: Audited
    latency: Latency
    providers: Mapping[str, Latency]


def stats(found: Iterable[Record]) -> LogStats:
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
    rules: Counter[str] = Counter()
    approved: Counter[str] = Counter()
    watched = _Watched()
    for record in found:
        if record.event == HOOK_ENDED:
            continue  # no call, and nobody waited for it
        approved[_approved(record)] += 1
        events[record.event] += 1
        tools[record.tool] += bool(record.tool)
        hosts[record.host] += bool(record.host)
        verdicts[record.verdict or "silent"] += 1
        decided_by[record.by] += bool(record.by)
        sessions.add(record.session)
        times.append(record.time)
        took.append(record.duration_ms)
        refusing = refused_rules(record)
        for answer in record.answers:
            asked.setdefault(answer.by, []).append(answer.duration_ms)
            errors[answer.by] += answer.error is not None
            rules[answer.rule] += bool(answer.rule and (answer.verdict or answer.rule in refusing))
        watched.hear(record)
    return LogStats(
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
        rules=_ranked(rules),
        approved=_ranked(approved),
        audited=watched.told(),
        latency=_latency(took),
        providers={by: _latency(each) for by, each in sorted(asked.items())},
    )


APPROVAL = "approval"
"""The provider that approves calls."""


def _approved(record: Record) -> str:
    """Return the level under which a call was approved, unless somebody asked or denied.

    At PermissionRequest the answer has no rule; the level stands in the reason.
    """
    if record.verdict in ("ask", "deny"):
        return ""
    for answer in record.answers:
        if answer.by == APPROVAL and answer.verdict == "allow":
            level = answer.rule.removeprefix("approve.")
            return level or ("project" if "(project)" in (answer.reason or "") else "read-only")
    return ""


class _Watched:
    """Counts what would have been stopped."""

    def __init__(self) -> None:
        self._calls = 0
        self._days: set[int] = set()
        self._verdicts: Counter[str] = Counter()
        self._rules: Counter[str] = Counter()
        self._commands: Counter[str] = Counter()

    def hear(self, record: Record) -> None:
        self._days.add(int(record.time // 86_400))
        would = [answer for answer in record.answers if answer.would]
        if not would:
            return
        self._calls += 1
        self._verdicts["deny" if any(one.would == "deny" for one in would) else "ask"] += 1
        self._rules.update(one.rule or one.by for one in would)
        self._commands[_subject(record)] += 1

    def told(self) -> Audited:
        return Audited(
            calls=self._calls,
            per_day=round(self._calls / max(1, len(self._days)), 1),
            verdicts=_ranked(self._verdicts),
            rules=_ranked(self._rules),
            commands=dict(self._commands.most_common(MOST_COMMANDS)),
        )


def _subject(record: Record) -> str:
    """Return the command, or the tool and what it was about, in a line."""
    args = record.input.get("tool_args")
    told = args if isinstance(args, dict) else {}
    command = told.get("command")
    if not isinstance(command, str):
        path = told.get("file_path") or told.get("path") or ""
        command = f"{record.tool} {path}"
    return " ".join(command.split())[:LONGEST_COMMAND]


def _ranked(counted: "Counter[str]") -> dict[str, int]:
    return {name: count for name, count in counted.most_common() if count and name}


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
