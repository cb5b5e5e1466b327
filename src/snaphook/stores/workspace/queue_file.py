"""The queue file and what is known about it.

path  ->  Queue, parsed as little as possible;  Queue  ->  path, with a backup
"""

import contextlib
from pathlib import Path

from msgspec import Struct

from snaphook.errors import StoreError

from . import disk
from .backups import Backups
from .disk import Stamp, stamp_of
from .index import FileIndex
from .queue import Queue, QueueRow, TooMuchError, read_queue
from .task import Counts, Task, TaskStatus, count, ready

AT_ONCE, AT_MOST = 1 << 17, 1 << 20
"""How much a session start may parse, and take apart, before it answers; more waits."""


class QueueSummary(Struct, frozen=True, kw_only=True):
    """What a session start wants to know of the queue."""

    counts: Counts = Counts()
    held: tuple[Task, ...] = ()
    next: Task | None = None
    schema: str = ""


class QueueFile:
    """The queue at *path*; what was found in it is kept in *indexes*."""

    def __init__(self, path: Path, *, indexes: Path, backups: Backups, max_mb: int) -> None:
        self.path = path
        self._backups = backups
        self._max_mb = max_mb
        self._rows = FileIndex(indexes / "queue.tasks", list[QueueRow])
        self._summaries = FileIndex(indexes / "queue.summary", QueueSummary)
        self._held: tuple[Stamp, Queue] | None = None

    def read(self, *, most: float = float("inf")) -> Queue:
        """Return the queue as it is now."""
        stamp = stamp_of(self.path)
        if self._held is not None and self._held[0] == stamp:
            return self._held[1]
        text, stamp = disk.read(self.path, max_mb=self._max_mb)
        queue = read_queue(text, where=self.path, known=self._known(), most=most)
        self._keep(stamp, queue)
        return queue

    def summary(self) -> tuple[QueueSummary, bool]:
        """Return the summary and whether it is of this moment; a long parse is left for later."""
        stamp = stamp_of(self.path)
        if stamp is None:
            raise StoreError(
                where=str(self.path), what="does not exist", fix="Run: snaphook workspace init"
            )
        kept = self._summaries.read()
        if kept is not None and kept.stamp == stamp:
            return kept.value, True
        if stamp.size > self._max_mb * disk.MEGABYTE:
            raise disk.too_large(self.path, stamp.size, self._max_mb)
        if stamp.size <= AT_MOST:
            with contextlib.suppress(TooMuchError):
                return summarise(self.read(most=AT_ONCE)), True
        return kept.value if kept else QueueSummary(), False

    def write(self, queue: Queue) -> None:
        """Put *queue* in the place of the file, the version before it kept. The caller holds the lock."""
        self._backups.save(self.path)
        self._keep(disk.write(self.path, queue.text), queue)

    def _known(self) -> list[QueueRow]:
        if self._held is not None:
            return list(self._held[1].rows)
        kept = self._rows.read()
        return kept.value if kept else []

    def _keep(self, stamp: Stamp, queue: Queue) -> None:
        self._held = (stamp, queue)
        self._summaries.keep(stamp, summarise(queue))
        if queue.listing is not None:
            self._rows.keep(stamp, list(queue.rows))


def summarise(queue: Queue) -> QueueSummary:
    """Return what a session start wants to know of *queue*."""
    tasks = queue.tasks
    return QueueSummary(
        counts=count(tasks),
        held=tuple(task for task in tasks if task.status is TaskStatus.IN_PROGRESS),
        next=next(iter(ready(tasks)), None),
        schema=queue.schema,
    )
