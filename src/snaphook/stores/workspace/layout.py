"""Where everything in a workspace is.

folder  ->  Layout
"""

import re
from pathlib import Path

from msgspec import Struct

from snaphook.errors import StoreError, UsageError

COMMUNICATIONS = (
    Path(".autonomous") / "agents" / "communications",
    Path(".autonomous") / "communications",
    Path("communications"),
    Path(),
)
"""Where the shared files are, in the order in which they are looked for."""
PRIVATE = ".workspace"
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?")
"""What a task, a run and an agent may be called: each becomes the name of a folder."""


class Layout(Struct, frozen=True, kw_only=True):
    """The paths of one project's workspace."""

    root: Path
    communications: Path

    @property
    def queue(self) -> Path:
        """Return the list of tasks."""
        return self.communications / "queue.yaml"

    @property
    def events(self) -> Path:
        """Return the log of what agents did."""
        return self.communications / "events.yaml"

    @property
    def heartbeat(self) -> Path:
        """Return the signs of life."""
        return self.communications / "heartbeat.yaml"

    @property
    def agents(self) -> Path:
        """Return who is at work, and for whom."""
        return self.communications / "agent-state.yaml"

    @property
    def skills(self) -> Path:
        """Return what skills were used, and to what effect."""
        return self.root / "operations" / "skill-metrics.yaml"

    @property
    def goals(self) -> Path:
        """Return the index of goals."""
        return self.root / "goals" / "INDEX.yaml"

    @property
    def loop(self) -> Path:
        """Return the planner's loop metadata."""
        planner = self.communications.parent / "planner" / "loop-metadata-template.yaml"
        return planner if planner.exists() else self.root / "loop-metadata-template.yaml"

    @property
    def tasks(self) -> Path:
        """Return the folder of task folders: ``active/``, ``completed/`` and their like."""
        return self.root / "tasks"

    @property
    def runs(self) -> Path:
        """Return the folder of run folders."""
        return self.root / "runs"

    @property
    def decisions(self) -> Path:
        """Return the folder of decisions."""
        return self.root / "decisions"

    @property
    def private(self) -> Path:
        """Return the folder of what only we read: the lock, the journal, backups, indexes."""
        return self.root / PRIVATE

    def task_folder(self, task_id: str, state: str = "active") -> Path:
        """Return the folder of *task_id* while it is *state*."""
        return self.tasks / safe_name(state, "a state") / safe_name(task_id, "a task id")

    def inside(self, path: Path) -> Path:
        """Return *path*, absolute; one that leaves the workspace is refused, links followed."""
        full = (self.root / path).resolve()
        if not full.is_relative_to(self.root):
            raise StoreError(
                where=str(path),
                what=f"is outside the workspace {self.root}",
                fix="Name a path below it.",
            )
        return full


def layout_at(root: Path) -> Layout:
    """Return the layout of the workspace at *root*, as it is or as it would be made."""
    root = root.resolve()
    for below in COMMUNICATIONS:
        if (root / below / "queue.yaml").exists():
            return Layout(root=root, communications=root / below)
    for below in COMMUNICATIONS[:-1]:
        if (root / below).is_dir():
            return Layout(root=root, communications=root / below)
    return Layout(root=root, communications=root / COMMUNICATIONS[0])


def find_root(start: Path) -> Path | None:
    """Return the nearest folder from *start* upwards that holds a workspace."""
    for folder in (start.absolute(), *start.absolute().parents):
        if (folder / PRIVATE).is_dir():
            return folder
        if any((folder / below / "queue.yaml").exists() for below in COMMUNICATIONS):
            return folder
    return None


def safe_name(name: str, what: str) -> str:
    """Return *name* if it can name a folder and nothing else, or say why not."""
    if not NAME.fullmatch(name):
        raise UsageError(
            where=f"{name!r:.80}",
            what=f"cannot be {what}",
            fix="Use up to 128 letters, digits, '.', '-' and '_', beginning with a letter or digit.",
        )
    return name
