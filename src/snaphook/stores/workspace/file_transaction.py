"""A transaction over files and folders.

changes noted in the block  ->  steps  ->  the journal
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from snaphook.errors import StoreError

from . import claims, documents, events
from .moments import spelled
from .queue import Queue, ended
from .records import Agent, Entry, SkillUse
from .steps import Append, Move, Replace, Step, digest, digest_of
from .task import Claim, Status

if TYPE_CHECKING:
    from .files import FileWorkspace

KEPT_KEYS = 10_000


class FileTransaction:
    """Changes that are noted first and made together."""

    def __init__(self, workspace: "FileWorkspace", name: str, once: str) -> None:
        self._workspace = workspace
        self._name = name
        self._once = once
        self._queue: list[Callable[[Queue], Queue]] = []
        self._documents: dict[Path, tuple[str, list[Callable[[Any], None]]]] = {}
        self._texts: dict[Path, str] = {}
        self._moves: list[tuple[Path, Path]] = []
        self._entries: list[Entry] = []
        self._tasks_moved: list[tuple[str, str]] = []

    @property
    def done_before(self) -> bool:
        """Say whether these changes were made by an earlier transaction with the same key."""
        return bool(self._once) and self._once in self._keys()

    def complete(self, claim: Claim) -> None:
        """Complete the task that *claim* holds."""
        fields = claims.completed(claim, self._workspace.now())
        self._end(claim, Status.COMPLETED, fields)

    def block(self, claim: Claim, reason: str) -> None:
        """Say that the task *claim* holds must wait, and for what."""
        self._end(claim, Status.BLOCKED, claims.blocked(reason))

    def release(self, claim: Claim) -> None:
        """Give the task back."""
        self._end(claim, Status.PENDING, claims.released())

    def log(self, entry: Entry) -> None:
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

    def set_agent(self, agent: Agent) -> None:
        """Say where *agent* stands."""
        now = spelled(self._workspace.now())
        self._note(
            self._workspace.layout.agents,
            documents.NEW_AGENTS,
            lambda held: documents.set_agent(held, agent, now),
        )

    def write(self, path: Path, text: str) -> None:
        """Put *text* in the place of the file at *path*."""
        self._texts[self._inside(path)] = text

    def move(self, source: Path, target: Path) -> None:
        """Rename a file or a folder."""
        self._moves.append((self._inside(source), self._inside(target)))

    def move_task(self, task_id: str, *, to: str = "completed") -> None:
        """Move the folder of *task_id* among those that are *to*, if it has one and is elsewhere."""
        self._workspace.layout.task_folder(task_id, to)
        self._tasks_moved.append((task_id, to))

    def commit(self) -> None:
        """Make the changes, all or none."""
        place = self._workspace
        with place.locked():
            if self.done_before:
                return
            steps, contents = self._plan()
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

    def _plan(self) -> tuple[list[Step], list[tuple[str, bytes]]]:
        """Return what is to be done, everything checked that can be checked before."""
        texts = dict(self._texts)
        place = self._workspace
        if self._queue:
            queue = place.queue.read()
            for change in self._queue:
                queue = change(queue)
            texts[place.layout.queue] = queue.text
        for path, (empty, changes) in self._documents.items():
            texts[path] = place.shelf.edited(path, empty, _all(changes))
        moves = [*self._moves, *self._task_moves()]
        if self._once and (texts or moves or self._entries):
            keys = [*self._keys(), self._once][-KEPT_KEYS:]
            texts[self._keys_file] = msgspec.json.encode(keys).decode()
        return self._steps(texts, moves)

    def _steps(
        self, texts: Mapping[Path, str], moves: list[tuple[Path, Path]]
    ) -> tuple[list[Step], list[tuple[str, bytes]]]:
        steps: list[Step] = []
        contents = []
        for path, text in texts.items():
            data, before = text.encode(), digest_of(path)
            if digest(data) != before:
                steps.append(Replace(path=self._relative(path), before=before, after=digest(data)))
                contents.append((self._relative(path), data))
        for source, target in moves:
            if not source.exists() or target.exists():
                missing = not source.exists()
                raise StoreError(
                    where=str(source if missing else target),
                    what="is not there to be moved" if missing else "is there already",
                    fix="Nothing was changed. Look which of the two folders is the right one.",
                )
            steps.append(Move(source=self._relative(source), target=self._relative(target)))
        return steps, contents

    def _append(self, entry: Entry) -> Append:
        path = self._workspace.layout.events
        row = events.row_from(entry)
        return Append(path=self._relative(path), row=row, offset=events.end_of(path))

    def _task_moves(self) -> list[tuple[Path, Path]]:
        found = []
        for task_id, to in self._tasks_moved:
            target = self._workspace.layout.task_folder(task_id, to)
            source = next(iter(self._workspace.layout.tasks.glob(f"*/{task_id}")), None)
            if source is not None and source != target:
                found.append((source, target))
        return found

    def _end(self, claim: Claim, status: Status, fields: Mapping[str, Any]) -> None:
        self._queue.append(lambda queue: ended(queue, claim, status, fields))

    def _note(self, path: Path, empty: str, change: Callable[[Any], None]) -> None:
        self._documents.setdefault(path, (empty, []))[1].append(change)

    def _inside(self, path: Path) -> Path:
        return self._workspace.layout.inside(path)

    def _relative(self, path: Path) -> str:
        return str(path.relative_to(self._workspace.layout.root))

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
