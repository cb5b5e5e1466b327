"""What happens in a build, one value per step.

A step is written to the journal, shown on the terminal, printed as a line of JSON and read by the
report: all four see the same records.
"""

from typing import TypeAlias

from msgspec import Struct


class _Record(Struct, frozen=True, kw_only=True, tag_field="type"):
    at: float = 0.0
    """Seconds since the epoch, UTC; set by the journal."""


class PlanStarted(_Record, frozen=True, tag="plan_started"):
    """The planner is about to begin."""

    job: str
    iterations: int
    driver: str = ""


class PlanIteration(_Record, frozen=True, tag="plan_iteration"):
    """The planner begins, in a session of its own."""

    iteration: int
    of: int


class Planned(_Record, frozen=True, tag="planned"):
    """The planner ended one iteration by itself."""

    iteration: int
    session: str = ""
    duration: float = 0.0
    cost_micros: int | None = None
    tokens: int | None = None


class PlanEnded(_Record, frozen=True, tag="plan_ended"):
    """All iterations of the planner are over."""


class BuildStarted(_Record, frozen=True, tag="build_started"):
    """A run of the builder begins."""

    job: str
    pending: int
    done: int
    gates: tuple[str, ...] = ()
    driver: str = ""
    limit: int = 0


class TaskStarted(_Record, frozen=True, tag="task_started"):
    """A task is about to be built, or, *resumed*, to go on where a run ended."""

    iteration: int
    task: str
    pending: int
    """Tasks left to do when it was first begun; by these two numbers a tick is noticed."""
    done: int
    driver: str = ""
    session: str = ""
    """Empty where the agent tells its session only afterwards."""
    resumed: bool = False


class Built(_Record, frozen=True, tag="built"):
    """The builder ended by itself: attempt 0 is the task, the others are its fixes."""

    session: str
    attempt: int
    duration: float = 0.0
    cost_micros: int | None = None
    tokens: int | None = None


class GateStarted(_Record, frozen=True, tag="gate_started"):
    """A gate runs."""

    gate: str
    attempt: int = 0


class GateRan(_Record, frozen=True, tag="gate_ran"):
    """A gate was passed or not."""

    gate: str
    command: str
    exit_code: int
    attempt: int = 0
    duration: float = 0.0
    why: str = ""
    output: str = ""
    """The end of it, where it failed."""
    full_output: str = ""


class FixAsked(_Record, frozen=True, tag="fix_asked"):
    """The builder is told, in the same session, what failed."""

    gate: str
    attempt: int
    of: int


class TickAsked(_Record, frozen=True, tag="tick_asked"):
    """The builder is told, in the same session, that it ticked nothing."""

    task: str


class Passed(_Record, frozen=True, tag="passed"):
    """A task is done and every gate is open."""

    task: str
    attempts: int = 0
    commit: str = ""


class Halted(_Record, frozen=True, tag="halted"):
    """The run ended before the job was done."""

    why: str
    task: str = ""


class BuildEnded(_Record, frozen=True, tag="build_ended"):
    """No task is left."""

    job: str


Record: TypeAlias = (
    PlanStarted
    | PlanIteration
    | Planned
    | PlanEnded
    | BuildStarted
    | TaskStarted
    | Built
    | GateStarted
    | GateRan
    | FixAsked
    | TickAsked
    | Passed
    | Halted
    | BuildEnded
)
