"""One piece of work, and the words a handler has for "not now" and "never".

waiting  ->  done        waiting  ->  waiting, later  ->  dead        dead  ->  waiting, when asked
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct

from snaphook.config import Environment


class JobState(StrEnum):
    """Where a job stands; one that a worker has in hand still waits."""

    WAITING = "waiting"
    DONE = "done"
    DEAD = "dead"
    """A dead letter: nobody tries again until a person says so."""


class Job(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that must happen at least once."""

    id: str
    kind: str
    """Which handler does it."""
    payload: Mapping[str, Any]
    key: str
    """Two jobs of one key are the same job: the second is not kept."""
    cwd: str = ""
    """Where it was asked for: its project's settings hold."""
    state: JobState = JobState.WAITING
    made: float = 0.0
    due: float = 0.0
    attempts: int = 0
    lease: str = ""
    """The worker that has it in hand; what any other says of it is not heard."""
    lease_until: float = 0.0
    ended: float = 0.0
    error: str = ""
    """What went wrong the last time."""


Handler: TypeAlias = Callable[[Job, Environment], None]
"""Does a job. It may be called twice for one job, so what it does is the same the second time."""


class GiveUp(Exception):  # noqa: N818 - it is what a handler does
    """Trying again would not help: the job is a dead letter at once."""


class RetryLater(Exception):  # noqa: N818 - likewise
    """Nothing failed, but it is not the time: ask again in *seconds*, and count no attempt."""

    def __init__(self, seconds: float, why: str) -> None:
        self.seconds = seconds
        super().__init__(why)
