"""The task that a session holds, and the signs of life that keep it.

WorkspaceSnapshot + Identity  ->  Task | None        every half minute  ->  a job 'beat'
"""

import os
from pathlib import Path

from snaphook.storage.files import replace
from snaphook.stores.workspace import Task, WorkspaceSnapshot

from .detect import Identity
from .notes import Holds
from .scope import EventScope


def held(snapshot: WorkspaceSnapshot, identity: Identity) -> Task | None:
    """Return the task that the agent holds: by its run, else by any of its names."""
    by_run = [task for task in snapshot.held if identity.run_id and task.run_id == identity.run_id]
    ended = [task for task in snapshot.held if identity.run_id.endswith(f"-{task.id}")]
    named = [task for name in identity.names for task in snapshot.held if task.claimed_by == name]
    return next(iter([*by_run, *ended, *named]), None)


def hold(scope: EventScope, task: Task) -> None:
    """Have later hooks know of *task*, and give signs of life for the claim on it."""
    scope.notebook.add(Holds(at=scope.now, task=task.id))
    replace(beat_mark(scope), task.claimed_by.encode(), durable=False)  # its age is all that counts


def look_again(scope: EventScope) -> None:
    """Hold what the session has claimed in the middle of its work."""
    if scope.workspace is None:
        return
    task = held(scope.workspace.snapshot(entries=0), scope.identity)
    if task is not None:
        hold(scope, task)


def keep_alive(scope: EventScope, action: str) -> None:
    """Have a sign of life given, no more often than need be, by an agent that holds a task."""
    mark = beat_mark(scope)
    try:
        seen = os.stat(mark).st_mtime  # noqa: PTH116 - on the way of every tool call
    except OSError:
        return  # it holds nothing
    if scope.now - seen < scope.settings.heartbeat_seconds:
        return
    os.utime(mark, (scope.now, scope.now))
    agent = mark.read_text(encoding="utf-8")
    period = int(scope.now // scope.settings.heartbeat_seconds)
    scope.later("beat", {"agent": agent, "action": action}, key=f"beat:{agent}:{period}")


def beat_mark(scope: EventScope) -> Path:
    """Return the file that says under which name the session holds a task, and when it last beat."""
    return scope.notebook.path.with_suffix(".holds")
