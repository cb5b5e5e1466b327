"""What a journal comes down to.

Records  ->  BuildSummary
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct, field

from .records import (
    BuildEnded,
    BuildStarted,
    Built,
    GateRan,
    Halted,
    Passed,
    Planned,
    Record,
    TaskStarted,
)


class BuildState(StrEnum):
    """How a task or a job stands."""

    RUNNING = "running"
    PASSED = "passed"
    HALTED = "halted"


class TaskSummary(Struct, kw_only=True):
    """One task, over all runs it took."""

    task: str
    state: BuildState = BuildState.RUNNING
    sessions: list[str] = field(default_factory=list)
    fixes: int = 0
    gates: list[GateRan] = field(default_factory=list)
    seconds: float = 0.0
    cost_micros: int = 0
    tokens: int = 0
    commit: str = ""
    why: str = ""
    """Why it halted."""


class BuildSummary(Struct, kw_only=True):
    """A job so far."""

    job: str
    state: BuildState | None = None
    """``None`` if nothing was ever built."""
    plans: int = 0
    tasks: list[TaskSummary] = field(default_factory=list)
    runs: int = 0
    started: float = 0.0
    ended: float = 0.0
    plan_cost_micros: int = 0
    why: str = ""

    @property
    def passed(self) -> int:
        """Return how many tasks passed."""
        return sum(task.state is BuildState.PASSED for task in self.tasks)

    @property
    def fixes(self) -> int:
        """Return how many fixes it took."""
        return sum(task.fixes for task in self.tasks)

    @property
    def cost_micros(self) -> int:
        """Return what it cost, as far as agents tell."""
        return self.plan_cost_micros + sum(task.cost_micros for task in self.tasks)


def summarise(job: str, records: Iterable[Record]) -> BuildSummary:
    """Return what *records* come down to."""
    summary = BuildSummary(job=job)
    for record in records:
        summary.started = summary.started or record.at
        summary.ended = record.at
        _enter(summary, record)
    return summary


def _enter(summary: BuildSummary, record: Record) -> None:
    task = summary.tasks[-1] if summary.tasks else None
    match record:
        case Planned():
            summary.plans += 1
            summary.plan_cost_micros += record.cost_micros or 0
        case BuildStarted():
            summary.runs += 1
            summary.state, summary.why = BuildState.RUNNING, ""
        case TaskStarted():
            _begin(summary, record)
        case Built() if task:
            if record.session not in task.sessions:
                task.sessions.append(record.session)
            task.fixes += record.attempt > 0
            task.seconds += record.duration
            task.cost_micros += record.cost_micros or 0
            task.tokens += record.tokens or 0
        case GateRan() if task:
            task.gates.append(record)
            task.seconds += record.duration
        case Passed() if task:
            task.state, task.commit = BuildState.PASSED, record.commit
        case Halted():
            summary.state, summary.why = BuildState.HALTED, record.why
            if task and record.task == task.task:
                task.state, task.why = BuildState.HALTED, record.why
        case BuildEnded():
            summary.state = BuildState.PASSED


def _begin(summary: BuildSummary, record: TaskStarted) -> None:
    """Go on with the task that was not finished, or begin the next."""
    last = summary.tasks[-1] if summary.tasks else None
    if last and last.task == record.task and last.state is not BuildState.PASSED:
        last.state, last.why = BuildState.RUNNING, ""
    else:
        summary.tasks.append(TaskSummary(task=record.task))
