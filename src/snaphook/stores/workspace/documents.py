"""The small files: signs of life, who is at work, what skills did.

mapping + news  ->  the same mapping, in the shape it was found in
"""

from collections.abc import Mapping, MutableMapping
from typing import Any

import msgspec

from .parse import words
from .records import AgentRecord, Heartbeat, PlannerLoop, SkillUse
from .round_trip import quoted

KEPT_AGENTS = 200
"""How many agents that have stopped are remembered."""

NEW_HEARTBEATS = "heartbeats: {}\nmetadata:\n  timeout_seconds: 120\n"
NEW_AGENTS = "agents: {}\nmetadata: {}\n"
NEW_SKILLS = "task_outcomes: []\n"


def heartbeats_from(held: Any) -> dict[str, Heartbeat]:
    """Return the signs of life, by agent."""
    beats = held.get("heartbeats") if isinstance(held, dict) else None
    found = beats.items() if isinstance(beats, dict) else ()
    return {str(name): _heartbeat(beat) for name, beat in found if isinstance(beat, dict)}


def add_heartbeat(held: MutableMapping[str, Any], agent: str, beat: Heartbeat) -> None:
    """Write down that *agent* is alive; what it says nothing about stays."""
    beats = held.get("heartbeats")
    if beats is None:
        beats = held["heartbeats"] = {}
    beats.setdefault(agent, {}).update(quoted(msgspec.to_builtins(beat)))
    _stamped(held, beat.last_seen, agent)


def agents_from(held: Any) -> dict[str, AgentRecord]:
    """Return who is or was at work, by id, from either shape of the file."""
    if not isinstance(held, dict):
        return {}
    listed = held.get("agents")
    if isinstance(listed, dict):
        return {str(name): _agent(str(name), row) for name, row in listed.items()}
    kinds = [name.removesuffix("_status") for name in held if str(name).endswith("_status")]
    return {
        kind: AgentRecord(
            id=kind,
            type=kind,
            status=words(held[f"{kind}_status"]),
            started_at=words(held.get(f"{kind}_last_start")),
            stopped_at=words(held.get(f"{kind}_last_stop")),
        )
        for kind in kinds
    }


def set_agent(held: MutableMapping[str, Any], agent: AgentRecord, now: str) -> None:
    """Write down where *agent* stands."""
    if "agents" in held or not any(str(name).endswith("_status") for name in held):
        agents = held.get("agents")
        if agents is None:
            agents = held["agents"] = {}
        row = quoted(msgspec.to_builtins(agent))
        row.pop("id")
        agents[agent.id] = {"status": agent.status, **row}
        _forget_oldest(agents)
        _stamped(held, now, agent.id)
        return
    kind = agent.type or agent.id
    held[f"{kind}_status"] = agent.status
    if agent.started_at:
        held[f"{kind}_last_start"] = agent.started_at
    if agent.stopped_at:
        held[f"{kind}_last_stop"] = agent.stopped_at


def skills_from(held: Any) -> list[dict[str, Any]]:
    """Return the rows of the skill metrics."""
    rows = held.get("task_outcomes") if isinstance(held, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def add_skill(held: MutableMapping[str, Any], use: SkillUse) -> None:
    """Write down what a skill did; a second report on the same task replaces the first."""
    row = quoted(msgspec.to_builtins(use))
    rows = held.get("task_outcomes")
    if not rows:
        held["task_outcomes"] = [row]
        return
    found = next((n for n, old in enumerate(rows) if old.get("task_id") == use.task_id), None)
    if found is None:
        rows.append(row)
    else:
        rows[found].update(row)


def loop_from(held: Any) -> PlannerLoop:
    """Return where the planner's loop stands, as far as its metadata says."""
    if not isinstance(held, dict):
        return PlannerLoop()
    loop = held.get("loop")
    number = loop.get("number") if isinstance(loop, dict) else 0
    state = held.get("state")
    return PlannerLoop(
        number=number if isinstance(number, int) else 0,
        state=state if isinstance(state, dict) else {},
        next_steps=_lines(held.get("next_steps")),
        blockers=_lines(held.get("blockers")),
        notes=words(held.get("notes")).strip(),
    )


def _lines(rows: Any) -> tuple[str, ...]:
    """Return a list of sentences, or of mappings with a description, as sentences."""
    found = rows if isinstance(rows, list) else ()
    return tuple(words(r.get("description") if isinstance(r, dict) else r) for r in found)


def _heartbeat(row: Mapping[str, Any]) -> Heartbeat:
    def number(name: str) -> int:
        value = row.get(name)
        return value if isinstance(value, int) else 0

    return Heartbeat(
        last_seen=words(row.get("last_seen")),
        status=words(row.get("status")),
        current_action=words(row.get("current_action")),
        loop_number=number("loop_number"),
        run_number=number("run_number"),
    )


def _agent(name: str, row: Any) -> AgentRecord:
    row = row if isinstance(row, dict) else {"status": row}
    known = {
        k: words(v) for k, v in row.items() if k in AgentRecord.__struct_fields__ and v is not None
    }
    return AgentRecord(**{"status": "", **known, "id": name})


def _forget_oldest(agents: MutableMapping[str, Any]) -> None:
    stopped = [name for name, row in agents.items() if row.get("stopped_at")]
    for name in stopped[: max(0, len(stopped) - KEPT_AGENTS)]:
        del agents[name]


def _stamped(held: MutableMapping[str, Any], now: str, by: str) -> None:
    metadata = held.get("metadata")
    if isinstance(metadata, dict):
        metadata["last_updated"], metadata["updated_by"] = now, by
