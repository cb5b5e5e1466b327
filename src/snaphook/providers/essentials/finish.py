"""The work after a stop, in the background.

finish  ->  what was said  ->  preconditions  ->  one transaction  ->  verified  ->  what follows

All or nothing: the queue, the task's folder, the log, the metrics and the run's metadata change together,
with backups, once for each run, task and status. What cannot hold is a dead letter that says why; what
may hold later is tried again.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.config import Environment
from snaphook.errors import ClaimError
from snaphook.stores.outbox.job import GiveUp, Job
from snaphook.stores.outbox.outbox import Outbox
from snaphook.stores.workspace import (
    Claim,
    EventEntry,
    SkillOutcome,
    SkillUse,
    Task,
    TaskStatus,
    Transaction,
    Workspace,
    find_run,
    with_status,
)
from snaphook.stores.workspace.runs import is_filled

from . import completion as told
from .completion import Completion, completion
from .files import opening
from .metrics import Metrics, measured, with_metrics
from .notes import SessionFacts, SessionNotebook
from .opened import essentials_in, opened, table_in
from .skills import skill_used
from .stop import StopFacts
from .stop_notice import stop_notice
from .transcript import TranscriptEnd, read_transcript

MOST = 1 << 20
"""Bytes of a run's document that are read."""
_OUTCOMES = {
    told.CompletionStatus.COMPLETE: SkillOutcome.SUCCESS,
    told.CompletionStatus.PARTIAL: SkillOutcome.PARTIAL,
    told.CompletionStatus.BLOCKED: SkillOutcome.FAILURE,
}
_ENTRIES = {
    told.CompletionStatus.COMPLETE: "completed",
    told.CompletionStatus.PARTIAL: "progress",
    told.CompletionStatus.BLOCKED: "blocked",
}
_REACHED = {
    told.CompletionStatus.COMPLETE: TaskStatus.COMPLETED,
    told.CompletionStatus.BLOCKED: TaskStatus.BLOCKED,
}


class StopCase(Struct, frozen=True, kw_only=True):
    """One stop, and everything that is known of it."""

    ended: StopFacts
    session: SessionFacts
    found: Completion | None
    """What the agent says of its task."""
    metrics: Metrics
    run: Path | None


def finish(job: Job, around: Environment) -> None:
    """Do what follows the stop that *job* tells of."""
    place = opened(around)
    case = _case(msgspec.convert(job.payload, StopFacts), around, place)
    task = None
    if place is not None:
        task = _task(place, case)
        if case.found is not None and task is not None and essentials_in(around).auto_complete:
            _change(place, case, task, case.found)
        else:
            _measure_only(place, case)
        place.close()
    _follow(job, around, case, task)


def _case(ended: StopFacts, around: Environment, place: Workspace | None) -> StopCase:
    session = SessionNotebook(around.data_dir, ended.session).read()
    said = read_transcript(Path(ended.transcript)) if ended.transcript else TranscriptEnd()
    run = _run(ended, place)
    results = opening(run / "RESULTS.md", MOST) if run else ""
    found = completion(f"{said.text}\n{ended.message}", results)
    metrics = measured(ended, session, said, found)
    return StopCase(ended=ended, session=session, found=found, metrics=metrics, run=run)


def _run(ended: StopFacts, place: Workspace | None) -> Path | None:
    """Return the run's folder; one that was put away since is where it was put."""
    told = Path(ended.identity.run_dir) if ended.identity.run_dir else None
    if place is None or told is None or told.is_dir():
        return told
    found = find_run(place.layout, ended.identity.run_id)
    return found.folder if found else told


def _task(place: Workspace, case: StopCase) -> Task | None:
    """Return the task that the run was about, if the agent holds it or has ended it.

    That it is mentioned is not enough: it is the run's own, the one held at the start, or one that the
    agent both holds and names.
    """
    identity, tasks = case.ended.identity, place.tasks()
    ours = [t for t in tasks if identity.names_any(t.claimed_by, t.completed_by)]
    wanted = [case.found.task_id] if case.found else []
    wanted += [
        *opening(Path(identity.run_dir) / ".task-claimed", 256).split()[:1],
        case.session.task,
    ]
    by_run = [t for t in tasks if identity.run_id and t.run_id == identity.run_id]
    by_name = [t for t in ours if identity.run_id.endswith(f"-{t.id}")]
    named = [t for name in wanted if name for t in ours if t.id == name]
    return next(iter([*by_run, *by_name, *named]), None)


