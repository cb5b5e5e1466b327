"""A job on disk, and a driver that does what it is told to."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct, field

from snaphook.builder.build import Build, BuildLimits
from snaphook.builder.driver import DriverTurn, OnText
from snaphook.builder.job import BuildJob
from snaphook.builder.journal import BuildJournal
from snaphook.builder.records import Record
from snaphook.builder.watch import BuildWatcher
from snaphook.providers.gates import Gate

Deed = Callable[[Path, str], object]
"""What the agent does in the codebase when it hears a message."""


class SeenEvents(Struct, frozen=True):
    """One message, as the agent heard it."""

    session: str
    message: str

    @property
    def first_line(self) -> str:
        return self.message.partition("\n")[0]


class ScriptedDriver:
    """Hands each message to the next deed; the last deed is used for ever after."""

    name = "scripted"

    def __init__(self, *deeds: Deed, cost_micros: int | None = None) -> None:
        self._deeds = list(deeds)
        self._cost = cost_micros
        self.heard: list[SeenEvents] = []
        self.closed: list[str] = []
        self.talks = 0

    def talk(self, codebase: Path, *, resume: str = "") -> "ScriptedTalk":
        self.talks += not resume
        return ScriptedTalk(self, codebase, resume or f"s{self.talks}")

    async def hear(self, codebase: Path, session: str, message: str) -> DriverTurn:
        self.heard.append(SeenEvents(session, message))
        deed = self._deeds.pop(0) if len(self._deeds) > 1 else self._deeds[0]
        outcome = deed(codebase, message)
        if hasattr(outcome, "__await__"):
            await outcome
        return DriverTurn(text="done", cost_micros=self._cost)

    @property
    def sessions(self) -> list[str]:
        return [heard.session for heard in self.heard]

    @property
    def first_lines(self) -> list[str]:
        return [heard.first_line for heard in self.heard]


class ScriptedTalk:
    def __init__(self, driver: ScriptedDriver, codebase: Path, session: str) -> None:
        self._driver, self._codebase, self.id = driver, codebase, session

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        on_text("working\n")
        return await self._driver.hear(self._codebase, self.id, message)

    async def close(self) -> None:
        self._driver.closed.append(self.id)


def tasks_of(codebase: Path) -> Path:
    return codebase / ".sauna" / "jobs" / "demo" / "tasks.md"


def tick(codebase: Path, message: str = "") -> None:
    """Tick the first open box."""
    path = tasks_of(codebase)
    path.write_text(path.read_text().replace("- [ ]", "- [x]", 1))


def nothing(codebase: Path, message: str) -> None:
    """Do nothing at all."""


class Ledger(BuildWatcher):
    """Remembers every step."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def on_record(self, record: Record) -> None:
        self.records.append(record)

    def kinds(self) -> list[str]:
        return [type(record).__name__ for record in self.records]


class Bench(Struct, kw_only=True):
    """One job and what happened to it."""

    job: BuildJob
    ledger: Ledger = field(default_factory=Ledger)

    def plan(self, *tasks: str) -> None:
        tasks_of(self.job.codebase).write_text("".join(f"- [ ] {task}\n" for task in tasks))

    async def build(
        self,
        driver: ScriptedDriver,
        *gates: str,
        commit: str = "",
        fresh: bool = False,
        **limits,
    ) -> None:
        """Build with *gates*, under *limits*."""
        with BuildJournal(self.job) as journal:
            build = Build(
                self.job,
                driver=driver,
                gates=tuple(Gate(command=gate) for gate in gates),
                journal=journal,
                watcher=self.ledger,
                limits=BuildLimits(**limits),
                commit_template=commit,
                fresh=fresh,
            )
            await build.run()

    @property
    def text(self) -> str:
        return tasks_of(self.job.codebase).read_text()

    def lines(self, name: str) -> list[str]:
        path = self.job.codebase / name
        return path.read_text().split() if path.exists() else []


@pytest.fixture
def bench(tmp_path) -> Bench:
    job = BuildJob(name="demo", codebase=tmp_path)
    job.folder.mkdir(parents=True)
    return Bench(job=job)
