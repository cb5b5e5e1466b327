"""What an agent may do by its role: an executor works on its task, and leaves git to others."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span
from snaphook.shell.text import plain

_LOOKS_TEXT = """
    status diff log show blame grep ls-files ls-tree rev-parse describe cat-file shortlog
    help version config rev-list name-rev reflog for-each-ref
"""
_LOOKS = frozenset(_LOOKS_TEXT.split())


def operates_git(call: Call, scene: RuleContext) -> Span | None:
    """Point at git changing something for an executor. Part of the pack `bb5`.

    Blocks: git commit -m "fix: x"
    Blocks: git push
    Allows: git status
    Allows: git diff HEAD~1
    """
    if not is_executor(scene) or not call.subcommand or call.subcommand in _LOOKS:
        return None
    return call.span


def leaves_task(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a file outside an executor's task that would change. Part of the pack `bb5`.

    An executor's own are the folder of the task it holds, its run folder (`RALF_RUN_DIR`), and what the
    setting `task_scope` adds. One that holds no task has nothing to change.

    Blocks: echo x > ../other/file.txt
    Allows: echo x > tasks/active/T-1/notes.md
    Allows: cat ../other/file.txt
    """
    if not is_executor(scene):
        return None
    path = plain(effect.path)
    if any(_within(path, scope) for scope in _scopes(scene)):
        return None
    return None if scene.places.of(effect.path) is PathClass.TEMP else effect.span


def is_executor(scene: RuleContext) -> bool:
    """Say whether an executor acts: by its own type, or as the subagent of one."""
    return "executor" in (scene.agent, scene.asker.role.name)


def is_planner(scene: RuleContext) -> bool:
    """Say whether a planner acts, and not on behalf of an executor."""
    return scene.agent == "planner" and not is_executor(scene)


def _scopes(scene: RuleContext) -> Iterator[str]:
    given = (*scene.settings.task_scope, scene.world.env.get("RALF_RUN_DIR", ""))
    yield from (_absolute(scope, scene) for scope in given if scope)
    yield from scene.asker.role.folders()


def _absolute(scope: str, scene: RuleContext) -> str:
    if scope.startswith("~"):
        return scene.world.home + scope[1:]
    return scope if scope.startswith("/") else f"{scene.world.project}/{scope}"


def _within(path: str, scope: str) -> bool:
    scope = scope.rstrip("/")
    return path == scope or path.startswith(f"{scope}/") or fnmatchcase(path, scope)


RULES = (
    Rule(
        id="agents.git",
        answer=GuardAnswer.DENY,
        says="changes something in git as an executor",
        why="executors work on files and do not commit",
        instead="Leave the change in the working tree and report it.",
        programs=("git",),
        objects_to=operates_git,
        optional=True,
        pack="bb5",
    ),
    Rule(
        id="agents.scope",
        answer=GuardAnswer.DENY,
        says="changes a file outside the executor's task",
        why="those files belong to other tasks",
        instead="Claim a task (snaphook queue claim) and keep to its folder, or add the path to "
        "[guard] task_scope.",
        acts=(Act.WRITE, Act.OVERWRITE, Act.APPEND, Act.DELETE, Act.MOVE, Act.LINK),
        objects_to=leaves_task,
        optional=True,
        pack="bb5",
    ),
)
