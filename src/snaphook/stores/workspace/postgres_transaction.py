"""A transaction over the database and local folders.

changes noted in the block  ->  intent on disk  ->  the database commits  ->  files and folders

The database has the last word: it commits under the journal's id, and whoever finds the intent after a
death asks it whether that happened.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from . import claims
from .file_changes import FileChanges
from .records import AgentRecord, EventEntry, SkillUse
from .task import Claim, TaskStatus

if TYPE_CHECKING:
    from .postgres import PostgresWorkspace


class _DoneElsewhere(Exception):  # noqa: N818 - it is no error
    """Another machine has made the same changes a moment ago."""


class PostgresTransaction(FileChanges):
    """Changes that are noted first and made together."""

    def __init__(self, workspace: "PostgresWorkspace", name: str, once: str) -> None:
        super().__init__(workspace.layout)
        self._workspace = workspace
        self._name = name
        self._once = once
        self._changes: list[Callable[[], object]] = []

    @property
    def done_before(self) -> bool:
        """Say whether these changes were made by an earlier transaction with the same key."""
        return bool(self._once) and self._workspace.has_happened(self._once)

    def complete(self, claim: Claim) -> None:
        """Complete the task that *claim* holds."""
        self._end(claim, TaskStatus.COMPLETED, claims.completed(claim, self._workspace.now()))

    def block(self, claim: Claim, reason: str) -> None:
        """Say that the task *claim* holds must wait, and for what."""
        self._end(claim, TaskStatus.BLOCKED, claims.blocked(reason))

    def release(self, claim: Claim) -> None:
        """Give the task back."""
        self._end(claim, TaskStatus.PENDING, claims.released())

    def log(self, entry: EventEntry) -> None:
        """Add *entry* to the log."""
        self._changes.append(lambda: self._workspace.log(entry))

    def record_skill(self, use: SkillUse) -> None:
        """Add to the skill metrics."""
        self._changes.append(lambda: self._workspace.record_skill(use))

    def set_agent(self, agent: AgentRecord) -> None:
        """Say where *agent* stands."""
        self._changes.append(lambda: self._workspace.set_agent(agent))

    def commit(self) -> None:
        """Make the changes, all or none."""
        place = self._workspace
        with place.lock.held():
            if self.done_before:
                return
            steps, contents = self.plan({})
            with contextlib.suppress(_DoneElsewhere):
                if steps:
                    place.journal.run(self._name, steps, contents, decide=self._make)
                else:
                    self._make("")

    def _make(self, identity: str) -> None:
        place = self._workspace
        with place.changing():
            if self._once and not place.remember(self._once):
                raise _DoneElsewhere
            if identity:
                place.remember(identity)
            for change in self._changes:
                change()

    def _end(self, claim: Claim, status: TaskStatus, fields: Mapping[str, Any]) -> None:
        place = self._workspace
        self._changes.append(lambda: place.end(claim, status, fields, silent=True))
