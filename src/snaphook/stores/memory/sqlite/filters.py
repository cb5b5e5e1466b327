"""Which memories are meant, as a condition.

Which  ->  SQL over ``memory``, and its values
"""

from collections.abc import Iterator
from typing import Any

from snaphook.stores.memory.store import Which

from .names import Names

Condition = tuple[str, list[Any]]


def filtered(which: Which, names: Names) -> Condition:
    """Return the condition that the rows of *which* meet."""
    conditions = list(_conditions(which, names))
    text = " AND ".join(condition for condition, _ in conditions) or "1"
    return text, [value for _, values in conditions for value in values]


def projects(which: Which, names: Names) -> list[int]:
    """Return the numbers of the projects that *which* sees; those without memories have none."""
    wanted = {which.project, "", *which.also} - {None}
    return [*names.among(str(project) for project in wanted).values()]


def _conditions(which: Which, names: Names) -> Iterator[Condition]:
    if which.project is not None:
        yield _one_of("memory.project", projects(which, names))
    if which.kinds:
        yield _one_of("memory.kind", [kind.value for kind in which.kinds])
    if which.agents:
        same = " OR ".join("instr(char(10) || agents || char(10), ?)" for _ in which.agents)
        yield f"(agents = '' OR {same})", [f"\n{agent}\n" for agent in which.agents]
    if which.entity:
        yield _linked("mention", "entity"), [names.find(which.entity)]
    for key, value in (("task", which.task), ("run", which.run)):
        if value:
            yield _linked("said", "who"), [names.find(f"@{key}:{value}")]
    if which.since is not None:
        yield "seen >= ?", [which.since]
    if which.until is not None:
        yield "seen < ?", [which.until]
    if not which.superseded:
        yield "NOT superseded", []


def _one_of(column: str, values: list[Any]) -> Condition:
    return f"{column} IN ({','.join('?' * len(values))})", values


def _linked(table: str, column: str) -> str:
    return f"row IN (SELECT memory FROM {table} WHERE {column} = ?)"  # noqa: S608 - our own table
