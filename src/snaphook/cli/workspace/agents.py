"""``snaphook agents``: who is at work, for whom, and when they were last seen."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.tree import Tree

from snaphook.cli.console import cell, new_console
from snaphook.cli.output import say_lines
from snaphook.stores.workspace import AgentRecord, Heartbeat

from .place import FOLDER, JSON, ago, echo_json, opened, whole, workspace_settings

NOTHING = "No agents seen yet. They appear when they start or claim a task."


@click.command("agents")
@click.option("--all", "every", is_flag=True, help="Include stopped agents.")
@FOLDER
@JSON
def command(every: bool, folder: Path | None, as_json: bool) -> int:
    """Show the agents as a tree: parent, task, and when last seen."""
    place = opened(folder)
    beats, now = place.heartbeats(), time.time()
    known = {**{name: AgentRecord(id=name, status="") for name in beats}, **place.agents()}
    shown = _with_parents({n: a for n, a in known.items() if every or not a.stopped_at}, known)
    if as_json:
        echo_json([_row(agent, beats.get(agent.id), now) for agent in shown.values()])
        return 0
    if not shown:
        say_lines(NOTHING if not known else "No running agents. --all includes stopped ones.")
        return 0
    silent = workspace_settings(folder).lease_seconds
    tree = Tree("agents", hide_root=True)
    places: dict[str, Tree] = {}
    for agent in shown.values():
        _plant(agent, shown, tree, places, lambda a: _told(a, beats.get(a.id), now, silent))
    new_console().print(tree)
    return 0


def _with_parents(
    shown: Mapping[str, AgentRecord], known: Mapping[str, AgentRecord]
) -> dict[str, AgentRecord]:
    """Return *shown* with everybody above them, so that no branch hangs in the air."""
    found = dict(shown)
    for agent in shown.values():
        above = known.get(agent.parent)
        while above is not None and above.id not in found:
            found[above.id] = above
            above = known.get(above.parent)
    return found


def _plant(
    agent: AgentRecord,
    agents: Mapping[str, AgentRecord],
    root: Tree,
    places: dict[str, Tree],
    told: Any,
) -> Tree:
    """Return the branch of *agent*, grown below its parent's; a ring is cut where it closes."""
    if agent.id not in places:
        places[agent.id] = root
        parent = agents.get(agent.parent)
        above = _plant(parent, agents, root, places, told) if parent else root
        places[agent.id] = above.add(told(agent))
    return places[agent.id]


def _told(agent: AgentRecord, beat: Heartbeat | None, now: float, silent: float) -> str:
    age = beat.age(now) if beat else None
    colour = "dim" if age is None else "green" if age < silent else "red"
    seen = "no heartbeat" if age is None else f"seen {ago(age)} ago"
    doing = f"  {cell(agent.task)}" if agent.task else ""
    kind = f" [dim]{cell(agent.type)}[/]" if agent.type else ""
    state = f" {cell(agent.status)}" if agent.status else ""
    return f"[bold]{cell(agent.id)}[/]{kind}{state}{doing}  [{colour}]{seen}[/]"


def _row(agent: AgentRecord, beat: Heartbeat | None, now: float) -> dict[str, Any]:
    age = beat.age(now) if beat else None
    return {**whole(agent), "seconds_since_seen": age}
