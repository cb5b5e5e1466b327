"""Bringing files and database to the same state, both ways.

files + database + what was the same last time  ->  SyncReport

The rule, for each task. What changed on one side only goes to the other. Where both sides changed it, the
later claim wins (the higher token), then the one that is further (completed before in progress before the
rest), then the database. A task that one side lacks is put there: nothing is ever deleted. Of signs of life
and of agents the later word counts; log entries of each side are added to the other's, once.
"""

import socket
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import StoreError

from . import documents, events
from .disk import write
from .files import FileWorkspace
from .opening import locate
from .postgres_copy import SharedWorkspace
from .queue import Queue, with_new, with_task
from .settings import WorkspaceSettings
from .steps import digest
from .task import TaskStatus, task_from

_FURTHER = {TaskStatus.COMPLETED: 2, TaskStatus.IN_PROGRESS: 1}
SAME = "synced.json"


class Side(StrEnum):
    """Where a version comes from."""

    FILES = "files"
    DATABASE = "database"


class Conflict(Struct, frozen=True, kw_only=True):
    """A task that both sides had changed."""

    task_id: str
    kept: Side


class SyncReport(Struct, frozen=True, kw_only=True):
    """What a synchronisation did."""

    to_database: int
    to_files: int
    conflicts: tuple[Conflict, ...] = ()


class Same(Struct, kw_only=True):
    """What was the same on both sides last time, and how far the logs had been exchanged."""

    tasks: dict[str, str] = {}
    offset: int = 0
    count: int = 0
    """How many rows the file's log had, where an offset cannot tell."""
    seq: int = 0


def synchronise(start: Path, settings: WorkspaceSettings, url: str) -> SyncReport:
    """Bring the workspace found from *start* and its copy at *url* to the same state."""
    layout = locate(start, settings)
    files = FileWorkspace(layout, settings)
    shared = SharedWorkspace(layout, msgspec.structs.replace(settings, store=url))
    try:
        return Exchange(files, shared).run()
    finally:
        shared.close()


