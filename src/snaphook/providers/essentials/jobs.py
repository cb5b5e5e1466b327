"""The small jobs of the essential hooks: rows for the log, signs of life, a run put away, a commit.

Job  ->  a change in the workspace, the same however often it is done
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from snaphook.config import Environment
from snaphook.stores.outbox.job import Job
from snaphook.stores.workspace import AgentRecord, EventEntry, Heartbeat, find_run

from .notes import forget_old
from .opened import opened


def note(job: Job, around: Environment) -> None:
    """Write the rows of *job* to the log, and say where its agents stand."""
    place = opened(around)
    if place is None:
        return
    with place.transaction("note", once=job.key) as change:
        for row in job.payload.get("agents", ()):
            change.set_agent(_agent(row))
        for row in job.payload.get("entries", ()):
            change.log(msgspec.convert(row, EventEntry))
    place.close()


def beat(job: Job, around: Environment) -> None:
    """Say that an agent is alive, which keeps its claims."""
    if (place := opened(around)) is not None:
        agent = str(job.payload["agent"])
        place.beat(agent, Heartbeat(status="active", current_action=str(job.payload["action"])))
        place.close()


def archive(job: Job, around: Environment) -> None:
    """Put the folder of a run that is over among the completed ones, and say that its agent left."""
    forget_old(around.data_dir, job.made)
    place = opened(around)
    if place is None:
        return
    run_id = str(job.payload.get("run_id", ""))
    run = find_run(place.layout, run_id) if run_id else None
    with place.transaction("archive", once=job.key) as change:
        for row in job.payload.get("agents", ()):
            change.set_agent(_agent(row))
        for row in job.payload.get("entries", ()):
            change.log(msgspec.convert(row, EventEntry))
        if run is not None and run.state == "active":
            change.move(run.folder, run.folder.parent.with_name("completed") / run.folder.name)
    place.close()


def attach(job: Job, around: Environment) -> None:
    """Add what became of a subagent to its parent's run: once, whoever adds beside us."""
    place = opened(around)
    folder = Path(str(job.payload["run_dir"]))
    if place is None or not folder.is_dir() or not folder.is_relative_to(place.layout.root):
        return
    page = folder / "SUBAGENTS.md"
    with place.transaction("attach", once=job.key) as change:
        if not change.done_before:
            before = page.read_text(encoding="utf-8") if page.exists() else "# Subagents\n"
            change.write(page, f"{before}\n{job.payload['text']}")
    place.close()


def _agent(row: dict[str, Any]) -> AgentRecord:
    times = {
        name: datetime.fromtimestamp(row[name], UTC).isoformat(timespec="seconds")
        for name in ("started_at", "stopped_at")
        if row.get(name)
    }
    return msgspec.convert({**row, **times}, AgentRecord)
