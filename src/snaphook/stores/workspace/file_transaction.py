"""A transaction over files and folders.

changes noted in the block  ->  steps  ->  the journal
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from . import claims, documents, events
from .file_changes import FileChanges
from .moments import spelled
from .queue import Queue, ended
from .records import AgentRecord, EventEntry, SkillUse
from .steps import Append, Replace
from .task import Claim, TaskStatus

if TYPE_CHECKING:
    from .files import FileWorkspace

KEPT_KEYS = 2_000
"""How many transactions with a key are remembered."""


class FileTransaction(FileChanges):
    """Changes that are noted first and made together."""

    def __init__(self, workspace: "FileWorkspace", name: str, once: str) -> None:
        super().__init__(workspace.layout)
        self._workspace = workspace
        self._name = name
        self._once = once
        self._queue: list[Callable[[Queue], Queue]] = []
        self._documents: dict[Path, tuple[str, list[Callable[[Any], None]]]] = {}
        self._entries: list[EventEntry] = []

    @property
    def done_before(self) -> bool:
        """Say whether these changes were made by an earlier transaction with the same key."""
        return bool(self._once) and self._once in self._keys()

    def complete(self, claim: Claim) -> None:
        """Complete the task that *claim* holds."""
        fields = claims.completed(claim, self._workspace.now())
        self._end(claim, TaskStatus.COMPLETED, fields)

    def block(self, claim: Claim, reason: str) -> None:
        """Say that the task *claim* holds must wait, and for what."""
        self._end(claim, TaskStatus.BLOCKED, claims.blocked(reason))

    def release(self, claim: Claim) -> None:
        """Give the task back."""
        self._end(claim, TaskStatus.PENDING, claims.released())

    def log(self, entry: EventEntry) -> None:
        """Add *entry* to the log."""
        self._entries.append(self._workspace.timed(entry))

    def record_skill(self, use: SkillUse) -> None:
        """Add to the skill metrics."""
        use = self._workspace.dated(use)
        self._note(
            self._workspace.layout.skills,
            documents.NEW_SKILLS,
            lambda held: documents.add_skill(held, use),
        )

    def set_agent(self, agent: AgentRecord) -> None:
        """Say where *agent* stands."""
        now = spelled(self._workspace.now())
        self._note(
            self._workspace.layout.agents,
            documents.NEW_AGENTS,
            lambda held: documents.set_agent(held, agent, now),
        )

    def commit(self) -> None:
        """Make the changes, all or none."""
        place = self._workspace
        with place.locked():
            if self.done_before:
                return
            steps, contents = self.plan(self._texts_to_be())
            if not steps and not self._entries:
                return
            for step in steps:
                if isinstance(step, Replace):
                    place.backups.save(place.layout.root / step.path)
            with place.log_locked():
                steps += [self._append(entry) for entry in self._entries]
                place.journal.run(self._name, steps, contents)
            if self._queue:
                place.refresh()

    def _texts_to_be(self) -> dict[Path, str]:
        """Return what the shared files are to hold, everything checked that can be checked before."""
        texts: dict[Path, str] = {}
        place = self._workspace
        if self._queue:
            queue = place.queue.read()
            for change in self._queue:
                queue = change(queue)
            texts[place.layout.queue] = queue.text
        for path, (empty, changes) in self._documents.items():
            texts[path] = place.yaml_files.edited(path, empty, _all(changes))
        if self._once:
            keys = [*self._keys(), self._once][-KEPT_KEYS:]
            texts[self._keys_file] = msgspec.json.encode(keys).decode()
        return texts

    def _append(self, entry: EventEntry) -> Append:
        path = self._workspace.layout.events
        row = events.row_from(entry)
        return Append(path=self.relative(path), row=row, offset=events.end_of(path))

    def _end(self, claim: Claim, status: TaskStatus, fields: Mapping[str, Any]) -> None:
        self._queue.append(lambda queue: ended(queue, claim, status, fields))

    def _note(self, path: Path, empty: str, change: Callable[[Any], None]) -> None:
        self._documents.setdefault(path, (empty, []))[1].append(change)

    @property
    def _keys_file(self) -> Path:
        return self._workspace.layout.private / "done.json"

    def _keys(self) -> list[str]:
        try:
            return msgspec.json.decode(self._keys_file.read_bytes(), type=list[str])
        except FileNotFoundError:
            return []


def _all(changes: list[Callable[[Any], None]]) -> Callable[[Any], None]:
    def change(held: Any) -> None:
        for each in changes:
            each(held)

    return change
