"""Gates: what they cost beyond the same command run by hand, and what a whole task costs us."""

import asyncio
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.table import row, section
from snaphook.builder.build import Build
from snaphook.builder.driver import DriverTurn, OnText
from snaphook.builder.job import BuildJob
from snaphook.builder.journal import BuildJournal
from snaphook.providers.gates import Gate

GATES, ROUNDS = 40, 5


class Ticker:
    """A builder that takes no time: it ticks the first box."""

    name = "ticker"
    id = "t"

    def talk(self, codebase: Path, *, resume: str = "") -> "Ticker":
        self._tasks = BuildJob(name="bench", codebase=codebase).tasks
        return self

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        self._tasks.write_text(self._tasks.read_text().replace("- [ ]", "- [x]", 1))
        return DriverTurn()

    async def close(self) -> None: ...


def _by_hand(codebase: Path) -> float:
    started = perf_counter()
    for _ in range(GATES):
        subprocess.run(["sh", "-c", "true"], cwd=codebase, capture_output=True, check=True)
    return (perf_counter() - started) / GATES


def _built(codebase: Path, gates: int) -> float:
    job = BuildJob(name="bench", codebase=codebase)
    job.folder.mkdir(parents=True, exist_ok=True)
    job.tasks.write_text("- [ ] one\n")
    with BuildJournal(job) as journal:
        build = Build(job, driver=Ticker(), gates=(Gate(command="true"),) * gates, journal=journal)
        started = perf_counter()
        asyncio.run(build.run())
    return perf_counter() - started


def main() -> None:
    section("builder")
    with tempfile.TemporaryDirectory() as folder:
        codebase = Path(folder)
        rounds = [
            (_by_hand(codebase), _built(codebase, GATES), _built(codebase, 0))
            for _ in range(ROUNDS)
        ]
    row("'sh -c true' by hand", median(hand for hand, _, _ in rounds) * 1e3, "ms")
    over = median((built - bare) / GATES - hand for hand, built, bare in rounds)
    row("a gate, beyond the same command by hand", over * 1e3, "ms", 10)
    row(
        "a task with no gates and a builder that takes no time",
        median(r[2] for r in rounds) * 1e3,
        "ms",
    )