class Exchange:
    """One meeting of *files* and *shared*."""

    def __init__(self, files: FileWorkspace, shared: SharedWorkspace) -> None:
        self._files = files
        self._shared = shared
        self._kept = files.layout.private / SAME
        self._to = {Side.DATABASE: 0, Side.FILES: 0}
        self._conflicts: list[Conflict] = []

    def run(self) -> SyncReport:
        """Exchange everything, while nobody else changes the files."""
        with self._files.locked(), self._files.log_locked():
            same = self._same()
            with self._shared.changing():
                same.tasks = self._tasks(same.tasks)
                self._latest()
                self._entries(same)
            write(self._kept, msgspec.json.encode(same).decode())
        return SyncReport(
            to_database=self._to[Side.DATABASE],
            to_files=self._to[Side.FILES],
            conflicts=tuple(self._conflicts),
        )

    def _tasks(self, same: Mapping[str, str]) -> dict[str, str]:
        queue = self._files.queue.read()
        here = {_id(item): item for item in queue.items}
        if len(here) < len(queue.rows):
            raise StoreError(
                where=str(queue.where),
                what="contains a queue of one task, or a duplicate id",
                fix="This queue cannot be synced. See: snaphook workspace doctor",
            )
        there = {_id(item): item for item in self._shared.all_items()}
        before = queue
        agreed: dict[str, str] = {}
        for name in [*here, *(name for name in there if name not in here)]:
            side = self._newer(name, here.get(name), there.get(name), same.get(name))
            chosen = there[name] if side is Side.DATABASE else here[name]
            if _plain(here.get(name)) != _plain(chosen):
                queue = self._into_files(queue, name, here.get(name), chosen)
            if _plain(there.get(name)) != _plain(chosen):
                self._shared.put({**chosen, "id": name})
                self._to[Side.DATABASE] += 1
            agreed[name] = _digest(chosen)
        if queue.text != before.text:
            self._files.queue.write(queue)
        return agreed

    def _newer(
        self,
        name: str,
        here: Mapping[str, Any] | None,
        there: Mapping[str, Any] | None,
        same: str | None,
    ) -> Side:
        if here is None or there is None:
            return Side.DATABASE if here is None else Side.FILES
        if _plain(here) == _plain(there) or _digest(there) == same:
            return Side.FILES
        if _digest(here) == same:
            return Side.DATABASE
        mine, theirs = task_from(here), task_from(there)
        rank = [(task.token, _FURTHER.get(task.status, 0)) for task in (mine, theirs)]
        kept = Side.FILES if rank[0] > rank[1] else Side.DATABASE
        self._conflicts.append(Conflict(task_id=name, kept=kept))
        return kept

    def _into_files(
        self, queue: Queue, name: str, here: Mapping[str, Any] | None, chosen: Mapping[str, Any]
    ) -> Queue:
        self._to[Side.FILES] += 1
        if here is None:
            return with_new(
                queue, {"id": name, **{k: v for k, v in chosen.items() if k not in _IDS}}
            )
        position = queue.position(name)
        assert position is not None
        gone = dict.fromkeys(key for key in here if key not in chosen and key not in _IDS)
        news = {k: v for k, v in chosen.items() if k not in _IDS and here.get(k) != v}
        return with_task(queue, position, {**gone, **news})

    def _latest(self) -> None:
        """Exchange signs of life and agents: of two words on the same, the later one counts."""
        beats, theirs = self._files.heartbeats(), self._shared.heartbeats()
        for name in {*beats, *theirs}:
            mine, other = beats.get(name), theirs.get(name)
            if other and (mine is None or other.last_seen > mine.last_seen):
                news = other
                self._files.yaml_files.change(
                    self._files.layout.heartbeat,
                    documents.NEW_HEARTBEATS,
                    lambda held, name=name, news=news: documents.add_heartbeat(held, name, news),  # type: ignore[misc]
                )
            elif mine and (other is None or mine.last_seen > other.last_seen):
                self._shared.put_beat(name, mine)
        agents, others = self._files.agents(), self._shared.agents()
        for name in {*agents, *others}:
            a, b = agents.get(name), others.get(name)
            if b and (a is None or _when(b) > _when(a)):
                self._files.set_agent(b)
            elif a and (b is None or _when(a) > _when(b)):
                self._shared.set_agent(a)

    def _entries(self, same: Same) -> None:
        """Add each side's new rows to the other's log; what was brought here is not brought back."""
        path = self._files.layout.events
        origin = f"{socket.gethostname()}:{self._files.layout.root}"
        mine = self._new_rows(path, same)
        theirs, newest = self._shared.entries_after(same.seq, origin)
        for row in mine:
            self._shared.add_entry(row, origin)
        for row in theirs:
            events.append(path, row, max_mb=self._files.settings.max_mb)
        same.offset, same.seq = events.end_of(path), newest
        same.count = 0 if same.offset else len(self._all_rows(path))
        self._to[Side.DATABASE] += len(mine)
        self._to[Side.FILES] += len(theirs)

    def _new_rows(self, path: Path, same: Same) -> list[dict[str, Any]]:
        size = path.stat().st_size if path.exists() else 0
        if 0 < same.offset <= size:
            return events.rows_after(path, same.offset)
        return self._all_rows(path)[same.count :]

    def _all_rows(self, path: Path) -> list[dict[str, Any]]:
        return events.all_rows(path, max_mb=self._files.settings.max_mb)

    def _same(self) -> Same:
        try:
            return msgspec.json.decode(self._kept.read_bytes(), type=Same)
        except (OSError, msgspec.MsgspecError):
            return Same()


_IDS = ("id", "task_id")


def _id(item: Mapping[str, Any]) -> str:
    return str(item.get("id", item.get("task_id", "")))


def _plain(item: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return *item* without the key it is known by, which each queue spells in its own way."""
    return None if item is None else {k: v for k, v in item.items() if k not in _IDS}


def _digest(item: Mapping[str, Any]) -> str:
    plain = _plain(item)
    return digest(msgspec.json.encode(plain, order="deterministic"))


def _when(agent: Any) -> str:
    return str(max(agent.started_at, agent.stopped_at))
