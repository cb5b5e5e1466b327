"""The workspace at the size the requirements name: 10,000 tasks, 100,000 events.

Bounds: BB-SS-7 leaves 50 ms for a session's context; the goal for what the workspace adds is a fifth of it.
"""

import tempfile
from pathlib import Path
from time import perf_counter

from snaphook.stores.workspace import (
    EventEntry,
    FileWorkspace,
    Heartbeat,
    layout_at,
    make_workspace,
)

from .table import per_call, row, section

TASKS, EVENTS = 10_000, 100_000
TASK = """\
- id: TASK-{n:05d}
  type: architecture
  status: {status}
  priority: {priority}
  priority_score: {score}
  title: Make part {n} of the system do what it says
  estimated_minutes: 45
  roi:
    impact: 8.5
    effort: 45
    confidence: 1.2
    business_value: 9
    technical_debt: 8
    unblock_factor: 8
  blockedBy: []
  resource_type: cpu_bound
  parallel_group: wave_1
  goal: IG-007
"""
EVENT = "- {{timestamp: '2026-02-01T16:01:00Z', task_id: TASK-{n:05d}, type: progress, agent: executor}}\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_workspace(root)
        _fill(root)
        section(f"Workspace: {TASKS:,} tasks, {EVENTS:,} events")
        started = perf_counter()
        _open(root).refresh()
        row("first count, nothing known (in the background)", perf_counter() - started, "s", 30)
        place = _open(root)
        claim = place.claim("executor-1")
        assert claim is not None
        place.beat("executor-1", Heartbeat(status="working"))
        _measure(root, place)


def _measure(root: Path, place: FileWorkspace) -> None:
    seen = place.snapshot("executor-1")
    assert seen.fresh
    assert seen.counts.total == TASKS
    assert seen.claimed
    assert len(seen.entries) == 5
    ms = 1e3
    cold = per_call(lambda: _open(root).snapshot("executor-1"), calls=20) * ms
    row("session start: counts, claimed, 5 events, heartbeats", cold, "ms", 10)
    row(
        "log an event",
        per_call(lambda: place.log(EventEntry(type="progress")), calls=20) * ms,
        "ms",
        10,
    )
    row("give a sign of life", per_call(lambda: place.beat("executor-1"), calls=5) * ms, "ms", 100)
    row("claim and release", per_call(lambda: _turn(place), calls=1, rounds=5) * ms, "ms", 1000)
    row(
        "the same, nothing in memory",
        per_call(lambda: _turn(_open(root)), calls=1) * ms,
        "ms",
        1500,
    )
    _edit_by_hand(place)
    started = perf_counter()
    assert not _open(root).snapshot("executor-1").fresh
    row("session start right after a hand's edit", (perf_counter() - started) * ms, "ms", 10)
    started = perf_counter()
    place.refresh()
    row("counted again after it (in the background)", (perf_counter() - started) * ms, "ms", 1000)
    assert _open(root).snapshot("executor-1").fresh


def _turn(place: FileWorkspace) -> None:
    claim = place.claim("executor-2")
    assert claim is not None
    place.release(claim)


def _open(root: Path) -> FileWorkspace:
    return FileWorkspace(layout_at(root))


def _edit_by_hand(place: FileWorkspace) -> None:
    path = place.layout.queue
    path.write_text(path.read_text().replace("Make part 77 of", "Make part 77 and 78 of"))


def _fill(root: Path) -> None:
    layout = layout_at(root)
    tasks = (
        TASK.format(
            n=n,
            status="completed" if n % 3 else "pending",
            priority=("LOW", "HIGH", "MEDIUM")[n % 3],
            score=n % 97 / 10,
        )
        for n in range(TASKS)
    )
    layout.queue.write_text("schema:\n  version: 1.0.1\ntasks:\n" + "".join(tasks))
    layout.events.write_text("".join(EVENT.format(n=n % TASKS) for n in range(EVENTS)))
