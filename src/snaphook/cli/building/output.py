"""What people and scripts see of a build: a live view, plain lines, or a line of JSON per step."""

import contextlib
import sys
from collections.abc import Iterator

import msgspec

from snaphook.builder.build import SAFETY_BUFFER
from snaphook.builder.records import (
    BuildEnded,
    BuildStarted,
    FixAsked,
    GateRan,
    Halted,
    Passed,
    PlanEnded,
    PlanIteration,
    PlanStarted,
    Record,
    TaskStarted,
    TickAsked,
)
from snaphook.builder.report import headline
from snaphook.builder.summary import summarise
from snaphook.builder.tasks import Tasks, read_tasks
from snaphook.builder.watch import BuildWatcher
from snaphook.cli.output import say, say_json

from .works import Works


class BuildLines(BuildWatcher):
    """A line for every step a person wants to know of."""

    def __init__(self, command: str, *, job: str = "") -> None:
        self._command = command
        self._before = f"{job}: " if job else ""
        self._heard: list[Record] = []

    def on_record(self, record: Record) -> None:
        """Print what it says."""
        self._heard.append(record)
        for line in told(record, self._command):
            self.line(line)

    def line(self, text: str) -> None:
        """Print one line."""
        say(f"{self._before}{text}")

    def close(self) -> None:
        """Print the summary of this run, if anything was built."""
        started = [record for record in self._heard if isinstance(record, BuildStarted)]
        if started:
            self.line(headline(summarise(started[0].job, self._heard)).capitalize() + ".")


class JsonLines(BuildWatcher):
    """A JSON object per step, for CI; with its *job* where there are several."""

    def __init__(self, *, job: str = "") -> None:
        self._whose = {"job": job} if job else {}

    def on_record(self, record: Record) -> None:
        """Print it."""
        step = self._whose | msgspec.to_builtins(record)
        say_json(step)

    def close(self) -> None:
        """Everything has been said."""


@contextlib.contextmanager
def watching(output: str, *, command: str, job: str = "") -> Iterator[BuildWatcher]:
    """Yield who watches *command*: a live view on a terminal, lines elsewhere, JSON if asked for.

    One *job* of several names itself in every line.
    """
    watcher: BuildLines | JsonLines
    if output == "json":
        watcher = JsonLines(job=job)
    elif sys.stdout.isatty() and not job:
        from .screen import BuilderScreen

        watcher = BuilderScreen(command)
    else:
        watcher = BuildLines(command, job=job)
    try:
        yield watcher
    finally:
        watcher.close()


def told(record: Record, command: str) -> Iterator[str]:
    """Yield the lines that *record* is worth."""
    match record:
        case PlanStarted():
            yield f'Starting planning phase for job "{record.job}"...'
        case PlanIteration():
            yield f"Planning iteration {record.iteration}/{record.of}"
        case PlanEnded():
            yield "Planning phase complete."
        case BuildStarted():
            yield "Starting build phase..."
        case TaskStarted():
            yield f"Build iteration {record.iteration} — {record.pending} tasks remaining"
            again = "goes on with" if record.resumed else "task"
            yield f"  {again}: {record.task}"
        case GateRan():
            how = "passed" if record.exit_code == 0 else f"failed (exit code {record.exit_code})"
            yield f"  gate {record.gate}: {how} in {record.duration:.1f} s"
        case FixAsked():
            yield f"  fix {record.attempt} of {record.of}: {record.gate}"
        case TickAsked():
            yield "  reminded the builder to tick the task"
        case Passed():
            yield f"  passed: {record.task}" + (f" ({record.commit})" if record.commit else "")
        case Halted(task=task):
            yield f"Halted on task: {task}" if task else "Halted."
        case BuildEnded():
            done = command == "run"
            yield (
                f'Job "{record.job}" complete. All tasks done.' if done else "Build phase complete."
            )


def dry_run(works: Works, *, plans: bool, builds: bool) -> int:
    """Say what would be done."""
    settings, job = works.settings, works.job
    if plans:
        say(f"would plan job '{job.name}' {settings.iterations} times, by {works.planner.name}")
    if builds:
        tasks = read_tasks(job.tasks) if job.tasks.exists() else Tasks()
        limit = len(tasks.pending) + SAFETY_BUFFER
        say(f"would build job '{job.name}', by {works.builder.name}")
        say(f"{len(tasks.pending)} tasks pending, {limit} iterations at most:")
        for task in tasks.pending:
            say(f"  - {task}")
        say(
            f"gates after each, {settings.max_retries} fixes at most:"
            if works.gates
            else "no gates"
        )
        for gate in works.gates:
            say(f"  $ {gate.command}")
    return 0
