"""A subagent begins: who its parent is, what it must respect, what it must leave behind.

SubagentStart  ->  a run of its own  ->  SubagentStartOutput

It warns and never blocks.
"""

import logging
import re
from typing import Any

from snaphook.canon import Message, Recipient, SubagentStart, SubagentStartOutput
from snaphook.errors import SnaphookError
from snaphook.stores.workspace import RunFolder, new_run_id, start_run

from .notes import Child
from .scope import EventScope

log = logging.getLogger("snaphook.essentials")

_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
CONSTRAINTS = ("ONE task per run", "Document in THOUGHTS.md")


def answer(event: SubagentStart, scope: EventScope) -> SubagentStartOutput:
    """Return what the subagent of *event* should know."""
    identity, kind = scope.identity, event.agent_name or "subagent"
    parent = scope.session.child(event.context.parent_session_id or "")
    run_id = new_run_id(scope.now)
    run = _run(run_id, scope, kind)
    child = Child(
        at=scope.now,
        id=event.agent_id or run_id,
        type=kind,
        run_id=run_id,
        run_dir=str(run.folder) if run else "",
        task=event.task or "",
        depth=max(event.context.depth, 1, parent.depth + 1 if parent else 0),
        parent=parent.id if parent else "",
    )
    warnings = _warnings(child, scope)
    scope.notebook.add(child)
    _tell_the_workspace(child, scope)
    for warning in warnings:
        log.warning("essentials: %s", warning)
    task = " ".join((event.task or kind).split())[:80]
    head = (
        f"BB5 Subagent | Parent: {identity.agent_type} | Project: {identity.project} | Task: {task}"
    )
    return SubagentStartOutput(
        additional_context="\n\n".join([head, *_rules(child, scope), *warnings]),
        messages=tuple(Message(text, Recipient.USER) for text in warnings),
        details={
            "parentAgent": identity.agent_type,
            "project": identity.project,
            "mode": identity.mode,
            "runId": child.run_id,
            "constraints": list(CONSTRAINTS),
        },
    )


def owes_results(kind: str, scope: EventScope) -> bool:
    """Say whether a subagent of *kind* must leave a RESULTS.md; who only looks around need not."""
    return kind.lower() not in {each.lower() for each in scope.settings.exploration}


def _run(run_id: str, scope: EventScope, kind: str) -> RunFolder | None:
    """Return the folder that the subagent writes into; ``None`` where there is no workspace."""
    place = scope.workspace
    if place is None or not scope.settings.run_folders:
        return None
    try:
        return start_run(
            place.layout,
            run_id=run_id,
            agent_type=_NO_NAME.sub("-", kind).strip("-._") or "subagent",
            now=scope.now,
            project=scope.identity.project,
            task_id=scope.session.task,
            parent_run=scope.identity.run_id,
        )
    except SnaphookError as problem:
        log.warning("essentials: %s", problem)
        return None


def _rules(child: Child, scope: EventScope) -> list[str]:
    rules = [f"Constraints: {'; '.join(CONSTRAINTS)}.", f"Mode: {scope.identity.mode}."]
    if child.run_dir:
        rules.append(f"Your run folder: {child.run_dir}")
    if child.run_dir and owes_results(child.type, scope):
        sections = ", ".join(f"'## {name}'" for name in scope.settings.required_sections)
        rules.append(
            "Before you finish, write RESULTS.md (with 'Status: COMPLETE', 'PARTIAL' or 'BLOCKED'"
            + (f", and {sections}" if sections else "")
            + ") and THOUGHTS.md into it, and remove the UNFILLED mark; else your result is not accepted."
        )
    if scope.session.task:
        rules.append(f"Your parent works on {scope.session.task}.")
    return rules


def _warnings(child: Child, scope: EventScope) -> list[str]:
    found, limits = [], scope.settings
    if not child.task and scope.identity.autonomous:
        found.append(f"Subagent {child.type}: no task was defined for it.")
    count, most = len(scope.session.at_work) + 1, limits.max_subagents
    if count > most:
        found.append(f"{count} subagents at once; the limit is {most}.")
    if child.depth > limits.max_depth:
        found.append(f"Subagents are nested {child.depth} deep; the limit is {limits.max_depth}.")
    return found


def _tell_the_workspace(child: Child, scope: EventScope) -> None:
    if scope.workspace is None:
        return
    identity = scope.identity
    parent = child.parent or identity.name
    row: dict[str, Any] = {
        "id": child.id,
        "type": child.type,
        "status": "active",
        "parent": parent,
        "task": scope.session.task,
        "run_id": child.run_id,
        "mode": identity.mode,
        "started_at": scope.now,
    }
    entry = {
        "type": "agent_start",
        "agent": child.type,
        "agent_type": child.type,
        "agent_id": child.id,
        "parent_task": scope.session.task,
        "run_id": child.run_id,
        "notes": " ".join(child.task.split())[:200],
        "source": "hook",
    }
    key = f"child-start:{scope.session_id}:{child.id}:{scope.now}"
    scope.later("note", {"agents": [row], "entries": [entry]}, key=key)
