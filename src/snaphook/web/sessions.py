"""Sessions, the sessions they started, and the agents inside them.

sittings + records  ->  Sitting rows, a Tree, a timeline with a lane for each agent
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from snaphook.stores.eventlog.record import Record

from .finding import Find, of_session
from .source import FigureSource
from .subject import one_line

PAGE = 60
MOST = 1_000
"""Records that the timeline of one session shows."""
DEEPEST = 12
_COLUMNS = (
    "session, machine, host, agent, project, parent, first, last, records, calls, stopped, asked, "
    "agents"
)


class SessionRow(Struct, frozen=True, kw_only=True):
    """A session as the list shows it."""

    session: str
    machine: str
    host: str
    agent: str
    project: str
    parent: str
    first: float
    last: float
    records: int
    calls: int
    stopped: int
    asked: int
    agents: int
    prompt: str = ""
    """What a person asked first."""


class Branch(Struct, frozen=True, kw_only=True):
    """A session in its family, and how deep."""

    depth: int
    session_row: SessionRow


class Lane(Struct, frozen=True, kw_only=True):
    """An agent inside a session."""

    agent_id: str
    name: str
    first: float
    last: float
    calls: int
    stopped: int
    task: str = ""
    status: str = ""


class SessionDetail(Struct, frozen=True, kw_only=True):
    """Everything about one session."""

    session_row: SessionRow
    family: Sequence[Branch]
    lanes: Sequence[Lane]
    finds: Sequence[Find]
    left_out: int


def sessions(
    source: FigureSource,
    *,
    project: str = "",
    host: str = "",
    machine: str = "",
    only: str = "",
    before: float | None = None,
    limit: int = PAGE,
) -> list[SessionRow]:
    """Return the sessions last at work first; *only* is ``stopped`` or ``asked``, or empty."""
    clauses, values = ["1 = 1"], list[object]()
    asked = {"project = ?": project, "host = ?": host, "machine = ?": machine, "last < ?": before}
    for clause, value in asked.items():
        if value:
            clauses.append(clause)
            values.append(value)
    if only in ("stopped", "asked"):
        clauses.append(f"{only} > 0")
    where = " AND ".join(clauses)
    sql = f"SELECT {_COLUMNS} FROM {{p}}sitting WHERE {where} ORDER BY last DESC LIMIT ?"  # noqa: S608
    found = [_session_row(row) for row in source.rows(sql, (*values, limit))]
    return [_with_prompt(source, one) for one in found]


def session_detail(source: FigureSource, session: str) -> SessionDetail | None:
    """Return everything about *session*; ``None`` if nobody ever heard of it."""
    session_row = _one(source, session)
    if session_row is None:
        return None
    finds = of_session(source, session, MOST)
    return SessionDetail(
        session_row=_with_prompt(source, session_row),
        family=family(source, session_row),
        lanes=lanes([each.record for each in finds]),
        finds=finds,
        left_out=max(0, session_row.records - len(finds)),
    )


def family(source: FigureSource, session_row: SessionRow) -> list[Branch]:
    """Return the session at the root of *session_row*'s family and everybody below it, parents first."""
    root = session_row
    for _ in range(DEEPEST):
        above = _one(source, root.parent) if root.parent else None
        if above is None or above.session == session_row.session:
            break
        root = above
    found: list[Branch] = []
    _descend(source, root, 0, found, set())
    return found if len(found) > 1 else []


def lanes(records: Sequence[Record]) -> list[Lane]:
    """Return the agents inside a session, in the order in which they began; the main one is none."""
    found: dict[str, Lane] = {}
    for record in records:
        told_id = str(record.input.get("agent_id") or "")
        agent_id = record.agent_id or told_id
        if not agent_id:
            continue
        lane = found.get(agent_id) or _new_lane(agent_id, record)
        changes: dict[str, object] = {
            "last": max(lane.last, record.time),
            "calls": lane.calls + (record.event == "PreToolUse"),
            "stopped": lane.stopped + record.stops,
        }
        if isinstance(task := record.input.get("task"), str):
            changes["task"] = one_line(task)
        if record.event == "SubagentStop":
            changes["status"] = str(record.input.get("status") or "completed")
        found[agent_id] = msgspec.structs.replace(lane, **changes)
    return sorted(found.values(), key=lambda lane: lane.first)


def _new_lane(agent_id: str, record: Record) -> Lane:
    name = record.input.get("agent_name") or record.agent or agent_id
    return Lane(
        agent_id=agent_id,
        name=one_line(str(name), 80),
        first=record.time,
        last=record.time,
        calls=0,
        stopped=0,
    )


def _descend(
    source: FigureSource, session_row: SessionRow, depth: int, found: list[Branch], seen: set[str]
) -> None:
    if depth > DEEPEST or session_row.session in seen or len(found) > 200:
        return  # an agent may name itself its own parent
    seen.add(session_row.session)
    found.append(Branch(depth=depth, session_row=session_row))
    sql = f"SELECT {_COLUMNS} FROM {{p}}sitting WHERE parent = ? ORDER BY first LIMIT 100"  # noqa: S608
    for row in source.rows(sql, (session_row.session,)):
        _descend(source, _session_row(row), depth + 1, found, seen)


def _one(source: FigureSource, session: str) -> SessionRow | None:
    rows = source.rows(f"SELECT {_COLUMNS} FROM {{p}}sitting WHERE session = ?", (session,))  # noqa: S608
    return _session_row(rows[0]) if rows else None


def _with_prompt(source: FigureSource, session_row: SessionRow) -> SessionRow:
    body = "body::text" if source.prefix else "body"
    rows = source.rows(
        f"SELECT {body} FROM {{p}}record WHERE session = ? AND event = 'UserPromptSubmit' "  # noqa: S608
        "ORDER BY time LIMIT 1",
        (session_row.session,),
    )
    if not rows:
        return session_row
    record = msgspec.json.decode(rows[0][0], type=Record)
    prompt = record.input.get("prompt")
    return msgspec.structs.replace(
        session_row, prompt=one_line(prompt) if isinstance(prompt, str) else ""
    )


def _session_row(row: Sequence[object]) -> SessionRow:
    return msgspec.convert(
        dict(zip(_COLUMNS.split(", "), row, strict=True)), SessionRow, strict=False
    )
