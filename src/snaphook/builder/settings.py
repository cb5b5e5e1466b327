"""What people may set about planning and building.

[builder] of snaphook.toml  ->  BuilderSettings
"""

from typing import Annotated

from msgspec import Meta, Struct

MAX_RETRIES = 3
"""Default number of fix attempts per task."""


class BuilderSettings(Struct, frozen=True, kw_only=True):
    """Who plans and builds, and where they stop; options on the command line come first."""

    builder: str = "agent"
    """agent, claude, codex, gemini, or 'command: …'."""
    planner: str = ""
    """The planner. Default: the builder."""
    model: str = ""
    """Model passed to the agent. Default: the agent's own."""
    options: tuple[str, ...] = ()
    """Additional command line options for claude, codex or gemini."""
    iterations: Annotated[int, Meta(ge=1)] = 1
    """Number of planning iterations."""
    max_retries: Annotated[int, Meta(ge=0)] = MAX_RETRIES
    commit: str = ""
    """The message of a commit for each passed task, such as '{job}: {task}'; empty commits nothing."""
    task_budget: Annotated[float, Meta(gt=0)] | None = None
    """Dollars."""
    task_timeout: Annotated[float, Meta(gt=0)] | None = None
    """Seconds."""
