"""What agents leave behind besides tasks: entries, signs of life, who works for whom, skills.

rows of events.yaml, heartbeat.yaml, agent-state.yaml, skill-metrics.yaml  <->  Structs
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta, Struct

from .moments import instant


class EventEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row of the log of events."""

    timestamp: str = ""
    """Set when it is logged, if it says nothing."""
    type: str
    task_id: str = ""
    agent: str = ""
    agent_type: str = ""
    agent_id: str = ""
    parent_task: str = ""
    run_id: str = ""
    notes: str = ""
    source: str = ""
    data: Mapping[str, Any] = {}


class Heartbeat(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """When an agent was last seen, and what it did."""

    last_seen: str = ""
    status: str = ""
    current_action: str = ""
    loop_number: int = 0
    run_number: int = 0

    def age(self, now: float) -> float | None:
        """Return how many seconds ago that was; ``None`` if nobody can tell."""
        seen = instant(self.last_seen)
        return None if seen is None else max(0.0, now - seen)


class AgentRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One agent at work, or that was."""

    id: str
    type: str = ""
    status: str = "active"
    """``active`` or ``idle``."""
    parent: str = ""
    """The id of the agent that started it."""
    task: str = ""
    run_id: str = ""
    mode: str = ""
    started_at: str = ""
    stopped_at: str = ""


class SkillOutcome(StrEnum):
    """What came of a task in which a skill was used."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"


class SkillUse(Struct, frozen=True, kw_only=True):
    """One row of the skill metrics; a task has one, and a second replaces it."""

    task_id: str
    outcome: SkillOutcome
    timestamp: str = ""
    skill_used: str | None = None
    task_type: str | None = None
    duration_minutes: float | None = None
    quality_rating: Annotated[int, Meta(ge=1, le=5)] | None = None
    trigger_was_correct: bool | None = None
    would_use_again: bool | None = None
    notes: str = ""


class PlannerLoop(Struct, frozen=True, kw_only=True):
    """Where the planner's loop stands."""

    number: int = 0
    state: Mapping[str, Any] = {}
    next_steps: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    notes: str = ""