def _change(place: Workspace, case: StopCase, task: Task, found: Completion) -> None:
    identity = case.ended.identity
    once = f"finish:{identity.run_id or case.ended.session}:{task.id}:{found.status}"
    claim = Claim(
        task_id=task.id,
        agent=task.claimed_by or task.completed_by,
        token=task.token,
        until=0.0,
        run_id=task.run_id,
    )
    try:
        with place.transaction(f"stop {task.id}", once=once) as change:
            if change.done_before:
                return
            _check(case, found)
            _end(change, place, claim, found)
            _record(change, place, claim, case, task, found)
    except ClaimError as refused:
        raise GiveUp(str(refused)) from refused
    _verify(place, task, found)


def _check(case: StopCase, found: Completion) -> None:
    """Give up, with everything that is missing, where the conditions of an automatic change fail."""
    run, missing = case.run, []
    if run is None or not run.is_dir():
        missing.append(f"the run folder {run or '(none)'} does not exist")
    elif (
        found.status is told.CompletionStatus.COMPLETE
        and case.ended.identity.agent_type == "executor"
        and not is_filled(run / "THOUGHTS.md")
    ):
        missing.append(f"{run / 'THOUGHTS.md'} says nothing")
    if missing:
        raise GiveUp(f"the task was left as it is: {'; '.join(missing)}. Fix it, then retry.")


def _end(change: Transaction, place: Workspace, claim: Claim, found: Completion) -> None:
    match found.status:
        case told.CompletionStatus.COMPLETE:
            change.complete(claim)
            _restate(change, place, claim, "completed")
            change.move_task(claim.task_id)
        case told.CompletionStatus.BLOCKED:
            change.block(claim, found.reason or "the agent reported that it is blocked")
            _restate(change, place, claim, "blocked")
        case told.CompletionStatus.PARTIAL:
            pass  # it stays with whoever holds it


def _restate(change: Transaction, place: Workspace, claim: Claim, status: str) -> None:
    """Have the task's own document say the same as the queue."""
    document = place.layout.task_folder(claim.task_id) / "task.md"
    if document.is_file():
        change.write(document, with_status(document.read_text(encoding="utf-8"), status))


def _record(
    change: Transaction,
    place: Workspace,
    claim: Claim,
    case: StopCase,
    task: Task,
    found: Completion,
) -> None:
    identity = case.ended.identity
    skill = skill_used(case.session, opening(case.run / "THOUGHTS.md", MOST) if case.run else "")
    change.log(
        EventEntry(
            type=_ENTRIES[found.status],
            task_id=task.id,
            agent=claim.agent,
            agent_type=identity.agent_type,
            run_id=identity.run_id,
            notes=found.reason,
            source="hook",
            data=case.metrics.as_data(),
        )
    )
    change.record_skill(
        SkillUse(
            task_id=task.id,
            outcome=_OUTCOMES[found.status],
            skill_used=skill,
            task_type=task.type or None,
            duration_minutes=round(case.metrics.seconds / 60, 1),
        )
    )
    for path, text in with_metrics(case.run, place, case.metrics, case.ended, task.id):
        change.write(path, text)


def _measure_only(place: Workspace, case: StopCase) -> None:
    """Keep what the run cost so far; nothing else has changed."""
    with place.transaction("stop") as change:
        for path, text in with_metrics(case.run, place, case.metrics, case.ended, ""):
            change.write(path, text)


def _verify(place: Workspace, task: Task, found: Completion) -> None:
    """Look whether what was to happen has happened."""
    now, wanted = place.task(task.id), _REACHED.get(found.status)
    if wanted is not None and (now is None or now.status is not wanted):
        raise RuntimeError(f"{task.id} should be {wanted} and is {now.status if now else 'gone'}")
    active = place.layout.task_folder(task.id)
    if found.status is told.CompletionStatus.COMPLETE and active.exists():
        raise RuntimeError(f"{task.id} is completed and its folder is still {active}")


def _follow(job: Job, around: Environment, case: StopCase, task: Task | None) -> None:
    """Have memories kept, the change committed and people told; each a job of its own."""
    outbox = Outbox(around.data_dir, cwd=around.cwd, patience=10.0)
    identity, found, run = case.ended.identity, case.found, case.run
    memory = table_in(around, "memory")
    if run is not None and found is not None and memory.get("enabled", True):
        payload = {
            "paths": [str(run)],
            "project": case.ended.root,
            "run": run.name,
            "session": case.ended.session,
            "agent": identity.agent_type,
            "transcripts": [case.ended.transcript] if case.ended.transcript else [],
            "settings": memory,
        }
        outbox.put("retain", payload, key=f"retain:{run.name}:{found.status}")
    if task is not None and found is not None and essentials_in(around).auto_commit:
        done = {"task_id": task.id, "title": task.title, "status": found.status}
        outbox.put("commit", done, key=f"commit:{identity.run_id}:{task.id}:{found.status}")
    notice = stop_notice(case.ended, task, found, case.metrics)
    outbox.put("notify", msgspec.to_builtins(notice), key=f"notice:{job.key}")
    outbox.close()
