"""The hooks of somebody's settings, for any shim, written down like every other's.

folder  ->  settings  ->  Engine  ->  the event log

Settings are followed while a program runs. What stops something is on disk before the SDK hears of
it; the rest is written behind its back, in order. A record that cannot be written changes no
decision.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from snaphook.canon import AnyProvider, Event, Output
from snaphook.config import Dialect, Environment, Settings
from snaphook.engine import Observer, Outcome
from snaphook.errors import StoreError
from snaphook.lazy import logger
from snaphook.stores.eventlog import Durability, LogSettings
from snaphook.wiring.assembly import NATIVE, log_settings
from snaphook.wiring.project import Project
from snaphook.wiring.recording import keep_all, stops

log = logger("snaphook.bridges")


def from_settings(
    cwd: str | Path | None = None,
    *,
    providers: Sequence[AnyProvider] = (),
    dialects: Iterable[Dialect] = NATIVE,
) -> "Recorded":
    """Return the hooks that the ``snaphook.toml`` in force in *cwd* asks for, then *providers*.

    Give it to a shim as its hooks. *dialects* tells whose settings files count beside ours. Raises
    ``ConfigError`` where they cannot be followed.
    """
    around = Environment.here(Path(cwd) if cwd else None)
    return Recorded(around, providers=providers, dialects=dialects)


class Recorded:
    """What the settings of one folder ask for, followed and recorded."""

    def __init__(
        self,
        around: Environment,
        *,
        providers: Sequence[AnyProvider] = (),
        dialects: Iterable[Dialect] = NATIVE,
    ) -> None:
        self._cwd = str(around.cwd)
        self._desk = ThreadPoolExecutor(1, thread_name_prefix="snaphook-record")
        self._scribe: OutcomeRecorder | None = None
        self._project = Project(around, self._observers, providers=providers, dialects=dialects)
        self._project.engine()  # what is wrong with the settings is told now

    async def dispatch(self, event: Event) -> Output | None:
        """Return what the hooks say about *event*; the log has it, too."""
        outcome = await self._project.engine().evaluate(self._placed(event))
        if self._scribe is not None and self._scribe.owes(outcome):
            await self.settled()
        return outcome.output

    async def settled(self) -> None:
        """Return once all that happened so far is in the log, or cannot be."""
        if self._scribe is not None:
            await asyncio.wrap_future(self._scribe.written)

    def _placed(self, event: Event) -> Event:
        """Return *event* in our project, where its SDK does not tell where it happened."""
        context = event.context
        if context.cwd:
            return event
        root = str(self._project.settings().root or self._cwd)
        placed = replace(context, cwd=self._cwd, team_root=context.team_root or root)
        return replace(event, context=placed)

    def _observers(self, settings: Settings, around: Environment) -> Sequence[Observer]:
        wanted = log_settings(settings)
        self._scribe = (
            OutcomeRecorder(wanted, around.data_dir, self._desk) if wanted.enabled else None
        )
        return [self._scribe] if self._scribe else []


class OutcomeRecorder:
    """Writes outcomes down at a *desk* where one writes at a time: what comes together, together."""

    def __init__(self, settings: LogSettings, data_dir: Path, desk: ThreadPoolExecutor) -> None:
        self._settings = settings
        self._data_dir = data_dir
        self._desk = desk
        self._waiting: deque[Outcome] = deque()
        self._complaint = ""
        self.written = desk.submit(self._write)
        """Done once all that happened so far is on disk, or cannot be."""

    def __call__(self, outcome: Outcome) -> None:
        """Have *outcome* written soon."""
        self._waiting.append(outcome)
        self.written = self._desk.submit(self._write)

    def owes(self, outcome: Outcome) -> bool:
        """Say whether *outcome* must be on disk before anybody is told."""
        return stops(outcome) or self._settings.durability is Durability.RECORD

    def _write(self) -> None:
        noted = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            keep_all(noted, self._settings, self._data_dir)
        except (StoreError, OSError, ValueError) as problem:
            self._complain(f"{problem}")

    def _complain(self, what: str) -> None:
        if what != self._complaint:
            self._complaint = what
            log.error("event log: %s. Decisions are not affected.", what)
