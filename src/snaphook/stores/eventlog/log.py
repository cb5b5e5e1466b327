"""The record of everything, on local disk, never waiting for a database.

Record  ->  segment  ->  fsync, by itself, in groups or not at all

A stream has one writer at a time: the daemon keeps the lock of its own for life, a process that
answers without a daemon takes the lock of the shared one for each record.
"""

import os
import threading
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from time import time

import msgspec
from filelock import FileLock, Timeout

from snaphook.errors import StoreError

from .chain import GENESIS
from .record import Record
from .segment import About, Segment

SEGMENT_BYTES = 64 << 20
GROUP_SECONDS = 0.02
"""How long records may wait for each other before they share one fsync."""


class Durability(StrEnum):
    """When a record is on disk for good. A stop always is before its host hears of it."""

    RECORD = "record"
    """Before the reply, every time."""
    GROUP = "group"
    """Within a moment, many at once."""
    NONE = "none"
    """When the system gets round to it."""


class EventLog:
    """One stream of the record, open for writing.

    Not for two threads at once without their own lock, but ``durable`` may be called from any.
    """

    def __init__(
        self,
        folder: Path,
        *,
        stream: str = "daemon",
        durability: Durability = Durability.GROUP,
        segment_bytes: int = SEGMENT_BYTES,
        patience: float = 5.0,
    ) -> None:
        self.folder = folder / stream
        self.stream = stream
        self.durability = Durability(durability)
        self.segment_bytes = segment_bytes
        self._encode = msgspec.json.Encoder().encode
        self._writing = threading.Lock()
        self._dirty = threading.Event()
        self._closed = False
        self._committer: threading.Thread | None = None
        self._lock = self._locked(patience)
        self._segment = self._newest()

    def append(self, records: Sequence[Record]) -> None:
        """Write *records*; those that stop something are on disk when this returns."""
        bodies = [self._encode(record) for record in records]
        with self._writing:
            self._segment.append(bodies)
            if self._segment.size >= self.segment_bytes:
                self._rotate()
        if self.durability is Durability.RECORD or any(record.stops for record in records):
            self.durable()
        elif self.durability is Durability.GROUP:
            self._commit_soon()

    def durable(self) -> None:
        """Return once everything appended so far is on the disk."""
        with self._writing:
            self._segment.sync()

    def close(self) -> None:
        """Make everything durable and let the stream go."""
        if self._closed:
            return
        self._closed = True
        self._dirty.set()
        if self._committer is not None:
            self._committer.join()
        self.durable()
        self._segment.close()
        self._lock.release()

    def _locked(self, patience: float) -> FileLock:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = FileLock(self.folder / ".lock")
            lock.acquire(timeout=patience)
        except Timeout as error:
            raise StoreError(
                where=str(self.folder),
                what="another process is writing this stream",
                fix="Wait for it, or write another stream.",
            ) from error
        except OSError as error:
            raise StoreError(
                where=str(self.folder),
                what=f"cannot be written: {error.strerror}",
                fix="Make the folder writable, or set another in [log].",
            ) from error
        return lock

    def _newest(self) -> Segment:
        existing = sorted(self.folder.glob("*.log"))
        if not existing:
            return self._create(1, GENESIS)
        return Segment.reopen(existing[-1])

    def _create(self, number: int, before: bytes) -> Segment:
        about = About(segment=number, stream=self.stream, opened=time())
        segment = Segment.create(self.folder / f"{number:08}.log", about, before=before)
        _sync_folder(self.folder)
        return segment

    def _rotate(self) -> None:
        full = self._segment
        full.sync()
        self._segment = self._create(int(full.path.stem) + 1, full.head)
        full.close()

    def _commit_soon(self) -> None:
        if self._committer is None:
            self._committer = threading.Thread(target=self._commit, daemon=True)
            self._committer.start()
        self._dirty.set()

    def _commit(self) -> None:
        pause = threading.Event()
        while not self._closed:
            self._dirty.wait()
            self._dirty.clear()
            if not self._closed:
                pause.wait(GROUP_SECONDS)
                self.durable()


def _sync_folder(folder: Path) -> None:
    """Make a new file's name durable, too."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
