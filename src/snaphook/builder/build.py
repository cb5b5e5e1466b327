"""Build a job: one task after the other, and none passes until its gates do.

tasks.md  ->  task  ->  builder  ->  gates ─all open─▶ next task
                          ▲            │
                          └─feedback───┘  same session, so many times

Every step is in the journal before the next one begins. Killed anywhere, the next run goes on: a
task whose builder had ended gets its gates, one that was being built is begun again.
"""

import asyncio
import contextlib
from pathlib import Path
from time import monotonic

from msgspec import Struct

from snaphook.errors import BuildError, SnaphookError, StoreError
from snaphook.providers.gates import Gate, GateRun, feedback, run_gates, tail

from .driver import Driver, DriverSession
from .git import commit
from .job import BuildJob
from .journal import BuildJournal, Unfinished, unfinished
from .messages import begin_building, tick_missing
from .records import (
    BuildEnded,
    BuildStarted,
    Built,
    FixAsked,
    GateRan,
    GateStarted,
    Halted,
    Passed,
    Record,
    TaskStarted,
    TickAsked,
)
from .settings import MAX_RETRIES
from .tasks import Tasks, read_tasks
from .watch import BuildWatcher

SAFETY_BUFFER = 5
"""Iterations beyond one for each task that was pending at the start."""


class BuildLimits(Struct, frozen=True, kw_only=True):
    """Where a build stops by itself."""

    max_retries: int = MAX_RETRIES
    """Fixes a builder may try for each task; 0 runs the gates once."""
    task_budget_micros: int | None = None
    task_timeout: float | None = None
    """Seconds for one task, its fixes and gates included."""


