"""The task that a session of a workspace is about.

environment + queue.yaml + task.md  ->  title, objective, criteria
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from snaphook.errors import SnaphookError
from snaphook.stores.workspace import (
    Layout,
    Task,
    WorkspaceSettings,
    WorkspaceSnapshot,
    find_root,
    open_workspace,
    read_document,
)

NEXT = 3
"""So many tasks that wait are looked up for an agent that holds none."""
_NAMES = ("BB5_AGENT_NAME", "BB5_AGENT_ID", "BB5_AGENT_TYPE", "RALF_AGENT_TYPE")


def task_text(cwd: str, env: Mapping[str, str]) -> str:
    """Return what the agent in *cwd* works on, in words; what waits, where it holds nothing."""
    if not cwd or find_root(Path(cwd)) is None:
        return ""
    try:
        place = open_workspace(Path(cwd), WorkspaceSettings())
        snapshot = place.snapshot(entries=0)
        layout = place.layout
        waiting = [] if snapshot.held else list(_waiting(place.tasks()))
        place.close()
    except (SnaphookError, OSError):
        return ""
    task = _held(snapshot, env, cwd)
    if task is None:
        return " ".join(each.title for each in waiting[:NEXT])
    return " ".join(part for part in (task.title, _document(layout, task.id)) if part)


def _waiting(tasks: Iterable[Task]) -> Iterator[Task]:
    return (task for task in tasks if task.status.value == "pending")


def _held(snapshot: WorkspaceSnapshot, env: Mapping[str, str], cwd: str) -> Task | None:
    """Return the task of this run, or of this agent; the only one held is everybody's."""
    run = Path(env.get("RALF_RUN_DIR", "")).name or env.get("RALF_RUN_ID", "")
    names = {name for key in _NAMES if (name := env.get(key, ""))}
    claimed = {word for folder in (env.get("RALF_RUN_DIR"), cwd) for word in _claimed(folder)}
    for task in snapshot.held:
        if task.id in claimed or (run and (task.run_id == run or run.endswith(f"-{task.id}"))):
            return task
    by_name = [task for task in snapshot.held if task.claimed_by in names]
    if by_name or len(snapshot.held) != 1:
        return by_name[0] if by_name else None
    return snapshot.held[0]


def _claimed(folder: str | None) -> list[str]:
    try:
        return (
            (Path(folder) / ".task-claimed").read_text("utf-8", "replace").split()[:1]
            if folder
            else []
        )
    except OSError:
        return []


def _document(layout: Layout, task_id: str) -> str:
    try:
        path = layout.task_folder(task_id) / "task.md"
        document = read_document(path.read_text("utf-8", "replace")[:16_000], where=str(path))
    except (OSError, SnaphookError):
        return ""
    criteria = " ".join(each.text for each in document.criteria[:8])
    return re.sub(r"\s+", " ", f"{document.objective} {document.context[:400]} {criteria}")
