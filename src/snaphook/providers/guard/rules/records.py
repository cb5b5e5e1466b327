"""The records that agents share: queue, events, communications, tasks, and other protected paths."""

from __future__ import annotations

from fnmatch import fnmatchcase

from snaphook.lazy import regex
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass
from snaphook.providers.guard.rules.agents import is_planner
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span
from snaphook.shell.text import plain

_RECORDS = ("queue.yaml", "events.yaml")
_COMMUNICATIONS = "/.autonomous/agents/communications/"
_SHARED = (
    "/.autonomous/agents/communications",
    "/.autonomous/communications",
    "/communications",
    "",
)
"""Where a workspace keeps them; see `stores.workspace.layout`."""
_TASK = regex(r"/tasks/(?:active|working|in_progress)/[^/]+/task\.md\Z")
_CHANGES = (
    Act.DELETE, Act.MOVE, Act.OVERWRITE, Act.WRITE, Act.APPEND, Act.LINK, Act.PERMIT, Act.OWN,
)  # fmt: skip


def deletes_records(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at the queue or the events of a workspace being deleted, moved away or emptied.

    Blocks: rm queue.yaml
    Blocks: rm -f .autonomous/agents/communications/events.yaml
    Blocks: mv queue.yaml /tmp/
    Blocks: : > events.yaml
    Allows: cat queue.yaml
    Allows: rm old-queue.yaml.bak
    Allows: grep pending queue.yaml
    """
    if effect.act is Act.OVERWRITE and effect.call.program not in (
        ":",
        "true",
        "truncate",
        ">",
        "",
    ):
        return None
    return effect.span if plain(effect.path).rpartition("/")[2] in _RECORDS else None


def changes_protected(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a protected path that would change: the agents' communications, a task, your own.

    The paths are the setting `protected_paths`, and in every workspace its communications and the
    `task.md` of its active tasks. A planner keeps its queue and makes new tasks.

    Blocks: echo x >> ~/.blackbox5/2-engine/.autonomous/agents/communications/chat-log.yaml
    Blocks: sed -i s/a/b/ ~/.blackbox5/5-project-memory/app/tasks/active/T-1/task.md
    Blocks: cp x.yaml .autonomous/agents/communications/heartbeat.yaml
    Allows: cat .autonomous/agents/communications/queue.yaml
    Allows: ls ~/.blackbox5/2-engine/.autonomous/agents/communications/
    """
    path = plain(effect.path)
    if not _is_protected(path, scene):
        return None
    if is_planner(scene) and effect.act not in (Act.DELETE, Act.MOVE):
        name = path.rpartition("/")[2]
        if name == "queue.yaml" or (name == "task.md" and scene.world.kind(path) is None):
            return None
    return effect.span


def _is_protected(path: str, scene: RuleContext) -> bool:
    if _COMMUNICATIONS in f"{path}/" or _is_shared(path, scene):
        return True
    return any(_covers(shape, path, scene) for shape in scene.settings.protected_paths)


def _is_shared(path: str, scene: RuleContext) -> bool:
    """Say whether *path* is a record of a workspace, wherever that lies.

    The name alone does not tell: many projects have a queue.yaml that is theirs.
    """
    folder, _, name = path.rpartition("/")
    if name == "task.md" and (task := _TASK.search(path)):
        return _is_workspace(path[: task.start()], scene)
    return name in _RECORDS and all(scene.world.kind(f"{folder}/{one}") for one in _RECORDS)


def _is_workspace(root: str, scene: RuleContext) -> bool:
    places = (f"{root}/.workspace", *(f"{root}{below}/queue.yaml" for below in _SHARED))
    return any(scene.world.kind(place) for place in places)


def _covers(shape: str, path: str, scene: RuleContext) -> bool:
    """Say whether a path of the settings is *path*, holds it, or is a pattern that it fits."""
    if shape.startswith("~"):
        shape = scene.world.home + shape[1:]
    elif not shape.startswith("/"):
        shape = f"{scene.world.project}/{shape}"
    shape = shape.rstrip("/")
    return path == shape or path.startswith(f"{shape}/") or fnmatchcase(path, shape)


def harms_blackbox(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at what would be deleted or moved away under `.blackbox5/`.

    Asks: rm ~/.blackbox5/notes.md
    Asks: mv .blackbox5/runs /tmp/x
    Allows: ls ~/.blackbox5
    Allows: echo x >> .blackbox5/runs/r-1/THOUGHTS.md
    """
    path = plain(effect.path)
    inside = "/.blackbox5/" in f"{path}/"
    return effect.span if inside and scene.places.of(path) is not PathClass.TEMP else None


def touches_many(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at the first of more files than `bulk_files` (10) that one call deletes or changes.

    Asks: rm a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11
    Allows: rm a1 a2 a3
    Allows: cat a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11
    """
    call = effect.call
    if call.program == "rm" and len(call.operands) <= scene.settings.bulk_files:
        return None
    touched = [one for one in scene.effects if one.call is call and one.act is not Act.READ]
    lasting = {
        one.path
        for one in touched
        if scene.places.of(one.path) not in _FREE and scene.world.exists(one.path) is not False
    }
    first = bool(touched) and touched[0] is effect
    return effect.span if first and len(lasting) > scene.settings.bulk_files else None


_FREE = (PathClass.TEMP, PathClass.BUILT)

RULES = (
    Rule(
        id="records.delete",
        answer=GuardAnswer.DENY,
        says="deletes the agents' queue or event log",
        why="other agents rely on it",
        instead="Change single entries with 'snaphook queue'.",
        acts=(Act.DELETE, Act.MOVE, Act.OVERWRITE),
        objects_to=deletes_records,
    ),
    Rule(
        id="paths.protected",
        answer=GuardAnswer.DENY,
        says="changes a protected path",
        why="it is in protected_paths",
        instead="Describe the change; the user edits the file.",
        acts=_CHANGES,
        objects_to=changes_protected,
    ),
    Rule(
        id="records.blackbox",
        answer=GuardAnswer.ASK,
        says="deletes or moves something under .blackbox5",
        why="it is the agents' record of their work",
        instead="Ask the user to move it to an archive folder.",
        acts=(Act.DELETE, Act.MOVE),
        objects_to=harms_blackbox,
    ),
    Rule(
        id="files.bulk",
        answer=GuardAnswer.ASK,
        says="changes many files at once",
        why="a mistake would affect many files",
        instead="Change a few files at a time, or explain why all are needed.",
        acts=(Act.DELETE, Act.MOVE, Act.WRITE),
        objects_to=touches_many,
    ),
)
