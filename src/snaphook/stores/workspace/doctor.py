"""What ails a workspace, and what can be put right without asking.

Layout  ->  Findings;  Findings  ->  what was done about them

``glance`` is what a session start can afford: it reads no file whole. ``examine`` reads everything.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from snaphook.errors import StoreError
from snaphook.storage.files import move
from snaphook.storage.lock import holder, is_held

from . import claims, disk, events
from .contract import Workspace
from .files import FileWorkspace
from .graph import cycles
from .journal import read_intent
from .moments import instant
from .queue import read_queue
from .task import SPELLINGS, Task, TaskStatus

LITTLE_ROOM = 64 * disk.MEGABYTE
STALE_LOCK_SECONDS = 3600


class FindingLevel(StrEnum):
    """How bad it is."""

    ERROR = "error"
    """Something cannot be read or written: agents work without it."""
    WARNING = "warning"
    """Something will go wrong, or has."""
    NOTE = "note"


class WorkspaceFinding(Struct, frozen=True, kw_only=True):
    """One thing that is not as it should be."""

    level: FindingLevel
    where: str
    what: str
    fix: str
    mends_itself: bool = False
    """Whether ``--fix`` puts it right."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}. {self.fix}"


def look(place: Workspace, *, quick: bool = False) -> list[WorkspaceFinding]:
    """Return what ails *place*; where a database keeps it, only what can ail a database's tasks."""
    if isinstance(place, FileWorkspace):
        return glance(place) if quick else examine(place)
    tasks = place.tasks()
    return [*_disk(place), *_tasks("the workspace's database", tasks), *_held(place, tasks)]


def glance(place: FileWorkspace) -> list[WorkspaceFinding]:
    """Return what can be seen without reading any file whole."""
    found = [*_files_there(place), *_disk(place), *_journal(place), *_locks(place)]
    try:
        summary, _ = place.queue.summary()
    except StoreError as error:
        return [*found, _error(error)]
    return [*found, *_held(place, summary.held)]


def examine(place: FileWorkspace) -> list[WorkspaceFinding]:
    """Return everything that can be found."""
    found = [
        *_files_there(place),
        *_disk(place),
        *_journal(place),
        *_locks(place),
        *_leftovers(place),
    ]
    for path in (
        place.layout.heartbeat,
        place.layout.agents,
        place.layout.skills,
        place.layout.goals,
    ):
        found += _read(lambda path=path: place.yaml_files.read(path))  # type: ignore[misc]
    found += _log(place)
    try:
        text, _ = disk.read(place.layout.queue, max_mb=place.settings.max_mb)
        tasks = read_queue(text, where=place.layout.queue).tasks
    except StoreError as error:
        return [*found, *(() if "not exist" in error.what else (_broken(place, error),))]
    return [
        *found,
        *_tasks(str(place.layout.queue), tasks),
        *_odd_statuses(place),
        *_held(place, tasks),
        *_folders(place, tasks),
    ]


def mend(place: FileWorkspace) -> list[str]:
    """Put right what needs no decision, and return a sentence on each."""
    done = []
    with place.locked():
        done += [
            f"removed {path.name}, left behind by a crash" for path in _removed(_temporary(place))
        ]
        done += [f"removed {path.name}, a stale lock" for path in _removed(_foreign_locks(place))]
    done += [
        f"{task.id}: released; '{task.claimed_by}' sends no heartbeat" for task in place.sweep()
    ]
    for task, folder in _misplaced(place, place.tasks()):
        with place.transaction(f"tidy {task.id}") as change:
            change.move_task(task.id)
        done.append(f"{task.id}: moved from {folder.parent.name}/ to completed/")
    return done


