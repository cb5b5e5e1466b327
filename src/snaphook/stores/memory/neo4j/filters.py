"""Which memories are meant, as Cypher over a memory ``m`` that is already matched.

Which  ->  conditions and their values
"""

from collections.abc import Iterator
from typing import Any

from snaphook.stores.memory.store import Which


def filtered(which: Which) -> tuple[str, dict[str, Any]]:
    """Return the condition that the memories of *which* meet, and what its names stand for."""
    values: dict[str, Any] = {
        "w_projects": [which.project, "", *which.also],
        "w_kinds": [kind.value for kind in which.kinds],
        "w_agents": [*which.agents],
        "w_entity": which.entity,
        "w_task": which.task,
        "w_run": which.run,
        "w_since": which.since,
        "w_until": which.until,
    }
    return " AND ".join(_conditions(which)) or "true", values


def _conditions(which: Which) -> Iterator[str]:
    if which.project is not None:
        yield "m.project IN $w_projects"
    if which.kinds:
        yield "m.kind IN $w_kinds"
    if which.agents:
        yield "(size(m.agents) = 0 OR any(agent IN m.agents WHERE agent IN $w_agents))"
    if which.entity:
        yield "$w_entity IN m.entities"
    if which.task:
        yield "EXISTS { (m)-[:OF_TASK]->(:Task {name: $w_task}) }"
    if which.run:
        yield "EXISTS { (m)-[:FROM_RUN]->(:Run {name: $w_run}) }"
    if which.since is not None:
        yield "m.seen >= $w_since"
    if which.until is not None:
        yield "m.seen < $w_until"
    if not which.superseded:
        yield "NOT m.superseded"
