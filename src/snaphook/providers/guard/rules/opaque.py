"""Commands that only the run could explain."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.allowed_hosts import all_allowed
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.evaluation.origins import DOWNLOAD
from snaphook.shell.facts import Act, Effect, Span


def objects_to(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at what could not be understood.

    Asks: $TOOL --all
    Allows: X=ls; $X -l
    """
    if effect.language == DOWNLOAD:  # `remote.unread` says so
        return None
    if effect.detail.startswith(_GIVEN) and all_allowed(scene.effects, scene.settings):
        return None
    return effect.span


_GIVEN = "the text that"
"""How the reason begins where a shell is given text that only the run knows."""


RULE = Rule(
    id="opaque",
    answer=GuardAnswer.ASK,
    says="runs code that is known only at run time",
    why="the guard cannot evaluate it",
    instead="Write the program and its arguments literally.",
    acts=(Act.OPAQUE,),
    objects_to=objects_to,
)
