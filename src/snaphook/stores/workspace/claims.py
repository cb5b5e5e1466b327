"""Who may take a task, and who may still change it.

tasks + agent  ->  a task and what to write on it, or a ClaimError

Pure: the files and the database ask the same questions here and write the answers down in their own way.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from snaphook.errors import ClaimError

from .layout import safe_name
from .moments import instant, spelled
from .records import EventEntry, Heartbeat
from .task import Claim, Task, TaskStatus, ready

Beats = Mapping[str, Heartbeat]
_LOOK_ALIKE = str.maketrans("IO", "10")
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


def choose(
    tasks: Sequence[Task],
    *,
    agent: str,
    wanted: str,
    beats: Beats,
    now: float,
    lease: float,
    several: bool,
) -> Task | None:
    """Return the task that *agent* gets: the one *wanted*, or the most urgent that is free.

    An agent that already holds one gets that one again. ``None``: nothing is free.
    """
    safe_name(agent, "the name of an agent")
    held = [t for t in tasks if t.status is TaskStatus.IN_PROGRESS and t.claimed_by == agent]
    if not wanted:
        if held and not several:
            return held[0]
        return next(iter(ready(tasks)), None)
    task = resolve(tasks, wanted)
    if task in held:
        return task
    if held and not several:
        raise _no(
            task,
            f"'{agent}' is still working on {held[0].id}",
            "Complete, block or release that first.",
        )
    _check_free(task, tasks, beats=beats, now=now, lease=lease)
    return task


def resolve(tasks: Sequence[Task], said: str) -> Task:
    """Return the task that *said* names: to the letter, or in other case, hyphens and zeros."""
    safe_name(said, "a task id")
    exact = next((task for task in tasks if task.id == said), None)
    if exact is not None:
        return exact
    alike = {task.id: task for task in tasks if _plain(task.id) == _plain(said)}
    if len(alike) == 1:
        return next(iter(alike.values()))
    near = list(alike) or [task.id for task in tasks if _seen(task.id) == _seen(said)][:3]
    near = near or get_close_matches(said.upper(), [t.id for t in tasks], n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "'snaphook queue list' shows them all."
    what = "is the name of several tasks" if alike else "is not in the queue"
    raise ClaimError(where=said, what=what, fix=hint)


def claimed(
    task: Task, *, agent: str, run_id: str, now: float, lease: float, again: bool
) -> tuple[Claim, dict[str, Any]]:
    """Return the claim that *agent* now has on *task*, and the fields that say so."""
    token = task.token if again else task.token + 1
    claim = Claim(
        task_id=task.id,
        agent=agent,
        token=token,
        until=now + lease,
        run_id=run_id or (again and task.run_id) or "",
    )
    fields: dict[str, Any] = {"lease_until": spelled(claim.until)}
    if not again:
        fields |= {"status": TaskStatus.IN_PROGRESS.value, "claimed_by": agent}
        fields |= {"claimed_at": spelled(now), "claim_token": token}
    if run_id:
        fields["run_id"] = run_id
    return claim, fields


def check(task: Task | None, claim: Claim) -> Task:
    """Return *task* if *claim* is the latest on it and still stands."""
    if task is None:
        raise ClaimError(
            where=claim.task_id,
            what="is no longer in the queue",
            fix="Somebody removed it: find out why.",
        )
    if task.token != claim.token:
        by = f"'{task.claimed_by}'" if task.claimed_by else "somebody else"
        what = f"has been claimed by {by} since (claim {task.token}, yours was {claim.token})"
        raise _no(task, what, "Nothing was changed. Stop working on it.")
    if task.status is not TaskStatus.IN_PROGRESS or task.claimed_by != claim.agent:
        what = f"is {task.status} and not held by '{claim.agent}'"
        raise _no(task, what, "Nothing was changed. Claim it again if it is free.")
    return task


def already(task: Task | None, claim: Claim, status: TaskStatus) -> bool:
    """Say whether this very claim has brought *task* to *status* before: then there is nothing to do."""
    if task is None or task.token != claim.token or task.status is not status:
        return False
    return status is not TaskStatus.COMPLETED or task.completed_by == claim.agent


def completed(claim: Claim, now: float) -> dict[str, Any]:
    """Return the fields of a task that *claim* completes."""
    return {
        "status": TaskStatus.COMPLETED.value,
        "completed_at": spelled(now),
        "completed_by": claim.agent,
        "lease_until": None,
    }


def blocked(reason: str) -> dict[str, Any]:
    """Return the fields of a task that waits for something."""
    return {"status": TaskStatus.BLOCKED.value, "blocked_reason": reason, **RELEASED}


def released() -> dict[str, Any]:
    """Return the fields of a task that anybody may take."""
    return {"status": TaskStatus.PENDING.value, "blocked_reason": None, **RELEASED}


RELEASED: Mapping[str, None] = dict.fromkeys(("claimed_by", "claimed_at", "lease_until", "run_id"))


def standing(task: Task, beats: Beats, lease: float) -> Claim:
    """Return the claim that stands on *task*."""
    return Claim(
        task_id=task.id,
        agent=task.claimed_by,
        token=task.token,
        until=expires(task, beats, lease) or 0.0,
        run_id=task.run_id,
    )


def entry_for(claim: Claim, kind: str, notes: str = "") -> EventEntry:
    """Return what is logged when *claim* comes to an end."""
    return EventEntry(
        type=kind, task_id=claim.task_id, agent=claim.agent, run_id=claim.run_id, notes=notes
    )


def entry_for_silence(task: Task) -> EventEntry:
    """Return what is logged when *task* is taken back from a silent agent."""
    said = f"returned: '{task.claimed_by}' has sent no heartbeat for too long"
    return EventEntry(type="released", task_id=task.id, agent=task.claimed_by, notes=said)


def expires(task: Task, beats: Beats, lease: float) -> float | None:
    """Return when the claim on *task* runs out; ``None`` if it was made by someone who gave no lease.

    A sign of life from its holder extends it.
    """
    beat = beats.get(task.claimed_by)
    seen = instant(beat.last_seen) if beat else None
    ends = [instant(task.lease_until), None if seen is None else seen + lease]
    return max((end for end in ends if end is not None), default=None)


def expired(tasks: Sequence[Task], *, beats: Beats, now: float, lease: float) -> list[Task]:
    """Return the tasks in progress whose holders have been silent too long."""
    held = [task for task in tasks if task.status is TaskStatus.IN_PROGRESS]
    ends = [(task, expires(task, beats, lease)) for task in held]
    return [task for task, end in ends if end is not None and end <= now]


def _check_free(
    task: Task, tasks: Sequence[Task], *, beats: Beats, now: float, lease: float
) -> None:
    match task.status:
        case TaskStatus.PENDING:
            done = {other.id for other in tasks if other.status is TaskStatus.COMPLETED}
            if waiting := [name for name in task.blocked_by if name not in done]:
                raise _no(task, f"waits for {', '.join(waiting)}", "Take one of those first.")
        case TaskStatus.IN_PROGRESS:
            end = expires(task, beats, lease)
            if end is None or end > now:
                until = f" until {spelled(end)} at least" if end else f" since {task.claimed_at}"
                raise _no(task, f"is held by '{task.claimed_by}'{until}", "Take another one.")
        case TaskStatus.BLOCKED:
            why = f" ({task.reason})" if task.reason else ""
            raise _no(task, f"is blocked{why}", f"Run: snaphook queue release {task.id}")
        case TaskStatus.COMPLETED | TaskStatus.CANCELLED:
            by = f" by '{task.completed_by}'" if task.completed_by else ""
            raise _no(task, f"is {task.status} already{by}", "Take another one.")


def _no(task: Task, what: str, fix: str) -> ClaimError:
    return ClaimError(where=task.id, what=what, fix=fix)


def _seen(task_id: str) -> str:
    """Return what an id looks like to somebody who takes I for 1 and O for 0."""
    return _plain(task_id.upper().translate(_LOOK_ALIKE))


def _plain(task_id: str) -> str:
    """Return what is left of an id when case, hyphens and leading zeros do not count."""
    return _ZEROS.sub("", task_id.upper().replace("_", "-")).replace("-", "")
