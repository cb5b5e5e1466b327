"""What is being built, and what waits to be: builder jobs and workspace queues of known projects.

projects  ->  Jobs, Queues

A project is known by its record, or because the dashboard was started in it.
"""

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from snaphook.builder.job import BuildJob, find_jobs
from snaphook.builder.journal import FILE, read_journal
from snaphook.builder.records import Record
from snaphook.builder.summary import BuildSummary, summarise
from snaphook.builder.tasks import Tasks, read_tasks
from snaphook.errors import SnaphookError
from snaphook.stores.eventlog.tally import CountKind
from snaphook.stores.workspace import WorkspaceSettings, find_root, open_workspace
from snaphook.stores.workspace.records import EventEntry, Heartbeat
from snaphook.stores.workspace.task import Counts, Task, TaskStatus
from snaphook.wiring.assembly import section

from .dashboard import Dashboard

DAYS = 30
MOST_PROJECTS = 50
SHOWN = 200
"""Tasks of a queue that a page shows, of each status."""


class JobProgress(Struct, frozen=True, kw_only=True):
    """A job, and how far it is."""

    job: BuildJob
    tasks: Tasks
    summary: BuildSummary
    problem: str = ""


class Shared(Struct, frozen=True, kw_only=True):
    """A workspace: its queue, who gave signs of life, what happened last."""

    root: str
    counts: Counts = Counts()
    tasks: Sequence[Task] = ()
    heartbeats: Sequence[tuple[str, Heartbeat, float | None]] = ()
    entries: Sequence[EventEntry] = ()
    problem: str = ""


def projects(dashboard: Dashboard) -> list[Path]:
    """Return the folders of the projects that are on this machine, this one first."""
    since = int(time.time() - DAYS * 86_400)
    rows = dashboard.records.rows(
        "SELECT name, sum(n) AS total FROM {p}tally WHERE kind = ? AND slot >= ? "
        "GROUP BY name ORDER BY total DESC LIMIT ?",
        (CountKind.PROJECT.value, since, MOST_PROJECTS),
    )
    named = [Path(str(name)) for name, _ in rows if str(name).startswith("/")]
    here = [dashboard.around.cwd, *named]
    return [folder for folder in dict.fromkeys(here) if _is_dir(folder)]


def jobs(dashboard: Dashboard) -> list[JobProgress]:
    """Return the jobs of every known project, the last touched first."""
    found = [_built(job) for project in projects(dashboard) for job in _jobs_of(project)]
    return sorted(found, key=lambda one: -one.summary.ended)


def job(
    dashboard: Dashboard, project: str, name: str
) -> tuple[JobProgress, tuple[Record, ...]] | None:
    """Return one job and its journal; only those that ``jobs`` lists are looked at."""
    for folder in projects(dashboard):
        for one in _jobs_of(folder):
            if (str(folder), one.name) == (project, name):
                return _built(one), _journal(one)
    return None


def queues(dashboard: Dashboard) -> list[Shared]:
    """Return the workspaces of every known project."""
    settings = section(dashboard.settings, "workspace", WorkspaceSettings)
    roots = [root for folder in projects(dashboard) if (root := find_root(folder))]
    return [_shared(root, settings, dashboard.clock()) for root in dict.fromkeys(roots)]


def _shared(root: Path, settings: WorkspaceSettings, now: float) -> Shared:
    try:
        workspace = open_workspace(root, settings)
    except SnaphookError as error:
        return Shared(root=str(root), problem=str(error))
    try:
        tasks = workspace.tasks()
        beats = workspace.heartbeats()
        return Shared(
            root=str(root),
            counts=workspace.counts(),
            tasks=_shown(tasks),
            heartbeats=[(name, beat, beat.age(now)) for name, beat in sorted(beats.items())],
            entries=workspace.entries(last=15)[::-1],
        )
    except SnaphookError as error:
        return Shared(root=str(root), problem=str(error))
    finally:
        workspace.close()


def _shown(tasks: Sequence[Task]) -> list[Task]:
    """Return what is under way, then what waits, then the last of what is done."""
    order = (
        TaskStatus.IN_PROGRESS,
        TaskStatus.BLOCKED,
        TaskStatus.PENDING,
        TaskStatus.COMPLETED,
        TaskStatus.CANCELLED,
    )
    by_status = {status: [task for task in tasks if task.status is status] for status in order}
    for status in (TaskStatus.COMPLETED, TaskStatus.CANCELLED):
        by_status[status].reverse()
    by_status[TaskStatus.PENDING].sort(key=lambda task: task.urgency)
    return [task for status in order for task in by_status[status][:SHOWN]]


def _built(job: BuildJob) -> JobProgress:
    try:
        tasks = read_tasks(job.tasks) if job.tasks.exists() else Tasks()
        return JobProgress(job=job, tasks=tasks, summary=summarise(job.name, _journal(job)))
    except (SnaphookError, OSError, ValueError) as error:
        return JobProgress(
            job=job, tasks=Tasks(), summary=BuildSummary(job=job.name), problem=str(error)
        )


def _journal(job: BuildJob) -> tuple[Record, ...]:
    return read_journal(job.state / FILE)


def _jobs_of(project: Path) -> Sequence[BuildJob]:
    try:
        return find_jobs(project)
    except OSError:
        return ()


def _is_dir(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except (OSError, ValueError):
        return False
