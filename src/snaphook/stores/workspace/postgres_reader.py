"""Reading the workspace in PostgreSQL.

snaphook_task, _entry, _beat, _agent, _skill  ->  tasks, entries, heartbeats, agents, skills
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from snaphook.errors import MissingExtra, StoreError
from snaphook.storage import postgres

from . import claims, documents, events, sql
from .contract import WorkspaceSnapshot
from .layout import Layout
from .records import AgentRecord, EventEntry, Heartbeat
from .settings import WorkspaceSettings
from .task import Claim, Counts, Task, TaskStatus, task_from

try:
    import psycopg
    from psycopg.rows import tuple_row
    from psycopg.types.json import Jsonb as Jsonb
except ModuleNotFoundError as missing:
    raise MissingExtra.named("postgres", wanted_by="the workspace's database") from missing


class PostgresReader:
    """What there is of one project in a database that any number of projects and machines share."""

    def __init__(
        self,
        layout: Layout,
        settings: WorkspaceSettings,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.layout = layout
        self.settings = settings
        self.now = clock
        self.project = settings.project or layout.root.name
        self._turn = threading.RLock()
        """One thread at a time: a statement of another would belong to the transaction of the first."""
        with reported("cannot be reached"):
            self.db = self._connect()

    def snapshot(self, agent: str = "", *, entries: int = 5) -> WorkspaceSnapshot:
        """Return the state of things; a database that is away is told, never raised."""
        try:
            mine = self._rows(sql.HELD_BY, project=self.project, agent=agent) if agent else []
            waiting = self._rows(sql.NEXT, project=self.project)
            return WorkspaceSnapshot(
                counts=self.counts(),
                claimed=task_from(mine[0][0]) if mine else None,
                next=task_from(waiting[0][0]) if waiting else None,
                entries=tuple(self.entries(entries)),
                heartbeats=self.heartbeats(),
                schema="1.0.1",
            )
        except StoreError as error:
            return WorkspaceSnapshot(fresh=False, problems=(str(error),))

    def tasks(self, status: TaskStatus | None = None) -> list[Task]:
        """Return the tasks, in the order in which they were added."""
        rows = self._rows(sql.TASKS, project=self.project, status=status and status.value)
        return [task_from(body) for (body,) in rows]

    def task(self, task_id: str) -> Task | None:
        """Return the task called *task_id*."""
        body = self.item(task_id)
        return None if body is None else task_from(body)

    def item(self, task_id: str) -> dict[str, Any] | None:
        """Return everything that is kept of the task called *task_id*."""
        rows = self._rows(sql.TASK, project=self.project, id=task_id)
        return rows[0][0] if rows else None

    def counts(self) -> Counts:
        """Return how many tasks are how far."""
        return Counts(**dict(self._rows(sql.COUNTS, project=self.project)))

    def claims_of(self, agent: str) -> list[Claim]:
        """Return what *agent* holds."""
        beats, lease = self._beats_of([agent]), self.settings.lease_seconds
        held = self._rows(sql.HELD_BY, project=self.project, agent=agent)
        return [claims.standing(task_from(body), beats, lease) for (body,) in held]

    def entries(self, last: int = 5) -> list[EventEntry]:
        """Return the last entries of the log, the oldest of them first."""
        rows = self._rows(sql.ENTRIES, project=self.project, last=max(0, last))
        return [events.entry_from(body) for (body,) in reversed(rows)]

    def heartbeats(self) -> dict[str, Heartbeat]:
        """Return when each agent was last seen."""
        return documents.heartbeats_from(
            {"heartbeats": dict(self._rows(sql.BEATS, project=self.project))}
        )

    def agents(self) -> dict[str, AgentRecord]:
        """Return who is or was at work."""
        return documents.agents_from({"agents": dict(self._rows(sql.AGENTS, project=self.project))})

    def skills(self) -> Sequence[Mapping[str, Any]]:
        """Return the skill metrics."""
        return [body for (body,) in self._rows(sql.SKILLS, project=self.project)]

    def _beats_of(self, agents: Sequence[str]) -> dict[str, Heartbeat]:
        rows = self._rows(sql.BEATS_OF, project=self.project, ids=sorted(set(agents)))
        return documents.heartbeats_from({"heartbeats": dict(rows)})

    def _rows(self, query: str, **values: Any) -> list[Any]:
        with self._turn, reported("cannot be asked"):
            cursor = self.db.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def _connect(self) -> psycopg.Connection[Any]:
        return postgres.connect(
            self.settings.store,
            wanted_by="the workspace's database",
            patience=5,
            row_factory=tuple_row,
        )


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Turn an error of the database in the block into one of ours, which says *what* it did not do."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreError(
            where="the workspace's database",
            what=f"{what}: {' '.join(str(error).split())}",
            fix="Nothing was changed. Check the server and workspace.store in the settings.",
        ) from error
