"""A session begins: who is at work, what it should know, what its shell should have.

detect  ->  run  ->  briefing  ->  environment  ->  SessionStartOutput

It never fails and never blocks: what is missing is told and logged, and the rest goes on.
"""

import logging
import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from snaphook.canon import SessionStart, SessionStartOutput
from snaphook.errors import SnaphookError
from snaphook.stores.workspace import Task, Workspace, WorkspaceSnapshot, new_run_id, start_run

from .briefing import Briefing, brief, has_document
from .detect import Identity
from .holding import held, hold
from .notes import SessionBegan
from .scope import EventScope

log = logging.getLogger("snaphook.essentials")

VERSION = "1.0.0"
"""Of the hooks, as their makers count."""
_SCHEMA = re.compile(r"1(?:\.\d+)*")
WITH_ERRORS = "BB5 Session Initialized (with errors) | Check logs"


def answer(event: SessionStart, scope: EventScope) -> SessionStartOutput:
    """Return what the session of *event* should know and have."""
    try:
        return _begin(event, scope)
    except Exception as problem:
        log.exception("essentials: the session could not be prepared")
        details = {
            "project": "unknown",
            "agentType": "unknown",
            "mode": "manual",
            "errors": [f"{type(problem).__name__}: {problem}"],
        }
        return SessionStartOutput(additional_context=WITH_ERRORS, details=details)


def _begin(event: SessionStart, scope: EventScope) -> SessionStartOutput:
    place = scope.workspace
    identity = known(scope)
    snapshot = place.snapshot() if place else WorkspaceSnapshot()
    task = held(snapshot, identity)
    identity = with_run(identity, scope, place, task)
    briefing = brief(identity, scope, place, snapshot, task)
    problems = [*identity.errors, *scope.problems, *_missing(snapshot, place, task)]
    for problem in problems:
        log.warning("essentials: %s", problem)
    scope.notebook.add(SessionBegan(at=scope.now, identity=identity))
    if task is not None:
        hold(scope, task)
    _tell_the_workspace(event, scope, identity, task)
    return SessionStartOutput(
        additional_context=told(identity, briefing, problems if place else []),
        environment=environment(identity, scope.cwd),
        details=_details(identity, briefing, snapshot, problems if place else []),
    )


def known(scope: EventScope) -> Identity:
    """Return who is at work; a session that goes on keeps its run, wherever its folder is by now."""
    found, before = scope.detected(), scope.session.identity
    if before is None or found.run_id:
        return found
    there = before.run_dir if Path(before.run_dir).is_dir() else ""
    return replace(found, run_id=before.run_id, run_dir=there)


def with_run(
    identity: Identity, scope: EventScope, place: Workspace | None, task: Task | None
) -> Identity:
    """Return *identity* with a run of its own, its folder made where there is a workspace."""
    run_id = identity.run_id or new_run_id(scope.now, task.id if task else "")
    identity = replace(identity, run_id=run_id)
    if identity.run_dir or place is None or not scope.settings.run_folders:
        return identity
    try:
        run = start_run(
            place.layout,
            run_id=run_id,
            agent_type=identity.agent_type,
            now=scope.now,
            project=identity.project,
            task_id=task.id if task else "",
        )
    except SnaphookError as problem:
        scope.problems.append(str(problem))
        return identity
    return replace(identity, run_dir=str(run.folder))


def environment(identity: Identity, cwd: Path) -> dict[str, str]:
    """Return what the session's shell should have."""
    variables = {
        "BB5_PROJECT": identity.project,
        "BB5_AGENT_TYPE": identity.agent_type,
        "BB5_AGENT_NAME": identity.name,
        "BB5_MODE": identity.mode,
        "BB5_CONTEXT_LOADED": "true",
        "BB5_HOOK_VERSION": VERSION,
        "RALF_RUN_ID": identity.run_id,
        "RALF_AGENT_TYPE": identity.agent_type,
        "RALF_PROJECT_ROOT": str(cwd),
    }
    if identity.autonomous and identity.run_dir:
        variables["RALF_RUN_DIR"] = identity.run_dir
    return variables


def told(identity: Identity, briefing: Briefing, problems: list[str]) -> str:
    """Return what the model reads first."""
    head = (
        f"BB5 Session | Project: {identity.project} | Agent: {identity.agent_type} | "
        f"Mode: {identity.mode}"
    )
    parts = [head]
    if identity.run_dir:
        parts.append(f"Run: {identity.run_id}\nRun folder: {identity.run_dir}")
    parts += briefing.parts
    if problems:
        parts.append("## Missing\n" + "\n".join(f"- {problem}" for problem in problems))
    return "\n\n".join(parts)


def _missing(snapshot: WorkspaceSnapshot, place: Workspace | None, task: Task | None) -> list[str]:
    """Return what is wrong with the files that every agent shares."""
    if place is None:
        return []
    problems = list(snapshot.problems)
    if task is not None and not has_document(place.layout, task.id):
        folder = place.layout.task_folder(task.id)
        problems.append(f"{folder / 'task.md'}: missing, though {task.id} is claimed.")
    queue = place.layout.queue
    if not snapshot.schema and queue.exists():
        problems.append(f"{queue}: has no schema version; using 1.0.1.")
    elif snapshot.schema and not _SCHEMA.fullmatch(snapshot.schema):
        problems.append(f"{queue}: schema version {snapshot.schema} is not supported (1.x is).")
    return problems


def _details(
    identity: Identity, briefing: Briefing, snapshot: WorkspaceSnapshot, problems: list[str]
) -> dict[str, Any]:
    counts = snapshot.counts
    context = {
        "queueStats": {"pending": counts.pending, "completed": counts.completed},
        **briefing.data,
    }
    details: dict[str, Any] = {
        "project": identity.project,
        "agentType": identity.agent_type,
        "mode": identity.mode,
        "runId": identity.run_id,
        "context": context,
    }
    return details | ({"errors": problems} if problems else {})


def _tell_the_workspace(
    event: SessionStart, scope: EventScope, identity: Identity, task: Task | None
) -> None:
    """Have the agents' file and log say that this one is at work."""
    if scope.workspace is None:
        return
    row = {
        "id": identity.name,
        "type": identity.agent_type,
        "status": "active",
        "task": task.id if task else "",
        "run_id": identity.run_id,
        "mode": identity.mode,
        "started_at": scope.now,
    }
    entry = {
        "type": "agent_start",
        "agent": identity.agent_type,
        "agent_type": identity.agent_type,
        "agent_id": row["id"],
        "run_id": identity.run_id,
        "task_id": row["task"],
        "source": "hook",
        "data": {"source": event.source.value},
    }
    key = f"start:{scope.session_id}:{event.source.value}:{scope.now}"
    scope.later("note", {"agents": [row], "entries": [entry]}, key=key)
