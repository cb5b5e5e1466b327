"""The task that a session holds, and the signs of life that keep it.

Snapshot + Identity  ->  Task | None        every half minute  ->  a job 'beat'
"""

import os
from pathlib import Path

from snaphook.storage.files import replace
from snaphook.stores.workspace import Snapshot, Task

from .desk import Desk
from .detect import Identity
from .notes import Holds


def held(snapshot: Snapshot, identity: Identity) -> Task | None:
    """Return the task that the agent holds: by its run, else by any of its names."""
    by_run = [task for task in snapshot.held if identity.run_id and task.run_id == identity.run_id]
    ended = [task for task in snapshot.held if identity.run_id.endswith(f"-{task.id}")]
    named = [task for name in identity.names for task in snapshot.held if task.claimed_by == name]
    return next(iter([*by_run, *ended, *named]), None)


def hold(desk: Desk, task: Task) -> None:
    """Have later hooks know of *task*, and give signs of life for the claim on it."""
    desk.notebook.add(Holds(at=desk.now, task=task.id))
    replace(beat_mark(desk), task.claimed_by.encode(), durable=False)  # its age is all that counts


def look_again(desk: Desk) -> None:
    """Hold what the session has claimed in the middle of its work."""
    if desk.workspace is None:
        return
    task = held(desk.workspace.snapshot(entries=0), desk.identity)
    if task is not None:
        hold(desk, task)


def keep_alive(desk: Desk, action: str) -> None:
    """Have a sign of life given, no more often than need be, by an agent that holds a task."""
    mark = beat_mark(desk)
    try:
        seen = os.stat(mark).st_mtime  # noqa: PTH116 - on the way of every tool call
    except OSError:
        return  # it holds nothing
    if desk.now - seen < desk.settings.heartbeat_seconds:
        return
    os.utime(mark, (desk.now, desk.now))
    agent = mark.read_text(encoding="utf-8")
    period = int(desk.now // desk.settings.heartbeat_seconds)
    desk.later("beat", {"agent": agent, "action": action}, key=f"beat:{agent}:{period}")


def beat_mark(desk: Desk) -> Path:
    """Return the file that says under which name the session holds a task, and when it last beat."""
    return desk.notebook.path.with_suffix(".holds")
