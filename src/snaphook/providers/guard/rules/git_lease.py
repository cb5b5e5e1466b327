"""Forcing a push with a lease: some teams want to be asked about that too."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span
from snaphook.shell.programs.git import turned_on


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a push that is forced, even with a lease. Off unless the settings turn it on.

    Asks: git push --force-with-lease origin topic
    Allows: git push origin topic
    """
    if call.subcommand == "push" and turned_on(call, "--force-with-lease"):
        return call.span
    return None


RULE = Rule(
    id="git.push-lease",
    answer=GuardAnswer.ASK,
    says="force-pushes with --force-with-lease",
    why="the lease does not protect commits that were fetched in the background",
    instead="Push without force.",
    programs=("git",),
    objects_to=objects_to,
    optional=True,
)
