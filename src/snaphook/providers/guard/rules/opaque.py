"""Commands that only the run could explain."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span


def objects_to(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at what could not be understood.

    Asks: $TOOL --all
    Allows: X=ls; $X -l
    """
    return effect.span


RULE = Rule(
    id="opaque",
    answer=GuardAnswer.ASK,
    says="runs something that cannot be known before it runs",
    why="a command that cannot be read cannot be judged",
    instead="Spell the program and its text out.",
    acts=(Act.OPAQUE,),
    objects_to=objects_to,
)
