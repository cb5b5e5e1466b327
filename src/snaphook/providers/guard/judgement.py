"""The guard's answer, with its grounds.

Objections  ->  Judgement
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from snaphook.providers.guard.facts import Call, Effect, Span


class Answer(IntEnum):
    """Ordered: where two rules disagree, the larger one wins."""

    ALLOW = 1
    ASK = 2
    DENY = 3


class Objection(Struct, frozen=True, kw_only=True):
    """One rule's no: what it found, why that matters, what to do instead."""

    rule: str
    answer: Answer
    what: str
    why: str
    span: Span
    instead: str = ""


class Judgement(Struct, frozen=True, kw_only=True):
    """What the guard says of one command; the first objection is the strictest."""

    command: str
    answer: Answer
    objections: tuple[Objection, ...] = ()
    calls: tuple[Call, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def rule(self) -> str:
        """The id of the rule that decided, or nothing."""
        return self.objections[0].rule if self.objections else ""

    @property
    def reason(self) -> str:
        """One sentence for whoever asked."""
        if not self.objections:
            return ""
        first = self.objections[0]
        return f"{first.what}: {first.why}"
