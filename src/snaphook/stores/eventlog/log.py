"""The record of everything, on local disk, never waiting for a database.

Record  ->  segment  ->  fsync, by itself, in groups or not at all

A stream has one writer at a time: the daemon keeps the lock of its own for life, a process that
answers without a daemon takes the lock of the shared one for each record.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from time import time
from uuid import uuid4

import msgspec

from snaphook.errors import StoreError
from snaphook.storage.folders import make_private, sync_folder

from .chain import GENESIS
from .checkpoint import Checkpoint, checkpoints, note
from .lock import lock_stream
from .record import Record
from .segment import About, Segment, lines, segments
from .settings import Durability

SEGMENT_BYTES = 64 << 20
GROUP_SECONDS = 0.02
"""How long records may wait for each other before they share one fsync."""
HARMED = "RecordHarmed"
"""The event that is recorded where a segment was removed, replaced or shortened while it was open."""
STREAMS = 64
"""Daemons that may write below one folder at once; more than two is a strange day."""


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
        self._syncing = threading.Lock()  # taken before _writing by whoever needs both
        self._writing = threading.Lock()
        self._appended = self._synced = self._owed = 0
        self._dirty = threading.Event()
        self._closed = self._shortened = False
        self._committer: threading.Thread | None = None
        try:
            make_private(self.folder)
            self._lock = lock_stream(self.folder / ".lock", patience=patience)
            self._segment = self._newest()
        except OSError as error:
            raise _unwritable(self.folder, error) from error

    @classmethod
    def own(
        cls,
        folder: Path,
        *,
        durability: Durability = Durability.GROUP,
        segment_bytes: int = SEGMENT_BYTES,
    ) -> "EventLog":
        """Return a stream that nobody else writes: one daemon may still be leaving."""
        for number in range(1, STREAMS):
            stream = "daemon" if number == 1 else f"daemon-{number}"
            try:
                return cls(
                    folder,
                    stream=stream,
                    durability=durability,
                    segment_bytes=segment_bytes,
                    patience=0,
                )
            except StoreError as busy:
                if "another process" not in busy.what:
                    raise
        raise StoreError(
            where=str(folder), what="all streams are in use", fix="Stop the other daemons."
        )

    def append(self, records: Sequence[Record]) -> None:
        """Write *records*; those that stop something are on disk when this returns."""
        if self.write(records):
            self.durable()

    def write(self, records: Sequence[Record]) -> bool:
        """Write *records*, and say whether ``durable`` must be called before anybody is told."""
        bodies = [self._encode(record) for record in records]
        try:
            with self._writing:
                self._segment.append(bodies)
                self._appended += 1
                full = self._segment.size >= self.segment_bytes
            if full:
                self._rotate()
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        if self.durability is Durability.GROUP:
            self._commit_soon()
        if self.durability is Durability.RECORD or any(record.stops for record in records):
            self._owed = self._appended
        return self.owes

    @property
    def owes(self) -> bool:
        """Say whether something was written that must be on disk before anybody is told."""
        return self._owed > self._synced

    def durable(self) -> None:
        """Return once everything appended so far is on the disk; many may share one fsync."""
        wanted = self._appended
        with self._syncing:
            if self._synced >= wanted:
                return
            with self._writing:
                self._look_for_harm()
                segment, reached = self._segment, self._appended
            try:
                segment.sync()
            except OSError:
                self._owed = self._synced  # it was tried; nobody waits for ever
                raise
            self._synced = reached

    def _look_for_harm(self) -> None:
        """Restore a segment that somebody removed or replaced under us, and record that they did.

        Without this every later record would go into a file that nobody can find.
        """
        harm = self._segment.harm()
        if not harm or (harm == "shortened" and self._shortened):
            return
        self._shortened = harm == "shortened"
        if not self._shortened:
            self._segment.restore()
            sync_folder(self.folder)
        what = f"{self._segment.path}: the file was {harm} while it was being written"
        restored = "; it was shortened" if self._shortened else "; it was restored"
        note = Record(
            id=uuid4().hex,
            time=time(),
            event=HARMED,
            session="",
            reason=what + restored,
            by="snaphook",
        )
        self._segment.append([self._encode(note)])
        import logging

        logging.getLogger("snaphook.log").warning(
            "%s. Run 'snaphook audit verify'; find out which process did it.", what
        )

    def checkpoint(self) -> None:
        """Note how far the chain has come, so that a tail cut later is missed."""
        with self._writing:
            here = self._here()
        note(self.folder, here)

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

    def _newest(self) -> Segment:
        existing = segments(self.folder)
        if existing and existing[-1].suffix == ".log":
            return Segment.reopen(existing[-1])
        number, head = _ended(self.folder, existing)
        return self._create(number + 1, head)

    def _create(self, number: int, before: bytes) -> Segment:
        about = About(segment=number, stream=self.stream, opened=time())
        segment = Segment.create(self.folder / f"{number:08}.log", about, before=before)
        sync_folder(self.folder)
        return segment

    def _rotate(self) -> None:
        with self._syncing, self._writing:
            full = self._segment
            full.sync()
            self._synced = self._appended
            note(self.folder, self._here())
            self._segment = self._create(int(full.path.stem) + 1, full.head)
            full.close()

    def _here(self) -> Checkpoint:
        segment = self._segment
        return Checkpoint(
            segment=segment.path.stem, size=segment.size, head=segment.head.decode(), time=time()
        )

    def _commit_soon(self) -> None:
        if self._committer is None:
            self._committer = threading.Thread(
                target=self._commit, name="snaphook-commit", daemon=True
            )
            self._committer.start()
        if not self._dirty.is_set():
            self._dirty.set()

    def _commit(self) -> None:
        pause = threading.Event()
        while not self._closed:
            self._dirty.wait()
            self._dirty.clear()
            if not self._closed:
                pause.wait(GROUP_SECONDS)
                self._commit_once()

    def _commit_once(self) -> None:
        try:
            self.durable()
        except OSError:
            import logging

            logging.getLogger("snaphook.log").exception(
                "the event log could not be flushed to disk"
            )


def _ended(folder: Path, packed: Sequence[Path]) -> tuple[int, bytes]:
    """Return the number and the head of a stream's last segment, where it is packed or gone."""
    if packed:
        *_, last = lines(packed[-1])
        return int(packed[-1].name[:8]), last[:64]
    points = checkpoints(folder)
    return (int(points[-1].segment), points[-1].head.encode()) if points else (0, GENESIS)


def _unwritable(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        where=str(folder),
        what=f"cannot be written: {error.strerror}",
        fix="Make the folder writable, or set another in [log].",
    )
