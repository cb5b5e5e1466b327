"""A tool ran: what it changed is noted, and a parent hears of subagents that ended.

PostToolUse  ->  notes        Agent  ->  context

Called after every tool, so it does next to nothing: one line in a file, and every half minute a sign of
life for the agent's claims.
"""

import os
from pathlib import Path

from snaphook.canon import PostToolUse, PostToolUseOutput

from .desk import Desk
from .notes import AnyNote, ChildTold, Ran, Wrote

WRITES = ("Write", "Edit", "MultiEdit", "NotebookEdit")
PATHS = ("file_path", "notebook_path", "path")
STARTS_AGENTS = ("Agent", "Task")


def answer(event: PostToolUse, desk: Desk) -> PostToolUseOutput | None:
    """Note what the tool did."""
    skill = str(event.tool_args.get("skill", "")) if event.tool_name == "Skill" else ""
    notes: list[AnyNote] = [Ran(at=desk.now, tool=event.tool_name, skill=skill)]
    if event.tool_name in WRITES and (path := _path(event)):
        notes.append(Wrote(at=desk.now, path=str(desk.cwd / path)))
    desk.notebook.add(*notes)
    keep_alive(desk, event.tool_name)
    return _news(desk) if event.tool_name in STARTS_AGENTS else None


def keep_alive(desk: Desk, action: str) -> None:
    """Have a sign of life given, no more often than need be, by an agent that holds a task."""
    mark = beat_mark(desk)
    try:
        seen = os.stat(mark).st_mtime  # noqa: PTH116 - on the way of every tool call
    except OSError:
        return  # it holds nothing
    if desk.now - seen < desk.settings.heartbeat_seconds:
        return
    os.utime(mark, (desk.now, desk.now))
    agent = mark.read_text(encoding="utf-8")
    period = int(desk.now // desk.settings.heartbeat_seconds)
    desk.later("beat", {"agent": agent, "action": action}, key=f"beat:{agent}:{period}")


def beat_mark(desk: Desk) -> Path:
    """Return the file that says under which name the session holds a task, and when it last beat."""
    return desk.notebook.path.with_suffix(".holds")


def _path(event: PostToolUse) -> str:
    found = (event.tool_args.get(name) for name in PATHS)
    return next((path for path in found if isinstance(path, str) and path), "")


def _news(desk: Desk) -> PostToolUseOutput | None:
    """Tell the parent what became of its subagents since it last heard."""
    session = desk.session
    fresh = session.ended[session.told :]
    if not fresh:
        return None
    desk.notebook.add(ChildTold(at=desk.now, count=len(session.ended)))
    rows = [
        f"- {each.type} ({each.id}): {'accepted' if each.accepted else 'NOT accepted, review it'}"
        + (f": {each.summary}" if each.summary else "")
        for each in fresh
    ]
    return PostToolUseOutput(additional_context="BB5 Subagents\n" + "\n".join(rows))
