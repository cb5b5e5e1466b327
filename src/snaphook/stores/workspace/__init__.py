"""Where agents share their work: files that several of them change at once, safely.

folder  ->  open_workspace  ->  Workspace

    workspace = open_workspace(Path.cwd(), settings)
    workspace.snapshot("executor-1")            what a session is told at its start, in a few milliseconds
    claim = workspace.claim("executor-1")       a task, a lease and a token; None if nothing is free
    workspace.beat("executor-1")                every 30 s; 120 s of silence and a sweep takes the task back
    with workspace.transaction("stop", once=run_id) as change:
        change.complete(claim)                  refused if somebody else holds a later token
        change.move_task(claim.task_id)         tasks/active/… to tasks/completed/…
        change.log(Entry(type="completed", task_id=claim.task_id))

Errors are ClaimError (the task is not yours to take or change) and StoreError (a file cannot be read or
written; it was left as it is). Run folders are in ``runs``, task documents in ``task_document``.
"""

from typing import TYPE_CHECKING

from snaphook.lazy import exports

if TYPE_CHECKING:
    from .contract import Transaction, Workspace, WorkspaceSnapshot
    from .files import FileWorkspace
    from .layout import Layout, find_root, layout_at
    from .opening import locate, make_workspace, open_workspace
    from .records import AgentRecord, EventEntry, Heartbeat, PlannerLoop, SkillOutcome, SkillUse
    from .runs import RunFolder, all_runs, find_run, new_run_id, runs_of_task, start_run
    from .settings import WorkspaceSettings
    from .task import Claim, Counts, Task, TaskStatus
    from .task_document import TaskDocument, find_document, read_document, with_status

_MODULES = {
    "AgentRecord": "records",
    "Claim": "task",
    "Counts": "task",
    "EventEntry": "records",
    "FileWorkspace": "files",
    "Heartbeat": "records",
    "Layout": "layout",
    "PlannerLoop": "records",
    "SkillOutcome": "records",
    "RunFolder": "runs",
    "SkillUse": "records",
    "WorkspaceSnapshot": "contract",
    "TaskStatus": "task",
    "Task": "task",
    "TaskDocument": "task_document",
    "Transaction": "contract",
    "Workspace": "contract",
    "WorkspaceSettings": "settings",
    "all_runs": "runs",
    "find_document": "task_document",
    "find_root": "layout",
    "find_run": "runs",
    "layout_at": "layout",
    "locate": "opening",
    "make_workspace": "opening",
    "new_run_id": "runs",
    "open_workspace": "opening",
    "read_document": "task_document",
    "runs_of_task": "runs",
    "start_run": "runs",
    "with_status": "task_document",
}

__all__ = [
    "AgentRecord",
    "Claim",
    "Counts",
    "EventEntry",
    "FileWorkspace",
    "Heartbeat",
    "Layout",
    "PlannerLoop",
    "RunFolder",
    "SkillOutcome",
    "SkillUse",
    "Task",
    "TaskDocument",
    "TaskStatus",
    "Transaction",
    "Workspace",
    "WorkspaceSettings",
    "WorkspaceSnapshot",
    "all_runs",
    "find_document",
    "find_root",
    "find_run",
    "layout_at",
    "locate",
    "make_workspace",
    "new_run_id",
    "open_workspace",
    "read_document",
    "runs_of_task",
    "start_run",
    "with_status",
]

__getattr__ = exports(__name__, _MODULES)
