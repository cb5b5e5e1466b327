"""A tool ran: what it changed is noted, and a parent hears of subagents that ended.

PostToolUse  ->  notes        Agent  ->  context

Called after every tool, so it does next to nothing: one line in a file, and every half minute a sign of
life for the agent's claims.
"""

from snaphook.canon import PostToolUse, PostToolUseOutput

from .holding import keep_alive, look_again
from .notes import AnyNote, ChildReported, ToolRan, Wrote
from .scope import EventScope

WRITES = ("Write", "Edit", "MultiEdit", "NotebookEdit")
PATHS = ("file_path", "notebook_path", "path")
CLAIMS = "snaphook queue claim"
STARTS_AGENTS = ("Agent", "Task")


def answer(event: PostToolUse, scope: EventScope) -> PostToolUseOutput | None:
    """Note what the tool did."""
    skill = str(event.tool_args.get("skill", "")) if event.tool_name == "Skill" else ""
    notes: list[AnyNote] = [ToolRan(at=scope.now, tool=event.tool_name, skill=skill)]
    if event.tool_name in WRITES and (path := _path(event)):
        notes.append(Wrote(at=scope.now, path=str(scope.cwd / path)))
    scope.notebook.add(*notes)
    if CLAIMS in str(event.tool_args.get("command", "")):
        look_again(scope)
    keep_alive(scope, event.tool_name)
    return _news(scope) if event.tool_name in STARTS_AGENTS else None


def _path(event: PostToolUse) -> str:
    found = (event.tool_args.get(name) for name in PATHS)
    return next((path for path in found if isinstance(path, str) and path), "")


def _news(scope: EventScope) -> PostToolUseOutput | None:
    """Tell the parent what became of its subagents since it last heard."""
    session = scope.session
    fresh = session.ended[session.told :]
    if not fresh:
        return None
    scope.notebook.add(ChildReported(at=scope.now, count=len(session.ended)))
    rows = [
        f"- {each.type} ({each.id}): {'accepted' if each.accepted else 'NOT accepted, review it'}"
        + (f": {each.summary}" if each.summary else "")
        for each in fresh
    ]
    return PostToolUseOutput(additional_context="BB5 Subagents\n" + "\n".join(rows))