class Build:
    """One run of the builder over *job*.

    *fresh* begins a task that was left unfinished anew, where its session cannot be gone on with.
    """

    def __init__(
        self,
        job: BuildJob,
        *,
        driver: Driver,
        gates: tuple[Gate, ...],
        journal: BuildJournal,
        watcher: BuildWatcher | None = None,
        limits: BuildLimits | None = None,
        commit_template: str = "",
        fresh: bool = False,
    ) -> None:
        self.job = job
        self._driver = driver
        self._gates = gates
        self._journal = journal
        self._watcher = watcher or BuildWatcher()
        self._limits = limits or BuildLimits()
        self._commit_template = commit_template
        self._fresh = fresh
        self._spent = 0

    async def run(self) -> None:
        """Work until no task is pending; raise when a person has to look first."""
        tasks = self._tasks()
        limit = len(tasks.pending) + SAFETY_BUFFER
        self._note(
            BuildStarted(
                job=self.job.name,
                pending=len(tasks.pending),
                done=len(tasks.done),
                gates=tuple(str(gate) for gate in self._gates),
                driver=self._driver.name,
                limit=limit,
            )
        )
        left = unfinished(self._journal.read())
        try:
            await self._until_done(left, limit)
        except (SnaphookError, asyncio.CancelledError) as error:
            self._halt(error)
            raise
        self._note(BuildEnded(job=self.job.name))

    async def _until_done(self, left: Unfinished | None, limit: int) -> None:
        for iteration in range(1, limit + 1):
            tasks = self._tasks()
            if left is None and not tasks.pending:
                return
            await self._in_time(left or _first(tasks, self._driver), iteration, left is not None)
            left = None
        if remaining := len(self._tasks().pending):
            raise BuildError(
                where=self._here,
                what=f"Safety limit reached ({limit} iterations) with {remaining} tasks remaining",
                fix="Look at tasks.md: the builder may be adding tasks. Then run it again.",
            )

    async def _in_time(self, work: Unfinished, iteration: int, resumed: bool) -> None:
        seconds = self._limits.task_timeout
        try:
            async with asyncio.timeout(seconds):
                await self._work_on(work, iteration, resumed)
        except TimeoutError:
            raise BuildError(
                where=self._about(work.task),
                what=f"not done within {seconds:g} s",
                fix="Give it more with --task-timeout, or make the task smaller.",
            ) from None

    async def _work_on(self, work: Unfinished, iteration: int, resumed: bool) -> None:
        """Build one task, or go on with it: return once it is ticked and every gate is open."""
        self._spent = 0
        known = work.driver == self._driver.name and not self._fresh
        built = work.built and known  # no other agent knows the session
        talk = self._driver.talk(self.job.codebase, resume=work.session if built else "")
        self._note(
            TaskStarted(
                iteration=iteration,
                task=work.task,
                pending=work.pending,
                done=work.done,
                driver=self._driver.name,
                session=talk.id,
                resumed=resumed and built,
            )
        )
        try:
            if not built:
                await self._say(talk, begin_building(self.job, work.task, again=resumed), work, 0)
            attempts = await self._until_open(talk, work, work.attempts if built else 0)
        finally:
            await talk.close()
        done = await self._committed(work.task)
        self._note(Passed(task=work.task, attempts=attempts, commit=done))

    async def _until_open(self, talk: DriverSession, work: Unfinished, attempts: int) -> int:
        """Run gates and ask for fixes until nothing is left to complain of; return the fixes."""
        reminded = False
        while True:
            if failed := await self._closed_gate(attempts):
                if attempts >= self._limits.max_retries:
                    raise self._gave_up(failed, work.task, attempts)
                attempts += 1
                of = self._limits.max_retries
                self._note(FixAsked(gate=str(failed.gate), attempt=attempts, of=of))
                await self._say(talk, feedback(failed), work, attempts)
            elif self._tasks().ticked_since(pending=work.pending, done=work.done):
                return attempts
            elif reminded:
                raise BuildError(
                    where=self._about(work.task),
                    what="the builder did not tick the task, even after a reminder",
                    fix=(
                        f"Tick it in {self.job.tasks} if it is done, or describe the task more "
                        "clearly."
                    ),
                )
            else:
                reminded = True
                self._note(TickAsked(task=work.task))
                await self._say(talk, tick_missing(self.job, work.task), work, attempts)

    async def _say(self, talk: DriverSession, message: str, work: Unfinished, attempt: int) -> None:
        began = monotonic()
        turn = await talk.send(message, self._watcher.on_text)
        self._note(
            Built(
                session=talk.id,
                attempt=attempt,
                duration=monotonic() - began,
                cost_micros=turn.cost_micros,
                tokens=turn.tokens,
            )
        )
        self._spent += turn.cost_micros or 0
        budget = self._limits.task_budget_micros
        if budget is not None and self._spent > budget:
            raise BuildError(
                where=self._about(work.task),
                what=f"cost ${self._spent / 1e6:.2f}, more than its budget of ${budget / 1e6:.2f}",
                fix="Give it more with --task-budget, or make the task smaller.",
            )

    async def _closed_gate(self, attempt: int) -> GateRun | None:
        def watch(gate: Gate, run: GateRun | None) -> None:
            self._note(_gate_record(gate, run, attempt))

        outputs = self.job.state / "outputs"
        ran = await run_gates(self._gates, codebase=self.job.codebase, outputs=outputs, watch=watch)
        return ran.failure

    async def _committed(self, task: str) -> str:
        if not self._commit_template:
            return ""
        message = self._commit_template.replace("{task}", task).replace("{job}", self.job.name)
        return await commit(self.job.codebase, message)

    def _gave_up(self, failed: GateRun, task: str, attempts: int) -> BuildError:
        times = "retry" if attempts == 1 else "retries"
        name = f" ({failed.gate.name})" if failed.gate.name else ""
        how = f": {failed.why}" if failed.why else ""
        ended = tail(failed)
        output = f"It printed:\n{ended}\n" if ended else "It printed nothing. "
        return BuildError(
            where=self._about(task),
            what=f'Hook "{failed.gate.command}"{name} failed after {attempts} {times} '
            f"(exit code {failed.exit_code}{how})",
            fix=(
                f"{output}Fix it, then run 'snaphook build --job {self.job.name}' to continue "
                "with this task."
            ),
        )

    def _halt(self, error: BaseException) -> None:
        left = unfinished(self._journal.read())
        why = str(error) or "interrupted"
        with contextlib.suppress(StoreError):  # a full disk is what we are about to tell
            self._note(Halted(why=why, task=left.task if left else ""))

    def _tasks(self) -> Tasks:
        return read_tasks(self.job.tasks)

    @property
    def _here(self) -> str:
        return f'job "{self.job.name}"'

    def _about(self, task: str) -> str:
        return f'{self._here}, task "{task}"'

    def _note(self, record: Record) -> None:
        self._watcher.on_record(self._journal.append(record))


def check_tasks(path: Path) -> Tasks:
    """Return the tasks at *path*; raise if there is none at all."""
    tasks = read_tasks(path)
    if not tasks.total:
        raise BuildError(
            where=str(path),
            what="lists no task",
            fix="A task is a line that begins with '- [ ] '. 'snaphook plan' has them written.",
        )
    return tasks


def _first(tasks: Tasks, driver: Driver) -> Unfinished:
    return Unfinished(
        task=tasks.pending[0],
        pending=len(tasks.pending),
        done=len(tasks.done),
        driver=driver.name,
    )


def _gate_record(gate: Gate, run: GateRun | None, attempt: int) -> Record:
    if run is None:
        return GateStarted(gate=str(gate), attempt=attempt)
    return GateRan(
        gate=str(gate),
        command=gate.command,
        exit_code=run.exit_code,
        attempt=attempt,
        duration=run.duration,
        why=run.why,
        output="" if run.passed else tail(run),
        full_output=run.full_output,
    )
