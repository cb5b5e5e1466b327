"""The workspace in files, for the agents of one machine.

queue.yaml, events.yaml, heartbeat.yaml, agent-state.yaml, skill-metrics.yaml  <->  Workspace

Every change: the lock, the present version read and checked, the new one checked, a backup, and a rename. A
file that cannot be read is reported and left as it is.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from snaphook.errors import ClaimError, StoreError, UsageError

from . import claims, documents, events
from .backups import Backups
from .contract import Transaction, WorkspaceSnapshot
from .disk import stamp_of
from .file_transaction import FileTransaction
from .journal import TransactionJournal
from .layout import Layout, safe_name
from .lock import WorkspaceLock
from .moments import spelled
from .queue import Queue, ended, with_new, with_task
from .queue_file import QueueFile
from .records import AgentRecord, EventEntry, Heartbeat, SkillUse
from .settings import WorkspaceSettings
from .task import Claim, Counts, Task, TaskStatus, count, fields_of
from .yaml_files import YamlFiles

POLL = 0.1
Said = TypeVar("Said")


class FileWorkspace:
    """A workspace at *layout*; opening it puts right what a killed transaction left."""

    def __init__(
        self,
        layout: Layout,
        settings: WorkspaceSettings | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.layout = layout
        self.settings = settings or WorkspaceSettings()
        self.now = clock
        private = layout.private
        patience = self.settings.patience_seconds
        self._lock = WorkspaceLock(private / "lock", patience=patience)
        self._log_lock = WorkspaceLock(private / "events.lock", patience=patience)
        self.backups = Backups(private / "backups", keep=self.settings.backups)
        self.journal = TransactionJournal(
            private / "journal", root=layout.root, max_mb=self.settings.max_mb
        )
        kept: Any = {
            "indexes": private / "index",
            "backups": self.backups,
            "max_mb": self.settings.max_mb,
        }
        self.queue = QueueFile(layout.queue, **kept)
        self.yaml_files = YamlFiles(**kept)
        if self.journal.pending():
            with self.locked():
                pass

    # What is so

    def snapshot(self, agent: str = "", *, entries: int = 5) -> WorkspaceSnapshot:
        """Return the state of things, cheaply; what cannot be read is told, never raised."""
        told: dict[str, Any] = {}
        problems: list[str] = []
        with _told(problems):
            summary, fresh = self.queue.summary()
            mine = [task for task in summary.held if agent and task.claimed_by == agent]
            told |= {"counts": summary.counts, "next": summary.next, "schema": summary.schema}
            told |= {"claimed": next(iter(mine), None), "held": summary.held, "fresh": fresh}
        with _told(problems):
            told["entries"] = tuple(self.entries(entries))
            if not self.layout.events.exists():
                problems.append(
                    f"{self.layout.events}: does not exist. Run: snaphook workspace init"
                )
        with _told(problems):
            told["heartbeats"] = self.heartbeats()
        return WorkspaceSnapshot(**told, problems=tuple(problems))

    def tasks(self, status: TaskStatus | None = None) -> list[Task]:
        """Return the tasks, in the order of the queue."""
        return [t for t in self.queue.read().tasks if status is None or t.status is status]

    def task(self, task_id: str) -> Task | None:
        """Return the task called *task_id*."""
        return next((task for task in self.tasks() if task.id == task_id), None)

    def counts(self) -> Counts:
        """Return how many tasks are how far."""
        return count(self.tasks())

    def items(self) -> list[dict[str, Any]]:
        """Return everything that the queue says of each task, also what only its readers know."""
        return self.queue.read().items

    def claims_of(self, agent: str) -> list[Claim]:
        """Return what *agent* holds."""
        beats, lease = self.heartbeats(), self.settings.lease_seconds
        return [
            claims.standing(task, beats, lease)
            for task in self.tasks(TaskStatus.IN_PROGRESS)
            if task.claimed_by == agent
        ]

    def entries(self, last: int = 5) -> list[EventEntry]:
        """Return the last entries of the log, the oldest of them first."""
        return events.last(self.layout.events, last)

    def heartbeats(self) -> dict[str, Heartbeat]:
        """Return when each agent was last seen."""
        return documents.heartbeats_from(self.yaml_files.read(self.layout.heartbeat))

    def agents(self) -> dict[str, AgentRecord]:
        """Return who is or was at work."""
        return documents.agents_from(self.yaml_files.read(self.layout.agents))

    def skills(self) -> Sequence[Mapping[str, Any]]:
        """Return the skill metrics."""
        return documents.skills_from(self.yaml_files.read(self.layout.skills))

    # The queue

    def add(self, task: Task, extra: Mapping[str, Any] | None = None) -> Task:
        """Put *task* at the end of the queue."""
        safe_name(task.id, "a task id")
        fields = {**fields_of(task), **(extra or {})}

        def change(queue: Queue) -> tuple[Queue, Task]:
            if queue.position(task.id) is not None:
                raise UsageError(
                    where=task.id, what="is in the queue already", fix="Choose another id."
                )
            return with_new(queue, fields), task

        return self._queue_changed(change)

    def claim(
        self, agent: str, task_id: str = "", *, run_id: str = "", several: bool = False
    ) -> Claim | None:
        """Take a task for *agent*, the most urgent one that is free unless one is named.

        Where nothing is free, what silent agents held is.
        """
        taken = self._claim(agent, task_id, run_id, several=several)
        if taken is None and self.sweep():
            taken = self._claim(agent, task_id, run_id, several=several)
        return taken

    def _claim(self, agent: str, task_id: str, run_id: str, *, several: bool) -> Claim | None:
        lease = self.settings.lease_seconds

        def change(queue: Queue) -> tuple[Queue, tuple[Claim, bool] | None]:
            now, beats = self.now(), self.heartbeats()
            task = claims.choose(
                queue.tasks,
                agent=agent,
                wanted=task_id,
                beats=beats,
                now=now,
                lease=lease,
                several=several,
            )
            if task is None:
                return queue, None
            again = task.status is TaskStatus.IN_PROGRESS and task.claimed_by == agent
            claim, fields = claims.claimed(
                task, agent=agent, run_id=run_id, now=now, lease=lease, again=again
            )
            return with_task(queue, _position(queue, task), fields), (claim, again)

        taken = self._queue_changed(change)
        if taken is None:
            return None
        claim, again = taken
        if not again:
            self.log(
                EventEntry(type="started", task_id=claim.task_id, agent=agent, run_id=claim.run_id)
            )
        return claim

    def complete(self, claim: Claim) -> bool:
        """Complete the task; false if this claim has done so before."""
        return self._ended(claim, TaskStatus.COMPLETED, claims.completed(claim, self.now()))

    def block(self, claim: Claim, reason: str) -> bool:
        """Say that the task must wait, and for what; false if it waits already."""
        return self._ended(claim, TaskStatus.BLOCKED, claims.blocked(reason), notes=reason)

    def release(self, claim: Claim) -> bool:
        """Give the task back; false if it is back already."""
        return self._ended(claim, TaskStatus.PENDING, claims.released(), type_="released")

    def reopen(self, task_id: str) -> Task:
        """Let anybody take *task_id*, whoever held it and whatever blocked it."""

        def change(queue: Queue) -> tuple[Queue, Task]:
            task = claims.resolve(queue.tasks, task_id)
            if task.status in {TaskStatus.COMPLETED, TaskStatus.CANCELLED}:
                raise ClaimError(
                    where=task.id, what=f"is {task.status}", fix="Add a new task instead."
                )
            position = _position(queue, task)
            after = with_task(queue, position, claims.released())
            return after, after.rows[position].task

        task = self._queue_changed(change)
        self.log(EventEntry(type="released", task_id=task.id, notes="by hand"))
        return task

    def sweep(self) -> list[Task]:
        """Give back what agents held that have been silent too long; return those tasks."""

        def change(queue: Queue) -> tuple[Queue, list[Task]]:
            gone = claims.expired(
                queue.tasks,
                beats=self.heartbeats(),
                now=self.now(),
                lease=self.settings.lease_seconds,
            )
            for task in gone:
                queue = with_task(queue, _position(queue, task), claims.released())
            return queue, gone

        returned = self._queue_changed(change)
        for task in returned:
            self.log(claims.entry_for_silence(task))
        return returned

    # The small files

    def beat(self, agent: str, beat: Heartbeat | None = None) -> None:
        """Say that *agent* is alive, which extends what it holds."""
        safe_name(agent, "the name of an agent")
        news = replace(beat or Heartbeat(), last_seen=spelled(self.now()))
        self._change(
            self.layout.heartbeat,
            documents.NEW_HEARTBEATS,
            lambda held: documents.add_heartbeat(held, agent, news),
        )

    def set_agent(self, agent: AgentRecord) -> None:
        """Say where *agent* stands."""
        now = spelled(self.now())
        self._change(
            self.layout.agents,
            documents.NEW_AGENTS,
            lambda held: documents.set_agent(held, agent, now),
        )

    def record_skill(self, use: SkillUse) -> None:
        """Add to the skill metrics; a second report on a task replaces the first."""
        use = self.dated(use)
        self._change(
            self.layout.skills, documents.NEW_SKILLS, lambda held: documents.add_skill(held, use)
        )

    def log(self, entry: EventEntry) -> None:
        """Add *entry* to the log."""
        row = events.row_from(self.timed(entry))
        with self.log_locked():
            events.append(self.layout.events, row, max_mb=self.settings.max_mb)

    def timed(self, entry: EventEntry) -> EventEntry:
        """Return *entry* with the time, if it had none."""
        return entry if entry.timestamp else replace(entry, timestamp=spelled(self.now()))

    def dated(self, use: SkillUse) -> SkillUse:
        """Return *use* with the time, if it had none."""
        return use if use.timestamp else replace(use, timestamp=spelled(self.now()))

    # All together

    @contextmanager
    def transaction(self, name: str, *, once: str = "") -> Iterator[Transaction]:
        """Make several changes as one, at the end of the block."""
        change = FileTransaction(self, name, once)
        yield change
        change.commit()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the right to change things, once what others left undone is put right."""
        with self._lock.held() as outermost:
            if outermost and self.journal.pending():
                with self.log_locked():
                    for said in self.journal.recover():
                        row = events.row_from(self.timed(EventEntry(type="recovered", notes=said)))
                        events.append(self.layout.events, row, max_mb=self.settings.max_mb)
            yield

    @contextmanager
    def log_locked(self) -> Iterator[None]:
        """Hold the right to add to the log."""
        with self._log_lock.held():
            yield

    def refresh(self) -> None:
        """Count again what a snapshot found to be out of date."""
        self.queue.read()

    def wait(self, seconds: float) -> bool:
        """Wait until the queue or the log has changed, *seconds* at the most."""
        watched = (self.layout.queue, self.layout.events, self.layout.agents)
        before, until = [stamp_of(path) for path in watched], time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(POLL, left))
            if [stamp_of(path) for path in watched] != before:
                return True
        return False

    def close(self) -> None:
        """Nothing is open between calls."""

    def _queue_changed(self, change: Callable[[Queue], tuple[Queue, Said]]) -> Said:
        with self.locked():
            before = self.queue.read()
            after, said = change(before)
            if after.text != before.text:
                self.queue.write(after)
            return said

    def _change(self, path: Path, empty: str, change: Callable[[Any], None]) -> None:
        with self.locked():
            self.yaml_files.change(path, empty, change)

    def _ended(
        self,
        claim: Claim,
        status: TaskStatus,
        fields: Mapping[str, Any],
        *,
        notes: str = "",
        type_: str = "",
    ) -> bool:
        def change(queue: Queue) -> tuple[Queue, bool]:
            after = ended(queue, claim, status, fields)
            return after, after is not queue

        done = self._queue_changed(change)
        if done:
            self.log(claims.entry_for(claim, type_ or status.value, notes))
        return done


def _position(queue: Queue, task: Task) -> int:
    found = queue.position(task.id)
    assert found is not None
    return found


@contextmanager
def _told(problems: list[str]) -> Iterator[None]:
    """Turn what goes wrong in the block into a sentence in *problems*."""
    try:
        yield
    except (StoreError, OSError) as error:
        problems.append(str(error))
