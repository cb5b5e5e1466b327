"""What the packs are made of: a change asks, a change in production is refused.

table of looks or harms  ->  Rules of one pack
"""

from __future__ import annotations

from collections.abc import Callable

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.contexts import production
from snaphook.providers.guard.rules.harm import Harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Effect, Span

Finds = Callable[[Call], Span | None]
ObjectsTo = Callable[[Call, RuleContext], Span | None]


def beyond(looks: Harms) -> Finds:
    """Return what finds every call of the programs in *looks* that is not one of its lines."""

    def find(call: Call) -> Span | None:
        if not call.operands or only_asks(call) or looks.find(call) is not None:
            return None
        return call.span

    return find


def in_production(finds: Finds, call: Call, scene: RuleContext) -> Span | None:
    """Return the place of the change that *finds* finds, where it goes to production."""
    found = finds(call)
    return found if found is not None and production(call, scene) else None


def asking(
    pack: str, part: str, *, says: str, why: str, instead: str, programs: tuple[str, ...],
    objects_to: ObjectsTo, answer: GuardAnswer = GuardAnswer.ASK,
) -> Rule:  # fmt: skip
    """Return a rule of *pack* about calls, off until the pack is on."""
    return Rule(
        id=f"{pack}.{part}",
        answer=answer,
        says=says,
        why=why,
        instead=instead,
        programs=programs,
        objects_to=objects_to,
        optional=True,
        pack=pack,
    )


def refusing(
    pack: str, *, programs: tuple[str, ...], objects_to: ObjectsTo, says: str = "changes production"
) -> Rule:
    """Return the rule of *pack* that refuses a change in production."""
    return asking(
        pack,
        "production",
        says=says,
        why="production users depend on it",
        instead="Try it in staging first, and let the user do it in production.",
        programs=programs,
        objects_to=objects_to,
        answer=GuardAnswer.DENY,
    )


def call_of(fact: Call | Effect) -> Call:
    """Return the call that *fact* is, or comes from."""
    return fact if isinstance(fact, Call) else fact.call
