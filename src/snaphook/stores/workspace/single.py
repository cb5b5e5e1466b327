"""The queue that holds one task: what the planner wants next, and who is on it.

{next_task, status, active_execution, heartbeat}  <->  Task
"""

from collections.abc import Mapping, MutableMapping
from typing import Any

from .parse import words
from .task import Task, TaskStatus

_STATUS = {
    "waiting": TaskStatus.PENDING,
    "ready": TaskStatus.PENDING,
    "executing": TaskStatus.IN_PROGRESS,
    "blocked": TaskStatus.BLOCKED,
}
_EXECUTION = ("claimed_by", "claimed_at", "lease_until", "claim_token", "run_id")


def is_single(held: Any) -> bool:
    """Say whether *held* is a queue of this shape."""
    return isinstance(held, dict) and "next_task" in held and not {"tasks", "queue"} & held.keys()


def single_task(held: Mapping[str, Any]) -> Task | None:
    """Return the one task; ``None`` while the planner has not chosen."""
    execution = held.get("active_execution") or {}
    task_id = execution.get("task_id") or held.get("next_task")
    if not task_id:
        return None
    status = _STATUS.get(words(held.get("status")), TaskStatus.BLOCKED)
    token = execution.get("claim_token")
    return Task(
        id=words(task_id),
        title=words(held.get("context_summary")),
        status=status,
        claimed_by=words(execution.get("claimed_by")),
        claimed_at=words(execution.get("claimed_at")),
        lease_until=words(execution.get("lease_until")),
        token=token if isinstance(token, int) else 0,
        run_id=words(execution.get("run_id")),
        reason=words(held.get("blocker_reason")),
    )


def single_changed(held: MutableMapping[str, Any], task: Task, changes: Mapping[str, Any]) -> None:
    """Make *changes*, told in the words of a listed task, to a queue of one."""
    execution = held.get("active_execution")
    if execution is None:
        execution = held["active_execution"] = {}
    for name in _EXECUTION:
        if name in changes:
            execution[name] = changes[name]
    match changes.get("status"):
        case "in_progress":
            held["status"], execution["task_id"] = "executing", task.id
        case "pending":
            held["status"], held["next_task"], execution["task_id"] = "ready", task.id, None
        case "blocked":
            held["status"], held["blocker_reason"] = "blocked", changes.get("blocked_reason")
        case "completed" | "cancelled":
            held["status"], held["next_task"] = "waiting", None
            held["last_processed_at"] = changes.get("completed_at")
            for name in ("task_id", *_EXECUTION):
                if name in execution:
                    execution[name] = None
