"""What each kind of agent is told at the start of its session.

Identity + workspace  ->  Briefing

Every file is read as far as it goes: one that is missing or cannot be read leaves its part out.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import time
from typing import Any

from msgspec import Struct

from snaphook.stores.workspace import (
    Layout,
    Task,
    TaskDocument,
    Workspace,
    WorkspaceSnapshot,
    read_document,
    runs_of_task,
)
from snaphook.stores.workspace.task_document import CRITERIA

from .detect import Identity, branch
from .files import excerpt, newest, opening, read_yaml, read_yaml_any
from .scope import EventScope

SHOWN = 3
"""Reports, runs and decisions that are shown of those there are."""
PARAMETERS = ("parameter", "scope", "focus", "question", "search", "area", "constraint", "scout")
TARGETS = ("target", "verif", "scope", "what to verify", "subject", "artifact", "deliverable")
"""What the headings of a task are called that tell a scout, or a verifier, its assignment."""
TIMELINES = ("timeline.yaml", ".autonomous/timeline.yaml", "timeline/timeline.yaml")


class Briefing(Struct, frozen=True, kw_only=True):
    """Paragraphs for the model, and the same as data for whoever reads the hook's answer."""

    parts: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}


Brief = Callable[
    [Workspace, WorkspaceSnapshot, "Task | None"], tuple[Sequence[str], Mapping[str, Any]]
]


def brief(
    identity: Identity,
    scope: EventScope,
    place: Workspace | None,
    snapshot: WorkspaceSnapshot,
    task: Task | None,
) -> Briefing:
    """Return what the agent that *identity* names should know."""
    if place is None:
        return Briefing(parts=tuple(_project_info(scope.cwd)))
    parts, data = BRIEFS.get(identity.agent_type, developer)(place, snapshot, task)
    if task is not None:
        title = {"id": task.id, "title": task.title, "status": task.status.value}
        data = {"claimedTask": title, **data}
    return Briefing(parts=tuple(part for part in parts if part), data=data)


def planner(
    place: Workspace, snapshot: WorkspaceSnapshot, _task: Task | None
) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return the queue's counts, the last events, how the executor is, and where the loop stands."""
    counts = snapshot.counts
    queue = (
        f"## Queue\n{counts.pending} pending, {counts.in_progress} in progress, "
        f"{counts.completed} completed, {counts.blocked} blocked"
    )
    parts = [queue, _events(snapshot), _heartbeat(snapshot), _loop(place.layout)]
    return parts, {"executor": _executor(snapshot)}


def executor(
    place: Workspace, snapshot: WorkspaceSnapshot, task: Task | None
) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return the claimed task, what it is for, when it is done, and what earlier runs left."""
    if task is None:
        return [_nothing_claimed(snapshot)], {}
    document = document_of(place.layout, task.id)
    parts = [_claimed(task), _purpose(document), _criteria(document), _runs(place.layout, task)]
    return parts, {"acceptanceCriteria": [each.text for each in document.criteria]}


def scout(
    place: Workspace, snapshot: WorkspaceSnapshot, task: Task | None
) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return what to look for, and what earlier scouts reported."""
    parts = _assignment(place.layout, task, "Scout parameters", PARAMETERS, snapshot)
    reports = newest(place.layout.runs / "scout", "**/scout-report.md", SHOWN)
    return [*parts, _reports("Earlier scout reports", reports)], {}


def verifier(
    place: Workspace, snapshot: WorkspaceSnapshot, task: Task | None
) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return what is to be verified, and by which criteria."""
    parts = _assignment(place.layout, task, "Verification target", TARGETS, snapshot)
    document = document_of(place.layout, task.id) if task else TaskDocument()
    reports = newest(place.layout.runs / "verifier", "**/verification-report.md", SHOWN)
    return [*parts, _criteria(document), _reports("Earlier verification reports", reports)], {}


def architect(
    place: Workspace, _snapshot: WorkspaceSnapshot, _task: Task | None
) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return the goals, and the latest decisions."""
    decisions = newest(place.layout.decisions, "**/*.md", 5)
    return [_goals(place.layout), _reports("Recent decisions", decisions, lines=1)], {}


def developer(
    place: Workspace, snapshot: WorkspaceSnapshot, task: Task | None
) -> tuple[Sequence[str], Mapping[str, Any]]:
    """Return what the project is, and what happened lately."""
    claimed = [_claimed(task)] if task else []
    timeline = _timeline(place.layout.root) or _events(snapshot, "Recent timeline")
    return [*_project_info(place.layout.root), *claimed, timeline], {}


BRIEFS: Mapping[str, Brief] = {
    "planner": planner,
    "executor": executor,
    "scout": scout,
    "verifier": verifier,
    "architect": architect,
    "developer": developer,
}


def document_of(layout: Layout, task_id: str) -> TaskDocument:
    """Return what the document of *task_id* says; an empty one where there is none."""
    for path in _documents(layout, task_id):
        if text := opening(path, 64_000):
            return read_document(text, where=str(path))
    return TaskDocument()


def has_document(layout: Layout, task_id: str) -> bool:
    """Say whether *task_id* has a document of its own that says something."""
    return any(opening(path, 1) for path in _documents(layout, task_id))


def _documents(layout: Layout, task_id: str) -> tuple[Path, Path]:
    return layout.task_folder(task_id) / "task.md", layout.tasks / "active" / f"{task_id}.md"


def _claimed(task: Task) -> str:
    return f"## Your task\n{task.id}: {task.title or '(no title)'} ({task.status}, {task.priority})"


def _nothing_claimed(snapshot: WorkspaceSnapshot) -> str:
    free = snapshot.next
    offer = f" Next in the queue: {free.id}: {free.title}." if free else " Nothing is free."
    return f"## Your task\nNone claimed.{offer} Run: snaphook queue claim"


