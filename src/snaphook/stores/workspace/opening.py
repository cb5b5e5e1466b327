"""Opening a workspace, and making one.

folder + settings  ->  Workspace
"""

import time
from collections.abc import Callable
from pathlib import Path

from snaphook.errors import StoreError

from .contract import Workspace
from .disk import write
from .documents import NEW_AGENTS, NEW_HEARTBEATS
from .files import FileWorkspace
from .layout import Layout, find_root, layout_at
from .settings import WorkspaceSettings

NEW_QUEUE = """\
# The task queue. Counts are computed, not stored.
schema:
  version: 1.0.1
tasks: []
"""
NEW_EVENTS = "# Events: what agents did. Append only.\n[]\n"
IGNORED = "# Locks, backups and indexes: nothing here belongs in a repository.\n*\n"


def open_workspace(
    start: Path,
    settings: WorkspaceSettings | None = None,
    *,
    clock: Callable[[], float] = time.time,
) -> Workspace:
    """Return the workspace that *settings* name, else the nearest one from *start* upwards.

    What a killed transaction left is put right on the way.
    """
    settings = settings or WorkspaceSettings()
    layout = locate(start, settings)
    if settings.store:
        from .postgres import PostgresWorkspace

        return PostgresWorkspace(layout, settings, clock=clock)
    return FileWorkspace(layout, settings, clock=clock)


def locate(start: Path, settings: WorkspaceSettings | None = None) -> Layout:
    """Return where the workspace is, or say that there is none."""
    named = settings.path if settings else ""
    root = (start / Path(named).expanduser()) if named else find_root(start)
    if root is None or (named and not root.is_dir()):
        raise StoreError(
            where=str(root or start),
            what="is not inside a workspace",
            fix="Run: snaphook workspace init",
        )
    return layout_at(root)


def make_workspace(root: Path) -> list[Path]:
    """Make whatever a workspace at *root* lacks, and return what was made; nothing is replaced."""
    layout = layout_at(root)
    made = []
    for path, text in (
        (layout.queue, NEW_QUEUE),
        (layout.events, NEW_EVENTS),
        (layout.heartbeat, NEW_HEARTBEATS),
        (layout.agents, NEW_AGENTS),
        (layout.private / ".gitignore", IGNORED),
    ):
        if not path.exists():
            write(path, text)
            made.append(path)
    for folder in (layout.tasks / "active", layout.tasks / "completed", layout.runs):
        if not folder.exists():
            folder.mkdir(parents=True)
            made.append(folder)
    return made
