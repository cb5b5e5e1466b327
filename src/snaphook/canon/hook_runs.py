"""The command hooks that ran for an event: told by whoever runs them, heard by whoever keeps the record.

note_run(RecordedRun)  ->  the event that is being decided  ->  its record

A provider answers with an output, and a hook that printed nothing leaves none; so its run takes this
way beside the answers. Events are decided side by side, hence a context variable.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

HOOK_ENDED = "HookEnded"
"""The event under which the end of a background hook is recorded; its start is in the record of the call."""


class RecordedRun(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One run of one command hook, and how it ended."""

    hook: str
    exit_code: int | None = None
    """``None`` where it did not end by itself: then one of the next four says why."""
    signal: int | None = None
    timed_out: bool = False
    failure: str | None = None
    """Why it could not be started."""
    background: bool = False
    """It was started and not waited for: its end is a record of its own, with the same ``run``."""
    run: str = ""
    """Names the run of a background hook, in the record of its start and in that of its end."""
    duration_ms: float = 0.0
    stdout: str = ""
    stderr: str = ""
    again: bool = False
    """Asked once more, about a call that another hook changed."""

    @property
    def ended(self) -> str:
        """Return in a few words how it ended."""
        if self.background:
            return "in the background"
        if self.timed_out:
            return "timed out"
        if self.signal is not None:
            return f"killed by signal {self.signal}"
        if self.exit_code is None:
            return "not started" if self.failure else "ended early"
        return f"exit {self.exit_code}"

    @property
    def failed(self) -> bool:
        """Say whether it ended otherwise than with exit code 0."""
        return not self.background and self.exit_code != 0


_runs: ContextVar[list[RecordedRun] | None] = ContextVar("hook_runs", default=None)


@contextmanager
def collected_runs() -> Iterator[list[RecordedRun]]:
    """Yield the list to which the runs of the event in this block are added."""
    runs: list[RecordedRun] = []
    token = _runs.set(runs)
    try:
        yield runs
    finally:
        _runs.reset(token)


def note_run(run: RecordedRun) -> None:
    """Add *run* to the event that is being decided, if anybody keeps a record of it."""
    if (runs := _runs.get()) is not None:
        runs.append(run)
