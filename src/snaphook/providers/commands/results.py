"""What is kept of one hook's run: for the log, and for whoever asks to see it.

PlannedHook + Event + Completed + HookReading  ->  HookResult
"""

import logging

import msgspec
from msgspec import Struct

from snaphook.canon import Event, Output, Verdict, reason, verdict
from snaphook.canon.hook_runs import RecordedRun
from snaphook.process import Completed

from .interpret import HookReading
from .plan import PlannedHook

log = logging.getLogger("snaphook.hooks")
log.addHandler(logging.NullHandler())  # our stderr may be a host's answer: nothing slips into it


class HookResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hook, one event, and how it went."""

    hook: str
    event: str
    dialect: str
    origin: str
    command: str
    exit_code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    failure: str | None = None
    duration_ms: float = 0.0
    stdout: str = ""
    stderr: str = ""
    truncated: int = 0
    """Bytes of output that were read and not kept."""
    left_running: bool = False
    """A child of the hook still held its output open; it was left alone."""
    stops: bool = False
    silenced: bool = False
    """An earlier hook's stop left it without effect."""
    again: bool = False
    """Asked once more, about a call that another hook changed."""
    problem: str | None = None


class HookRun(Struct, frozen=True):
    """A hook that has run, on the event as it saw it."""

    planned: PlannedHook
    event: Event
    completed: Completed
    reading: HookReading
    silenced: bool = False

    @property
    def ruling(self) -> Output | None:
        """Return nothing but what it objects to; contexts and notes were told the first time."""
        output = self.reading.output
        said = verdict(output)
        if output is None or said not in (Verdict.ASK, Verdict.DENY):
            return None
        return type(output)(decision=said, reason=reason(output))  # type: ignore[call-arg]

    def silent(self) -> "HookRun":
        """Return it without any effect."""
        quiet = HookReading(problem=self.reading.problem)
        return msgspec.structs.replace(self, reading=quiet, silenced=True)

    def run(self, *, again: bool = False) -> RecordedRun:
        """Return what the event log keeps of it."""
        return msgspec.structs.replace(
            recorded_run(self.planned.label, self.completed), again=again
        )

    def record(self, *, again: bool = False) -> HookResult:
        """Return what is shown of it."""
        hook, completed = self.planned.hook, self.completed
        return HookResult(
            hook=self.planned.label,
            event=self.event.event_name,
            dialect=hook.dialect,
            origin=str(hook.origin),
            command=" ".join((hook.command, *(hook.args or ()))),
            exit_code=completed.exit_code,
            signal=completed.signal,
            timed_out=completed.timed_out,
            failure=completed.failure,
            duration_ms=completed.duration * 1000,
            stdout=completed.stdout.text,
            stderr=completed.stderr.text,
            truncated=completed.stdout.dropped + completed.stderr.dropped,
            left_running=completed.left_running,
            stops=self.reading.stops,
            silenced=self.silenced,
            again=again,
            problem=self.reading.problem,
        )


def recorded_run(hook: str, completed: Completed) -> RecordedRun:
    """Return what the event log keeps of a *hook* that ended so."""
    return RecordedRun(
        hook=hook,
        exit_code=completed.exit_code,
        signal=completed.signal,
        timed_out=completed.timed_out,
        failure=completed.failure,
        duration_ms=completed.duration * 1000,
        stdout=completed.stdout.text,
        stderr=completed.stderr.text,
    )


def report(planned: PlannedHook, event: str, completed: Completed, problem: str | None) -> None:
    """Write one line to the log: a warning where the hook's author should look."""
    level = logging.WARNING if problem else logging.INFO
    log.log(
        level,
        "hook '%s' on %s: status %d after %.0f ms%s",
        planned.label,
        event,
        completed.status,
        completed.duration * 1000,
        f"; {problem}" if problem else "",
    )
