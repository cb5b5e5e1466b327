"""Statistics: counted right, percentiles by the nearest rank."""

from snaphook.stores.eventlog import Record, RecordedAnswer
from snaphook.stores.eventlog.stats import Audited, Latency, LogStats, stats


def test_counts_and_times_are_those_of_the_records():
    found = [
        Record(
            id=str(n),
            time=float(n),
            event="PreToolUse",
            session=f"s{n % 2}",
            host="codex",
            tool="Bash",
            verdict="deny" if n == 3 else None,
            by="guard" if n == 3 else "",
            answers=(RecordedAnswer(by="guard", duration_ms=float(n)),),
            duration_ms=float(n),
        )
        for n in range(1, 101)
    ]
    took = Latency(count=100, percentiles={"p50": 50.0, "p90": 90.0, "p99": 99.0}, longest=100.0)

    assert stats(found) == LogStats(
        records=100,
        sessions=2,
        first=1.0,
        last=100.0,
        events={"PreToolUse": 100},
        tools={"Bash": 100},
        hosts={"codex": 100},
        verdicts={"silent": 99, "deny": 1},
        decided_by={"guard": 1},
        rules={},
        approved={},
        audited=Audited(calls=0, per_day=0.0, verdicts={}, rules={}, commands={}),
        errors={},
        latency=took,
        providers={"guard": took},
    )


def test_nothing_comes_to_nothing():
    nothing = Latency(count=0, percentiles={"p50": 0.0, "p90": 0.0, "p99": 0.0}, longest=0.0)

    assert stats([]).latency == nothing


def test_prompts_saved_are_counted_by_level_unless_somebody_asked():
    def record(verdict: str, rule: str, event: str = "PreToolUse") -> Record:
        reason = "Approved automatically (project): it only reads."
        answer = RecordedAnswer(by="approval", verdict="allow", rule=rule, reason=reason)
        return Record(
            id="1", time=1.0, event=event, session="s", verdict=verdict, answers=(answer,)
        )

    found = [
        record("allow", "approve.read-only"),
        record("modify", "approve.read-only"),
        record("ask", "approve.read-only"),
        record("allow", "", "PermissionRequest"),
    ]

    assert stats(found).approved == {"read-only": 2, "project": 1}
