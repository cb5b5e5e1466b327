"""The guard's answer, with its grounds.

Objections  ->  Judgement
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from snaphook.shell.facts import Call, Effect, Span
from snaphook.shell.gaps import Unknown

if TYPE_CHECKING:
    from snaphook.providers.guard.traces import SessionTraces


class GuardAnswer(IntEnum):
    """Ordered: where two rules disagree, the larger one wins."""

    ALLOW = 1
    WARN = 2
    ASK = 3
    DENY = 4


class Objection(Struct, frozen=True, kw_only=True):
    """One rule's no: what it found, why that matters, what to do instead.

    Not *enforced*: it is written down and stops nothing.
    """

    rule: str
    answer: GuardAnswer
    what: str
    why: str
    span: Span
    instead: str = ""
    enforced: bool = True


class Judgement(Struct, frozen=True, kw_only=True):
    """What the guard says of one command; the objection that decides comes first."""

    command: str
    answer: GuardAnswer
    objections: tuple[Objection, ...] = ()
    calls: tuple[Call, ...] = ()
    effects: tuple[Effect, ...] = ()
    unread: tuple[Unknown, ...] = ()
    traces: SessionTraces | None = None
    """What later calls of the session are judged by."""
    assigned: frozenset[tuple[str, bool]] = frozenset()
    """The variables that the command sets, each with whether that lasts beyond one call."""
    stake: tuple[str, ...] = ()
    """What a stopped call would cost, in phrases."""

    @property
    def unknown(self) -> tuple[Unknown, ...]:
        """The parts of the command that are not understood, each with its reason."""
        from snaphook.providers.guard.unknown import unknown_parts  # only who asks pays for it

        return tuple(unknown_parts(self))

    @property
    def understood(self) -> bool:
        """Whether *effects* are all that the command does: it runs no code that nobody has read."""
        return not self.unknown

    @property
    def would(self) -> GuardAnswer:
        """The answer if every objection were enforced."""
        return max((one.answer for one in self.objections), default=GuardAnswer.ALLOW)

    @property
    def rule(self) -> str:
        """The id of the rule that decided, or nothing."""
        return self.objections[0].rule if self.objections else ""

    @property
    def rules(self) -> frozenset[str]:
        """The ids of all rules that object."""
        return frozenset(one.rule for one in self.objections)

    @property
    def reason(self) -> str:
        """One sentence for whoever asked."""
        if not self.objections:
            return ""
        first = self.objections[0]
        return f"{first.what}: {first.why}"


def judged(
    command: str,
    objections: Iterable[Objection],
    *,
    calls: tuple[Call, ...] = (),
    effects: tuple[Effect, ...] = (),
    unread: tuple[Unknown, ...] = (),
) -> Judgement:
    """Return what *objections* come to: the enforced first, then the stricter, then in the text."""
    found = sorted(objections, key=lambda one: (not one.enforced, -one.answer, one.span))
    decides = found[0] if found and found[0].enforced else None
    return Judgement(
        command=command,
        answer=decides.answer if decides else GuardAnswer.ALLOW,
        objections=tuple(found),
        calls=calls,
        effects=effects,
        unread=unread,
    )
