"""What some teams want to be asked about, and most do not: off until a line turns it on."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span


def deletes_branch(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a merged branch being deleted. Off unless the settings turn it on.

    Asks: git branch -d topic
    Asks: git branch --delete topic
    Allows: git branch --list
    Allows: git branch topic
    """
    return call.span if call.subcommand == "branch" and call.has("-d", "--delete") else None


def aborts(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a merge or rebase being given up. Off unless the settings turn it on.

    Asks: git merge --abort
    Asks: git rebase --abort
    Allows: git merge --continue
    Allows: git rebase main
    """
    return call.span if call.has("--abort", "--quit") else None


def deletes_built(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at build output being deleted. Off unless the settings turn it on.

    Asks: rm -rf node_modules
    Asks: find . -name '*.pyc' -delete
    Allows: ls node_modules
    Allows: rm -rf /tmp/x
    """
    return effect.span if scene.places.of(effect.path) is PathClass.BUILT else None


def deletes_temp(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at temporary files being deleted. Off unless the settings turn it on.

    Asks: rm -rf /tmp/build
    Asks: rm -r "${TMPDIR:-/tmp}/build"
    Allows: ls /tmp
    Allows: rm -rf node_modules
    """
    return effect.span if scene.places.of(effect.path) is PathClass.TEMP else None


RULES = (
    Rule(
        id="git.branch-delete",
        answer=GuardAnswer.ASK,
        says="deletes a branch",
        why="the branch name is lost, although its commits are merged",
        instead="Keep the branch.",
        programs=("git",),
        objects_to=deletes_branch,
        optional=True,
    ),
    Rule(
        id="git.abort",
        answer=GuardAnswer.ASK,
        says="aborts a merge or rebase",
        why="resolved conflicts are lost",
        instead="Use --continue instead.",
        programs=("git",),
        objects_to=aborts,
        optional=True,
    ),
    Rule(
        id="delete.built",
        answer=GuardAnswer.ASK,
        says="deletes build output",
        why="rebuilding takes time",
        instead="Rebuild without deleting.",
        acts=(Act.DELETE,),
        objects_to=deletes_built,
        optional=True,
    ),
    Rule(
        id="delete.temp",
        answer=GuardAnswer.ASK,
        says="deletes temporary files",
        why="another program may be using them",
        instead="Keep them; the system removes them.",
        acts=(Act.DELETE,),
        objects_to=deletes_temp,
        optional=True,
    ),
)