def _purpose(document: TaskDocument) -> str:
    return f"## Objective\n{excerpt(document.objective, 2000)}" if document.objective else ""


def _criteria(document: TaskDocument) -> str:
    rows = [f"- [{'x' if each.met else ' '}] {each.text}" for each in document.criteria[:30]]
    return "## Acceptance criteria\n" + "\n".join(rows) if rows else ""


def _runs(layout: Layout, task: Task) -> str:
    rows = [
        f"- {run.id}: {excerpt(opening(run.folder / 'RESULTS.md', 4000), 300)}"
        for run in runs_of_task(layout, task.id)[:SHOWN]
        if "RESULTS.md" in run.written
    ]
    return "## Earlier runs\n" + "\n".join(rows) if rows else ""


def _assignment(
    layout: Layout,
    task: Task | None,
    heading: str,
    wanted: tuple[str, ...],
    snapshot: WorkspaceSnapshot,
) -> list[str]:
    """Return the claimed task with what its front matter and the sections *wanted* say."""
    if task is None:
        return [_nothing_claimed(snapshot)]
    document = document_of(layout, task.id)
    told = {name: value for name, value in document.front.items() if _plain(value)}
    rows = [f"- {name}: {excerpt(str(value), 200)}" for name, value in told.items()]
    rows += [
        f"- {title}: {excerpt(text, 600)}"
        for title, text in document.sections.items()
        if text and any(word in title for word in wanted) and not title.startswith(CRITERIA)
    ]
    return [_claimed(task), "\n".join([f"## {heading}", *rows]) if rows else "", _purpose(document)]


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float | list) and value not in ("", [])


def _events(snapshot: WorkspaceSnapshot, heading: str = "Last events") -> str:
    rows = [
        " ".join(filter(None, ["-", each.timestamp, each.type, each.task_id, each.notes[:120]]))
        for each in snapshot.entries
    ]
    return f"## {heading}\n" + "\n".join(rows) if rows else ""


def _timeline(root: Path) -> str:
    """Return the latest entries of the project's own timeline; nothing where it has none."""
    held = next((found for name in TIMELINES if (found := read_yaml_any(root / name))), None)
    lists = [held]
    if isinstance(held, dict):
        lists = [held.get(name) for name in ("events", "timeline", "entries", "milestones")]
    rows = [row for one in lists if isinstance(one, list) for row in one]
    dated = [(_date(row), _headline(row)) for row in rows if isinstance(row, dict)]
    latest = sorted((row for row in dated if row[1]), key=lambda row: row[0])[-5:]
    told = [" ".join(filter(None, ["-", when, what])) for when, what in reversed(latest)]
    return "## Recent timeline\n" + "\n".join(told) if told else ""


def _date(row: Mapping[str, Any]) -> str:
    names = ("timestamp", "date", "completed_at", "started", "time")
    return next((str(row[name]) for name in names if row.get(name)), "")


def _headline(row: Mapping[str, Any]) -> str:
    names = ("title", "name", "event", "summary", "description", "notes")
    told = next((str(row[name]) for name in names if row.get(name)), "")
    kind = str(row.get("type") or row.get("status") or "")
    return excerpt(f"{kind}: {told}" if kind and told else told, 160)


def _executor(snapshot: WorkspaceSnapshot) -> Mapping[str, Any]:
    beat = snapshot.heartbeats.get("executor")
    if beat is None:
        return {"status": "unknown"}
    age = beat.age(time())
    return {
        "status": beat.status or "unknown",
        "lastSeenSeconds": None if age is None else round(age),
    }


def _heartbeat(snapshot: WorkspaceSnapshot) -> str:
    seen = _executor(snapshot)
    age = seen.get("lastSeenSeconds")
    when = "never seen" if age is None else f"last seen {age} s ago"
    beat = snapshot.heartbeats.get("executor")
    doing = f", doing: {beat.current_action}" if beat and beat.current_action else ""
    return f"## Executor\n{seen['status']}, {when}{doing}"


def _loop(layout: Layout) -> str:
    held = read_yaml(layout.loop)
    loop, state = held.get("loop"), held.get("state")
    if not isinstance(loop, dict) or not isinstance(state, dict):
        return ""
    rows = {"number": loop.get("number"), **state}
    told = [f"- {name}: {value}" for name, value in rows.items() if value not in (None, "", [])]
    steps = held.get("next_steps")
    told += [f"- next: {step}" for step in steps[:5]] if isinstance(steps, list) else []
    return "## Loop\n" + "\n".join(told) if told else ""


def _goals(layout: Layout) -> str:
    held = read_yaml(layout.goals)
    rows: list[str] = []
    for heading in ("by_priority", "by_status"):
        groups = held.get(heading)
        for name, goals in groups.items() if isinstance(groups, dict) else ():
            if isinstance(goals, list) and goals:
                rows.append(f"- {name}: {', '.join(map(str, goals[:20]))}")
    return "## Goals\n" + "\n".join(rows) if rows else ""


def _reports(heading: str, paths: Sequence[Path], lines: int = 4) -> str:
    rows = [f"- {path}: {excerpt(opening(path, 4000), 100 * lines)}" for path in paths]
    return f"## {heading}\n" + "\n".join(rows) if rows else ""


def _project_info(root: Path) -> list[str]:
    readme = next(
        (root / name for name in ("README.md", "readme.md") if (root / name).exists()), None
    )
    told = excerpt(opening(readme, 2000), 300) if readme else ""
    try:
        on = branch(root)
    except OSError:
        on = ""
    rows = [f"Folder: {root}", *([f"Branch: {on}"] if on else []), *([told] if told else [])]
    return ["## Project\n" + "\n".join(rows)]