def restore(place: FileWorkspace, path: Path) -> Path:
    """Put the latest readable backup of *path* in its place; what was there is kept beside it."""
    for version in reversed(place.backups.versions(path)):
        try:
            text, _ = disk.read(version, max_mb=place.settings.max_mb)
            if path == place.layout.queue:
                read_queue(text, where=version)
        except StoreError:
            continue
        with place.locked():
            if path.exists():
                move(path, path.with_name(f"{path.name}.broken-{time.time_ns()}"))
            disk.write(path, text)
        return version
    raise StoreError(
        where=str(path),
        what="has no backup that can be read",
        fix="Look for it in version control.",
    )


def _files_there(place: FileWorkspace) -> Iterator[WorkspaceFinding]:
    for path in (place.layout.queue, place.layout.events):
        if not path.exists():
            yield WorkspaceFinding(
                level=FindingLevel.ERROR,
                where=str(path),
                what="does not exist",
                fix="Run: snaphook workspace init",
            )
        elif not os.access(path, os.W_OK):
            yield WorkspaceFinding(
                level=FindingLevel.ERROR,
                where=str(path),
                what="is read-only",
                fix="Agents can claim and log nothing until it can be written.",
            )


def _disk(place: Workspace) -> Iterator[WorkspaceFinding]:
    free = shutil.disk_usage(place.layout.root).free
    if free < LITTLE_ROOM:
        yield WorkspaceFinding(
            level=FindingLevel.WARNING,
            where=str(place.layout.root),
            what=f"has {free / disk.MEGABYTE:.0f} MB of disk space left",
            fix="Free disk space, or agents cannot save their work.",
        )


def _journal(place: FileWorkspace) -> Iterator[WorkspaceFinding]:
    if is_held(place.layout.private / "lock"):
        return
    for folder in place.journal.pending():
        intent = read_intent(folder)
        yield WorkspaceFinding(
            level=FindingLevel.WARNING,
            where=str(folder),
            what=f"'{intent.name if intent else folder.name}' was interrupted",
            fix="The next change fixes it.",
            mends_itself=True,
        )


def _locks(place: FileWorkspace) -> Iterator[WorkspaceFinding]:
    lock = place.layout.private / "lock"
    who = holder(lock)
    if who and is_held(lock) and (age := place.now() - float(who.get("since", 0))) > 60:
        yield WorkspaceFinding(
            level=FindingLevel.WARNING,
            where=str(lock),
            what=f"process {who['pid']} on {who['host']} has held it for {age:.0f} s",
            fix="If that process hangs, end it: the lock goes with it.",
        )
    for path in _foreign_locks(place):
        yield WorkspaceFinding(
            level=FindingLevel.NOTE,
            where=str(path),
            what="is a lock file that another tool left behind long ago",
            fix="Remove it.",
            mends_itself=True,
        )


def _foreign_locks(place: FileWorkspace) -> list[Path]:
    found = place.layout.communications.glob(".*.lock")
    return [path for path in found if place.now() - path.stat().st_mtime > STALE_LOCK_SECONDS]


def _temporary(place: FileWorkspace) -> list[Path]:
    return sorted(place.layout.communications.glob(".*.yaml.new"))


def _leftovers(place: FileWorkspace) -> Iterator[WorkspaceFinding]:
    if is_held(place.layout.private / "lock"):
        return
    for path in _temporary(place):
        yield WorkspaceFinding(
            level=FindingLevel.NOTE,
            where=str(path),
            what="was left behind by a change that was interrupted",
            fix="It does no harm.",
            mends_itself=True,
        )


def _log(place: FileWorkspace) -> list[WorkspaceFinding]:
    return _read(lambda: events.check(place.layout.events))


def _read(reading: Callable[[], object]) -> list[WorkspaceFinding]:
    try:
        reading()
    except StoreError as error:
        return [_error(error)]
    return []


def _error(error: StoreError) -> WorkspaceFinding:
    return WorkspaceFinding(
        level=FindingLevel.ERROR, where=error.where, what=error.what, fix=error.fix
    )


def _broken(place: FileWorkspace, error: StoreError) -> WorkspaceFinding:
    kept = len(place.backups.versions(place.layout.queue))
    fix = (
        f"Fix it, or restore the latest of {kept} backups: snaphook workspace doctor --restore "
        "queue.yaml"
    )
    return WorkspaceFinding(
        level=FindingLevel.ERROR, where=error.where, what=error.what, fix=fix if kept else error.fix
    )


