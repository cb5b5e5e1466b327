"""Tasks, and who holds them.

an item of queue.yaml  ->  Task
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct

from .parse import words


class TaskStatus(StrEnum):
    """How far a task is."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BLOCKED = "blocked"
    CANCELLED = "cancelled"


SPELLINGS: Mapping[str, TaskStatus] = {
    **{status.value: status for status in TaskStatus},
    "": TaskStatus.PENDING,
    "todo": TaskStatus.PENDING,
    "ready": TaskStatus.PENDING,
    "not_started": TaskStatus.PENDING,
    "claimed": TaskStatus.IN_PROGRESS,
    "active": TaskStatus.IN_PROGRESS,
    "started": TaskStatus.IN_PROGRESS,
    "executing": TaskStatus.IN_PROGRESS,
    "done": TaskStatus.COMPLETED,
    "complete": TaskStatus.COMPLETED,
    "failed": TaskStatus.BLOCKED,
    "canceled": TaskStatus.CANCELLED,
    "skipped": TaskStatus.CANCELLED,
}
"""How people and scripts spell them; whatever is not here counts as blocked, so nobody takes it."""

PRIORITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
"""From the most urgent; a task that says nothing is MEDIUM."""


class Task(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of work."""

    id: str
    title: str = ""
    status: TaskStatus = TaskStatus.PENDING
    priority: str = "MEDIUM"
    score: float = 0.0
    type: str = ""
    goal: str = ""
    blocked_by: tuple[str, ...] = ()
    claimed_by: str = ""
    claimed_at: str = ""
    lease_until: str = ""
    token: int = 0
    """How often it has been claimed: whoever writes must present the number of their own claim."""
    run_id: str = ""
    completed_by: str = ""
    completed_at: str = ""
    reason: str = ""
    """Why it is blocked."""

    @property
    def urgency(self) -> tuple[int, float]:
        """Return what tasks are sorted by, the most urgent first."""
        known = self.priority in PRIORITIES
        rank = PRIORITIES.index(self.priority) if known else PRIORITIES.index("MEDIUM")
        return rank, -self.score


class Claim(Struct, frozen=True, kw_only=True):
    """The right to change one task, until the lease runs out or somebody else holds a later one."""

    task_id: str
    agent: str
    token: int
    until: float
    run_id: str = ""


class Counts(Struct, frozen=True, kw_only=True):
    """How many tasks are how far; always counted, never kept in the file."""

    pending: int = 0
    in_progress: int = 0
    completed: int = 0
    blocked: int = 0
    cancelled: int = 0

    @property
    def total(self) -> int:
        """Return how many there are."""
        return sum(getattr(self, name) for name in self.__struct_fields__)


def count(tasks: Iterable[Task]) -> Counts:
    """Return how many of *tasks* are how far."""
    found = dict.fromkeys(Counts.__struct_fields__, 0)
    for task in tasks:
        found[task.status.value] += 1
    return Counts(**found)


def ready(tasks: Sequence[Task]) -> list[Task]:
    """Return those nobody holds and nothing holds up, the most urgent first, then as listed."""
    done = {task.id for task in tasks if task.status is TaskStatus.COMPLETED}
    free = [t for t in tasks if t.status is TaskStatus.PENDING and done.issuperset(t.blocked_by)]
    return sorted(free, key=lambda task: task.urgency)


def task_from(item: Mapping[str, Any]) -> Task:
    """Return the task that *item* of a queue describes, whichever way it spells its keys."""
    return Task(
        id=_text(item, "id", "task_id"),
        title=_text(item, "title", "name"),
        status=SPELLINGS.get(_text(item, "status").lower(), TaskStatus.BLOCKED),
        priority=_text(item, "priority").upper() or "MEDIUM",
        score=_number(item.get("priority_score")),
        type=_text(item, "type"),
        goal=_text(item, "goal", "linked_goal"),
        blocked_by=_names(item.get("blockedBy", item.get("blocked_by"))),
        claimed_by=_text(item, "claimed_by"),
        claimed_at=_text(item, "claimed_at"),
        lease_until=_text(item, "lease_until"),
        token=int(_number(item.get("claim_token"))),
        run_id=_text(item, "run_id"),
        completed_by=_text(item, "completed_by"),
        completed_at=_text(item, "completed_at"),
        reason=_text(item, "blocked_reason", "blocker_reason"),
    )


def fields_of(task: Task) -> dict[str, Any]:
    """Return *task* as the fields of a new item, those that say nothing left out."""
    told = msgspec.to_builtins(task)
    names = {
        "score": "priority_score",
        "blocked_by": "blockedBy",
        "token": "claim_token",
        "reason": "blocked_reason",
    }
    fields = {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "priority": task.priority,
    }
    return fields | {
        names.get(name, name): value for name, value in told.items() if name not in fields
    }


def _text(item: Mapping[str, Any], *names: str) -> str:
    return words(next((item[name] for name in names if item.get(name) is not None), None))


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0.0


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(words, value)) if isinstance(value, list | tuple) else ()
