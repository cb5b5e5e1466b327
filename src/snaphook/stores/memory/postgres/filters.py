"""Which memories are meant, as a condition over the table ``memory``, aliased ``m``.

Which  ->  SQL and its values
"""

from collections.abc import Iterator
from typing import Any

from snaphook.stores.memory.store import Which

Values = dict[str, Any]


def filtered(which: Which) -> tuple[str, Values]:
    """Return the condition that the rows of *which* meet, and what its names stand for."""
    values: Values = {
        "w_projects": [which.project, "", *which.also],
        "w_kinds": [kind.value for kind in which.kinds],
        "w_agents": [*which.agents],
        "w_entity": [which.entity],
        "w_task": [which.task],
        "w_run": [which.run],
        "w_since": which.since,
        "w_until": which.until,
    }
    return " AND ".join(_conditions(which)) or "true", values


def _conditions(which: Which) -> Iterator[str]:
    if which.project is not None:
        yield "m.project = ANY(%(w_projects)s)"
    if which.kinds:
        yield "m.kind = ANY(%(w_kinds)s)"
    if which.agents:
        yield "(m.agents = '{}' OR m.agents && %(w_agents)s::text[])"
    if which.entity:
        yield "m.entities @> %(w_entity)s::text[]"
    if which.task:
        yield "m.tasks @> %(w_task)s::text[]"
    if which.run:
        yield "m.runs @> %(w_run)s::text[]"
    if which.since is not None:
        yield "m.seen >= %(w_since)s"
    if which.until is not None:
        yield "m.seen < %(w_until)s"
    if not which.superseded:
        yield "NOT m.superseded"