def _tasks(where: str, tasks: Sequence[Task]) -> Iterator[WorkspaceFinding]:
    ids = [task.id for task in tasks]
    known = set(ids)

    def warn(what: str, fix: str) -> WorkspaceFinding:
        return WorkspaceFinding(level=FindingLevel.WARNING, where=where, what=what, fix=fix)

    for twice in (
        sorted({name for name in known if ids.count(name) > 1}) if len(known) < len(ids) else ()
    ):
        yield warn(f"'{twice}' appears {ids.count(twice)} times", "Give each task a unique id.")
    for task in tasks:
        for name in task.blocked_by:
            if name not in known:
                yield warn(
                    f"{task.id} waits for '{name}', which does not exist",
                    "It cannot be claimed: fix blockedBy.",
                )
    for ring in cycles({task.id: task.blocked_by for task in tasks}):
        yield warn(
            f"{' waits for '.join([*ring, ring[0]])}",
            "None of them can ever start: remove one dependency.",
        )


def _odd_statuses(place: FileWorkspace) -> Iterator[WorkspaceFinding]:
    found: dict[str, list[str]] = {}
    for item in place.items():
        said = str(item.get("status") or "").lower()
        if said not in SPELLINGS:
            found.setdefault(said, []).append(str(item.get("id", item.get("task_id"))))
    for spelling, names in found.items():
        yield WorkspaceFinding(
            level=FindingLevel.WARNING,
            where=str(place.layout.queue),
            what=f"{', '.join(names[:3])}: status '{spelling}' is unknown and counts as blocked",
            fix=f"Use one of: {', '.join(TaskStatus)}.",
        )


def _held(place: Workspace, tasks: Sequence[Task]) -> Iterator[WorkspaceFinding]:
    lease, now = place.settings.lease_seconds, place.now()
    held = [task for task in tasks if task.status is TaskStatus.IN_PROGRESS]
    try:
        beats = place.heartbeats()
    except StoreError:
        beats = {}
    gone = {task.id for task in claims.expired(held, beats=beats, now=now, lease=lease)}
    for task in held:
        since = instant(task.claimed_at)
        stuck = since is not None and now - since > place.settings.stuck_hours * 3600
        if task.id in gone:
            yield WorkspaceFinding(
                level=FindingLevel.WARNING,
                where=task.id,
                what=f"its holder '{task.claimed_by}' has sent no heartbeat for too long",
                fix="Release it: snaphook workspace doctor --fix",
                mends_itself=True,
            )
        elif stuck and since is not None:
            yield WorkspaceFinding(
                level=FindingLevel.WARNING,
                where=task.id,
                what=f"has been in progress for {(now - since) / 3600:.0f} hours ('{task.claimed_by}')",
                fix=f"Check with the agent, or release it: snaphook queue release {task.id}",
            )


def _folders(place: FileWorkspace, tasks: Sequence[Task]) -> Iterator[WorkspaceFinding]:
    for task, folder in _misplaced(place, tasks):
        yield WorkspaceFinding(
            level=FindingLevel.WARNING,
            where=str(folder),
            what=f"{task.id} is completed, and its folder is not",
            fix="Move it to tasks/completed.",
            mends_itself=True,
        )


def _misplaced(place: FileWorkspace, tasks: Sequence[Task]) -> list[tuple[Task, Path]]:
    done = {task.id: task for task in tasks if task.status is TaskStatus.COMPLETED}
    active = place.layout.tasks / "active"
    here = sorted(path.name for path in active.iterdir()) if active.is_dir() else []
    there = place.layout.tasks / "completed"
    return [(done[n], active / n) for n in here if n in done and not (there / n).exists()]


def _removed(paths: Sequence[Path]) -> Sequence[Path]:
    for path in paths:
        path.unlink(missing_ok=True)
    return paths
