"""Files and folders that a transaction changes, whoever keeps the queue.

write, move  ->  steps, and the new contents by path
"""

from collections.abc import Mapping
from pathlib import Path

from snaphook.errors import StoreError

from .layout import Layout
from .steps import Move, Replace, Step, digest, digest_of

Plan = tuple[list[Step], list[tuple[str, bytes]]]


class FileChanges:
    """What is to become of files and folders below the root of *layout*."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._texts: dict[Path, str] = {}
        self._moves: list[tuple[Path, Path]] = []
        self._task_moves: list[tuple[str, str]] = []

    def write(self, path: Path, text: str) -> None:
        """Put *text* in the place of the file at *path*."""
        self._texts[self.layout.inside(path)] = text

    def move(self, source: Path, target: Path) -> None:
        """Rename a file or a folder."""
        self._moves.append((self.layout.inside(source), self.layout.inside(target)))

    def move_task(self, task_id: str, *, to: str = "completed") -> None:
        """Move the folder of *task_id* among those that are *to*, if it has one and is elsewhere."""
        self.layout.task_folder(task_id, to)
        self._task_moves.append((task_id, to))

    def plan(self, also: Mapping[Path, str]) -> Plan:
        """Return what is to be done, with the texts of *also*; what is so already is left out."""
        steps: list[Step] = []
        contents = []
        for path, text in {**self._texts, **also}.items():
            data, before = text.encode(), digest_of(path)
            if digest(data) != before:
                name = self.relative(path)
                steps.append(Replace(path=name, before=before, after=digest(data)))
                contents.append((name, data))
        for source, target in [*self._moves, *self._found_tasks()]:
            steps.append(self._move(source, target))
        return steps, contents

    def relative(self, path: Path) -> str:
        """Return *path* as the journal names it."""
        return str(path.relative_to(self.layout.root))

    def _move(self, source: Path, target: Path) -> Move:
        missing = not source.exists()
        if missing or target.exists():
            raise StoreError(
                where=str(source if missing else target),
                what="is not there to be moved" if missing else "is there already",
                fix="Nothing was changed. Check which of the two folders is correct.",
            )
        return Move(source=self.relative(source), target=self.relative(target))

    def _found_tasks(self) -> list[tuple[Path, Path]]:
        found = []
        for task_id, to in self._task_moves:
            target = self.layout.task_folder(task_id, to)
            source = next(iter(self.layout.tasks.glob(f"*/{task_id}")), None)
            if source is not None and source != target:
                found.append((source, target))
        return found
