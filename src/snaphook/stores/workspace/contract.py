"""What a workspace is, whoever keeps it.

Workspace  =  a queue with claims  +  a log  +  signs of life  +  transactions

Two keep it: files, for the agents of one machine, and PostgreSQL, for those of many. Run folders and task
documents are files in both. Every method is synchronous and may touch the disk: call it from a thread.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from .layout import Layout
from .records import AgentRecord, EventEntry, Heartbeat, SkillUse
from .settings import WorkspaceSettings
from .task import Claim, Counts, Task, TaskStatus


class WorkspaceSnapshot(Struct, frozen=True, kw_only=True):
    """What a session is told at its start; made without waiting for anybody."""

    counts: Counts = Counts()
    claimed: Task | None = None
    """What the asking agent holds."""
    held: tuple[Task, ...] = ()
    """What anybody holds."""
    next: Task | None = None
    """What it would get, should it claim."""
    entries: tuple[EventEntry, ...] = ()
    heartbeats: Mapping[str, Heartbeat] = {}
    schema: str = ""
    fresh: bool = True
    """Whether the counts are those of this moment; large files are counted again in the background."""
    problems: tuple[str, ...] = ()
    """What is missing or cannot be read: where, what, what to do."""


class Transaction(Protocol):
    """Changes that happen together or not at all, at the end of the block that made them."""

    @property
    def done_before(self) -> bool:
        """Say whether these changes were made by an earlier transaction with the same key."""

    def complete(self, claim: Claim) -> None:
        """Complete the task that *claim* holds."""

    def block(self, claim: Claim, reason: str) -> None:
        """Say that the task *claim* holds must wait, and for what."""

    def release(self, claim: Claim) -> None:
        """Give the task back."""

    def log(self, entry: EventEntry) -> None:
        """Add *entry* to the log."""

    def record_skill(self, use: SkillUse) -> None:
        """Add to the skill metrics."""

    def set_agent(self, agent: AgentRecord) -> None:
        """Say where *agent* stands."""

    def write(self, path: Path, text: str) -> None:
        """Put *text* in the place of the file at *path*."""

    def move(self, source: Path, target: Path) -> None:
        """Rename a file or a folder."""

    def move_task(self, task_id: str, *, to: str = "completed") -> None:
        """Move the folder of *task_id* among those that are *to*, if it has one and is elsewhere."""


class Workspace(Protocol):
    """Where agents share their work."""

    @property
    def layout(self) -> Layout:
        """Return where the files are."""

    @property
    def settings(self) -> WorkspaceSettings:
        """Return what was set for it."""

    @property
    def now(self) -> Callable[[], float]:
        """Return the clock it goes by."""

    def snapshot(self, agent: str = "", *, entries: int = 5) -> WorkspaceSnapshot:
        """Return the state of things, cheaply; what cannot be read is told, never raised."""

    def tasks(self, status: TaskStatus | None = None) -> list[Task]:
        """Return the tasks, in the order of the queue."""

    def task(self, task_id: str) -> Task | None:
        """Return the task called *task_id*."""

    def counts(self) -> Counts:
        """Return how many tasks are how far."""

    def claims_of(self, agent: str) -> list[Claim]:
        """Return what *agent* holds: how a later process takes up where an earlier one left off."""

    def add(self, task: Task, extra: Mapping[str, Any] | None = None) -> Task:
        """Put *task* at the end of the queue; *extra* are fields that only its readers know."""

    def claim(
        self, agent: str, task_id: str = "", *, run_id: str = "", several: bool = False
    ) -> Claim | None:
        """Take a task for *agent*, the most urgent one that is free unless one is named.

        An agent that holds one gets the same claim again. ``None``: nothing is free.
        """

    def complete(self, claim: Claim) -> bool:
        """Complete the task; false if this claim has done so before."""

    def block(self, claim: Claim, reason: str) -> bool:
        """Say that the task must wait, and for what; false if it waits already."""

    def release(self, claim: Claim) -> bool:
        """Give the task back; false if it is back already."""

    def reopen(self, task_id: str) -> Task:
        """Let anybody take *task_id*, whoever held it and whatever blocked it: a person's decision."""

    def beat(self, agent: str, beat: Heartbeat | None = None) -> None:
        """Say that *agent* is alive, which extends what it holds."""

    def heartbeats(self) -> dict[str, Heartbeat]:
        """Return when each agent was last seen."""

    def sweep(self) -> list[Task]:
        """Give back what agents held that have been silent too long; return those tasks."""

    def log(self, entry: EventEntry) -> None:
        """Add *entry* to the log."""

    def entries(self, last: int = 5) -> list[EventEntry]:
        """Return the last entries of the log, the oldest of them first."""

    def agents(self) -> dict[str, AgentRecord]:
        """Return who is or was at work."""

    def set_agent(self, agent: AgentRecord) -> None:
        """Say where *agent* stands."""

    def record_skill(self, use: SkillUse) -> None:
        """Add to the skill metrics; a second report on a task replaces the first."""

    def skills(self) -> Sequence[Mapping[str, Any]]:
        """Return the skill metrics."""

    def transaction(self, name: str, *, once: str = "") -> AbstractContextManager[Transaction]:
        """Make several changes as one.

        With *once*, a second transaction with the same key changes nothing: what was started twice
        happens once.
        """

    def refresh(self) -> None:
        """Count again, however long it takes, what a snapshot found to be out of date."""

    def wait(self, seconds: float) -> bool:
        """Wait until something has changed, *seconds* at the most; say whether something has."""

    def close(self) -> None:
        """Let go of whatever is open."""
