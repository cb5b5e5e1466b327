"""The record that the daemon writes: one stream for each folder, held for as long as it lives.

Settings  ->  observers        outcomes  ->  EventLog        stops, awaited  ->  on disk

A record that cannot be written changes no decision: it is told in the daemon's log, and tried
again with the next one.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from snaphook.config import Environment, Settings
from snaphook.engine import Observer, Outcome
from snaphook.errors import StoreError
from snaphook.hosts.refusal import Refusal
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog import Durability, EventLog, LogSettings, Record
from snaphook.wiring.assembly import log_settings, trail
from snaphook.wiring.recording import is_probed, record, refusal, scrubber, stops

from .worker import maintenance
from .worker_messages import WorkerConfig
from .worker_supervisor import WorkerSupervisor

log = logging.getLogger("snaphook.daemon")

KEPT = 16
"""Folders written at once; the one that was opened first goes first, and is opened again if needed."""
AGAIN = 5.0
"""Seconds between two complaints about the same folder."""


class Records:
    """Every stream this daemon writes."""

    def __init__(self) -> None:
        self._streams: dict[Path, RecordStream] = {}
        self._open: set[RecordStream] = set()
        self._worker = WorkerSupervisor()

    def observers(self, settings: Settings, around: Environment) -> Sequence[Observer]:
        """Return who writes down what comes of events under *settings*."""
        stream = self._stream(log_settings(settings), around)
        if stream is None:
            return ()
        stream.looked_after(WorkerConfig.of(stream.settings, trail(settings, around)))
        try:
            return (stream.observer(scrubber(around.data_dir)),)
        except StoreError as problem:
            log.error("events are not recorded for now: %s", problem)  # noqa: TRY400 - one line will do
            return ()

    def refused(self, refused: Refusal, settings: Settings | None, around: Environment) -> None:
        """Write down a message that became no event; without *settings*, where we would by default."""
        wanted = log_settings(settings) if settings is not None else LogSettings()
        stream = self._stream(wanted, around)
        if stream is not None:
            stream.write(lambda: refusal(refused, scrubber(around.data_dir)), at_once=refused.stops)

    def note(
        self, make: Callable[[Scrubber], Record], settings: Settings | None, around: Environment
    ) -> None:
        """Write down what no host reported: what a person allowed, and what came of it."""
        wanted = log_settings(settings) if settings is not None else LogSettings()
        stream = self._stream(wanted, around)
        if stream is not None:
            stream.write(lambda: make(scrubber(around.data_dir)), at_once=True)

    def _stream(self, wanted: LogSettings, around: Environment) -> "RecordStream | None":
        folder = wanted.place(around.data_dir)
        if not wanted.enabled or not folder.is_absolute():
            return None  # a relative home is somebody's mistake, and no place for a record
        stream = self._streams.get(folder)
        if stream is None or stream.settings != wanted:
            if stream is not None:
                stream.close()
            stream = self._streams[folder] = RecordStream(folder, wanted, self._open, self._worker)
            if len(self._streams) > KEPT:
                self._streams.pop(next(iter(self._streams))).close()
        return stream

    @property
    def owe(self) -> bool:
        """Say whether a stop was written that is not known to be on disk yet."""
        for stream in self._open:  # noqa: SIM110 - asked of every answer, and this is half the price
            if stream.owes:
                return True
        return False

    async def settle(self) -> None:
        """Return once every stop written so far is on disk; others are answered meanwhile."""
        for stream in tuple(self._open):
            if stream.owes:
                await asyncio.to_thread(stream.settle)

    def close(self) -> None:
        """Let every stream go, whole."""
        for stream in tuple(self._open):
            stream.close()
        self._worker.close()


class RecordStream:
    """One folder's record: opened with its first record, shipped and tidied by the worker."""

    def __init__(
        self,
        folder: Path,
        settings: LogSettings,
        among: "set[RecordStream]",
        worker: WorkerSupervisor,
    ) -> None:
        self.settings = settings
        self._configs = WorkerConfig(log=settings)
        self._among = among
        self._worker = worker
        self._folder = folder
        self._waiting: list[Callable[[], Record]] = []
        self._log: EventLog | None = None
        self._complained = -AGAIN

    @property
    def owes(self) -> bool:
        """Say whether a stop was written that is not on disk yet."""
        return self._log is not None and self._log.owes

    def looked_after(self, config: WorkerConfig) -> None:
        """Have what is written here looked after as *config* say."""
        self._configs = config
        if self._log is not None:
            self._worker.look_after(self._folder, config)

    def observer(self, scrubber: Scrubber) -> Observer:
        """Return who writes down what happens; ``settle`` must follow before a stop is told.

        What stops nothing is written once its host has been answered.
        """

        def observe(outcome: Outcome) -> None:
            if is_probed(outcome):
                return
            self.write(lambda: record(outcome, scrubber), at_once=stops(outcome))

        return observe

    def write(self, make: Callable[[], Record], *, at_once: bool) -> None:
        """Write the record that *make* makes, *at_once* or with others that come with it."""
        self._waiting.append(make)
        if at_once or self.settings.durability is Durability.RECORD:
            self.flush()
        elif len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Write what waits; a record that cannot be written is told of, and gone."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        try:
            self._open().write([make() for make in waiting])
        except (StoreError, ValueError) as problem:
            self._complain(problem)
        if self._log is not None:
            self._worker.wake(self._folder)

    def settle(self) -> None:
        """Return once what was written is on disk, or cannot be."""
        try:
            if self._log is not None:
                self._log.durable()
        except OSError as problem:
            self._complain(problem)

    def close(self) -> None:
        """Make everything durable and let go; what nobody else will ship is shipped here."""
        self.flush()
        if self._log is None:
            return
        try:
            self._log.checkpoint()
            self._log.close()
        except OSError as problem:
            self._complain(problem)
        self._log = None
        self._among.discard(self)
        if not self._worker.let_go(self._folder):
            last = maintenance(self._folder, self._configs)
            last.start()
            last.stop()

    def _open(self) -> EventLog:
        if self._log is None:
            self._log = EventLog.own(
                self._folder,
                durability=self.settings.durability,
                segment_bytes=self.settings.segment_mb << 20,
            )
            self._worker.look_after(self._folder, self._configs)
            self._among.add(self)
        return self._log

    def _complain(self, problem: Exception) -> None:
        if monotonic() - self._complained >= AGAIN:
            self._complained = monotonic()
            log.error("event log: %s. Decisions are not affected.", problem)
