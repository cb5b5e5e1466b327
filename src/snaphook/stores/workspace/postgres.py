"""The workspace in PostgreSQL, for agents on many machines.

snaphook_task, _entry, _beat, _agent, _skill, _done  <->  Workspace

A row is what the file would hold, as JSON, with columns beside it for what is searched. Claims take rows
that nobody else is looking at (``FOR UPDATE SKIP LOCKED``); every change is announced (``NOTIFY``). Run
folders and task documents stay files.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from snaphook.errors import ClaimError, UsageError

from . import claims, events, sql
from .contract import Transaction
from .fields import apply
from .journal import TransactionJournal
from .layout import Layout, safe_name
from .lock import WorkspaceLock
from .moments import instant, spelled
from .postgres_reader import Jsonb, PostgresReader, reported
from .records import AgentRecord, EventEntry, Heartbeat, SkillUse
from .settings import WorkspaceSettings
from .task import Claim, Task, TaskStatus, fields_of, task_from

if TYPE_CHECKING:
    import psycopg

CHANNEL = "snaphook_workspace"


class PostgresWorkspace(PostgresReader):
    """The workspace of one project in a database that any number of projects and machines share."""

    def __init__(
        self,
        layout: Layout,
        settings: WorkspaceSettings,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(layout, settings, clock=clock)
        self.lock = WorkspaceLock(layout.private / "lock", patience=settings.patience_seconds)
        self.journal = TransactionJournal(
            layout.private / "journal", root=layout.root, max_mb=settings.max_mb
        )
        self._depth = 0
        self._listener: psycopg.Connection[Any] | None = None
        with reported("cannot be used"), self.db.transaction():
            self.db.execute("SELECT pg_advisory_xact_lock(%s)", (sql.LOCK,))
            self.db.execute(sql.SCHEMA)
            self.db.execute(sql.TAKING)
        if self.journal.pending():
            with self.lock.held():
                self.journal.recover(self._happened)

    # The queue

    def add(self, task: Task, extra: Mapping[str, Any] | None = None) -> Task:
        """Put *task* at the end of the queue."""
        safe_name(task.id, "a task id")
        with self.changing():
            body = {**fields_of(task), **(extra or {})}
            if not self._rows(sql.ADD, **self._columns(body)):
                raise UsageError(
                    where=task.id, what="is in the queue already", fix="Choose another id."
                )
        return task

    def claim(
        self, agent: str, task_id: str = "", *, run_id: str = "", several: bool = False
    ) -> Claim | None:
        """Take a task for *agent*, the most urgent one that is free unless one is named.

        Where nothing is free, what silent agents held is.
        """
        safe_name(agent, "the name of an agent")
        take = (
            partial(self._claim_named, agent, task_id) if task_id else partial(self._claim, agent)
        )
        taken = take(run_id, several=several)
        if taken is None and self.sweep():
            taken = take(run_id, several=several)
        return taken

    def _claim(self, agent: str, run_id: str, *, several: bool) -> Claim | None:
        now = self.now()
        until = now + self.settings.lease_seconds
        fields = {"claimed_at": spelled(now), "lease_until": spelled(until)}
        entry = EventEntry(type="started", agent=agent, run_id=run_id)
        found = self._rows(
            sql.CLAIM,
            agent=agent,
            several=several,
            claim=Jsonb(fields | ({"run_id": run_id} if run_id else {})),
            **self._entry(entry, name="entry"),
        )
        if not found:
            return None
        self._announce()
        task = task_from(found[0][0])
        return Claim(
            task_id=task.id,
            agent=agent,
            token=task.token,
            until=until,
            run_id=run_id or task.run_id,
        )

    def _claim_named(self, agent: str, wanted: str, run_id: str, *, several: bool) -> Claim | None:
        lease, now = self.settings.lease_seconds, self.now()
        with self.changing():
            bodies, beats = self._candidates(agent, wanted)
            task = claims.choose(
                [task_from(body) for body in bodies],
                agent=agent,
                wanted=wanted,
                beats=beats,
                now=now,
                lease=lease,
                several=several,
            )
            assert task is not None  # bodies[0], or an error
            again = task.status is TaskStatus.IN_PROGRESS and task.claimed_by == agent
            claim, fields = claims.claimed(
                task, agent=agent, run_id=run_id, now=now, lease=lease, again=again
            )
            entry = EventEntry(type="started", task_id=task.id, agent=agent, run_id=claim.run_id)
            self._put(bodies[0], fields, *([] if again else [entry]))
        return claim

    def complete(self, claim: Claim) -> bool:
        """Complete the task; false if this claim has done so before."""
        return self.end(claim, TaskStatus.COMPLETED, claims.completed(claim, self.now()))

    def block(self, claim: Claim, reason: str) -> bool:
        """Say that the task must wait, and for what; false if it waits already."""
        return self.end(claim, TaskStatus.BLOCKED, claims.blocked(reason), notes=reason)

    def release(self, claim: Claim) -> bool:
        """Give the task back; false if it is back already."""
        return self.end(claim, TaskStatus.PENDING, claims.released(), type_="released")

    def end(
        self,
        claim: Claim,
        status: TaskStatus,
        fields: Mapping[str, Any],
        *,
        notes: str = "",
        type_: str = "",
        silent: bool = False,
    ) -> bool:
        """Bring the task of *claim* to *status*; false if this claim has done so before."""
        entry = claims.entry_for(claim, type_ or status.value, notes)
        ended = self._rows(
            sql.END,
            id=claim.task_id,
            agent=claim.agent,
            token=str(claim.token),
            status=status.value,
            fields=Jsonb({name: value for name, value in fields.items() if value is not None}),
            without=[name for name, value in fields.items() if value is None],
            silent=silent,
            **self._entry(entry, name="entry"),
        )
        if ended:
            self._announce()
            return True
        with self.changing():
            body = self._locked(claim.task_id)
            task = None if body is None else task_from(body)
            if claims.already(task, claim, status):
                return False
            claims.check(task, claim)
            assert body is not None
            self._put(body, fields, *([] if silent else [entry]))
        return True

    def reopen(self, task_id: str) -> Task:
        """Let anybody take *task_id*, whoever held it and whatever blocked it."""
        with self.changing():
            body = self._locked(claims.resolve(self.tasks(), task_id).id)
            assert body is not None
            found = task_from(body)
            if found.status in {TaskStatus.COMPLETED, TaskStatus.CANCELLED}:
                raise ClaimError(
                    where=found.id, what=f"is {found.status}", fix="Add a new task instead."
                )
            entry = EventEntry(type="released", task_id=found.id, notes="by hand")
            self._put(body, claims.released(), entry)
        after = self.task(found.id)
        assert after is not None
        return after

    def sweep(self) -> list[Task]:
        """Give back what agents held that have been silent too long; return those tasks."""
        with self.changing():
            rows = self._rows(sql.HELD, project=self.project)
            held = {
                task.id: (task, body) for body in (b for (b,) in rows) for task in [task_from(body)]
            }
            gone = claims.expired(
                [task for task, _ in held.values()],
                beats=self._beats_of([task.claimed_by for task, _ in held.values()]),
                now=self.now(),
                lease=self.settings.lease_seconds,
            )
            for task in gone:
                self._put(held[task.id][1], claims.released(), claims.entry_for_silence(task))
        return gone

    # The rest

    def beat(self, agent: str, beat: Heartbeat | None = None) -> None:
        """Say that *agent* is alive, which extends what it holds."""
        safe_name(agent, "the name of an agent")
        news = replace(beat or Heartbeat(), last_seen=spelled(self.now()))
        with self.changing():
            self._rows(
                sql.BEAT, project=self.project, id=agent, body=Jsonb(msgspec.to_builtins(news))
            )

    def set_agent(self, agent: AgentRecord) -> None:
        """Say where *agent* stands."""
        with self.changing():
            body = {"status": agent.status, **msgspec.to_builtins(agent)}
            body.pop("id")
            self._rows(sql.SET_AGENT, project=self.project, id=agent.id, body=Jsonb(body))

    def record_skill(self, use: SkillUse) -> None:
        """Add to the skill metrics; a second report on a task replaces the first."""
        use = use if use.timestamp else replace(use, timestamp=spelled(self.now()))
        with self.changing():
            body = Jsonb(msgspec.to_builtins(use))
            self._rows(sql.SKILL, project=self.project, id=use.task_id, body=body)

    def log(self, entry: EventEntry) -> None:
        """Add *entry* to the log."""
        with self.changing():
            self._rows(sql.LOG, **self._entry(entry))

    @contextmanager
    def transaction(self, name: str, *, once: str = "") -> Iterator[Transaction]:
        """Make several changes as one, at the end of the block."""
        from .postgres_transaction import PostgresTransaction

        change = PostgresTransaction(self, name, once)
        yield change
        change.commit()

    def refresh(self) -> None:
        """Nothing is counted ahead of time."""

    def wait(self, seconds: float) -> bool:
        """Wait until this project's workspace has changed, *seconds* at the most."""
        with reported("cannot be listened to"):
            if self._listener is None:
                self._listener = self._connect()
                self._listener.execute(f"LISTEN {CHANNEL}")
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0:
                for said in self._listener.notifies(timeout=left, stop_after=1):
                    if said.payload == self.project:
                        return True
        return False

    def close(self) -> None:
        """Hang up."""
        self.db.close()
        if self._listener is not None:
            self._listener.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Make the changes of the block together, and announce them."""
        with self._turn:
            if self._depth:
                yield
                return
            self._depth += 1
            try:
                with reported("refused a change"), self.db.transaction():
                    yield
            finally:
                self._depth -= 1
            self._announce()

    def _announce(self) -> None:
        """Wake up whoever waits for a change, once the outermost block has made it.

        In a transaction of its own that waits for no disk: PostgreSQL lets only one transaction with a
        NOTIFY commit at a time, so every change in the database would wait for every other one's flush.
        What a crash in between loses is a wake-up, and waiting ends by itself.
        """
        if not self._depth:
            self._rows(sql.NOTIFY, channel=CHANNEL, project=self.project)

    def remember(self, key: str) -> bool:
        """Write down that *key* has happened; false if it had before."""
        return bool(self._rows(sql.DONE, project=self.project, id=key, at=self.now()))

    def _happened(self, key: str) -> bool:
        return bool(self._rows(sql.IS_DONE, project=self.project, id=key))

    def has_happened(self, key: str) -> bool:
        """Say whether *key* was written down."""
        return self._happened(key)

    def _candidates(
        self, agent: str, wanted: str
    ) -> tuple[list[dict[str, Any]], dict[str, Heartbeat]]:
        """Return the task *wanted*, locked, and what a claim of it must know of: tasks, heartbeats."""
        self._rows(sql.ONE_AT_A_TIME, who=f"{self.project}/{agent}")
        ids = [Task(id=name) for (name,) in self._rows(sql.IDS, project=self.project)]
        target = self._locked(claims.resolve(ids, wanted).id)
        assert target is not None
        task = task_from(target)
        held = self._rows(sql.HELD_BY, project=self.project, agent=agent)
        before = self._rows(sql.NAMED, project=self.project, ids=list(task.blocked_by))
        others = [body for (body,) in (*held, *before) if task_from(body).id != task.id]
        return [target, *others], self._beats_of([task.claimed_by])

    def _locked(self, task_id: str) -> dict[str, Any] | None:
        rows = self._rows(sql.LOCKED, project=self.project, id=task_id)
        return rows[0][0] if rows else None

    def _put(
        self, body: Mapping[str, Any], fields: Mapping[str, Any], *entries: EventEntry
    ) -> None:
        """Write *body* with *fields* changed, and what the log says of that."""
        self._rows(sql.UPDATE, **self._columns(apply(body, fields)))
        for entry in entries:
            self._rows(sql.LOG, **self._entry(entry))

    def _entry(self, entry: EventEntry, *, name: str = "body") -> dict[str, Any]:
        entry = entry if entry.timestamp else replace(entry, timestamp=spelled(self.now()))
        moment = instant(entry.timestamp) or self.now()
        return {"project": self.project, "at": moment, name: Jsonb(events.row_from(entry))}

    def _columns(self, body: Mapping[str, Any]) -> dict[str, Any]:
        task = task_from(body)
        rank, score = task.urgency
        return {
            "project": self.project,
            "id": task.id,
            "status": task.status.value,
            "claimed_by": task.claimed_by,
            "rank": rank,
            "score": score,
            "blocked_by": list(task.blocked_by),
            "body": Jsonb(dict(body)),
        }
