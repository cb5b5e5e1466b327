"""What a person allowed although a rule objects.

Judgement + what is allowed  ->  a milder Judgement, or how a person could allow it

Never lifted: what protects the guard itself (``self.*``), and what an administrator fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import HookContext, Message, PreToolUse, PreToolUseOutput, Recipient
from snaphook.providers.guard.judgement import Answer, Judgement, judged
from snaphook.providers.guard.own.tables import MANAGED
from snaphook.providers.guard.settings import GuardSettings


class Stop(Struct, frozen=True, kw_only=True):
    """A call that rules would stop, as a person would have to allow it."""

    command: str
    tool: str
    rules: frozenset[str]
    """The ordinary rules that stop it."""
    fixed: bool
    """Something stops it as well that nobody lifts."""
    reason: str
    project: str
    cwd: str
    session: str
    call: str = ""
    """The host's name for this very call, where it has one."""


class Lifted(Struct, frozen=True, kw_only=True):
    """What a person said about a stop."""

    note: str
    warns: bool = False
    """Every ordinary rule only warns; else this call alone goes on."""


class WayOut(Protocol):
    """Whoever knows what a person allowed."""

    def lifted(self, stop: Stop) -> Lifted | None:
        """Return what allows *stop*, used up by this where it was for once."""

    def stopped(self, stop: Stop) -> str:
        """Hear that *stop* stands; return how a person could allow it."""


def out(
    way: WayOut,
    judgement: Judgement,
    settings: GuardSettings,
    event: PreToolUse,
    context: HookContext,
    stopped: Callable[[Judgement], PreToolUseOutput],
) -> PreToolUseOutput:
    """Return what is said of a call that rules would stop; *stopped* says it where nothing is lifted."""
    if not settings.overrides:
        return stopped(judgement)
    stop = stop_of(judgement, settings, event, context)
    lifted = way.lifted(stop) if stop.rules else None
    if lifted is None:
        told = stopped(judgement)
        if told.decision is None or stop.fixed:
            return told
        return replace(told, reason=f"{told.reason}\n{way.stopped(stop)}")
    note = Message(lifted.note, Recipient.BOTH)
    if not lifted.warns:
        return PreToolUseOutput(rule=judgement.rule, messages=(note,))
    told = stopped(softened(judgement, settings))
    return replace(told, messages=(note, *told.messages))


def stop_of(
    judgement: Judgement, settings: GuardSettings, event: PreToolUse, context: HookContext
) -> Stop:
    """Return what a person would have to allow."""
    stopping = stopping_rules(judgement)
    ordinary = frozenset(rule for rule in stopping if is_ordinary(rule, settings))
    return Stop(
        command=judgement.command,
        tool=event.tool_name,
        rules=ordinary,
        fixed=ordinary != stopping,
        reason=judgement.reason,
        project=context.team_root or context.cwd,
        cwd=context.cwd or context.team_root,
        session=context.session_id,
        call=event.tool_use_id or "",
    )


def stopping_rules(judgement: Judgement) -> frozenset[str]:
    """Return the rules that would not let the call go on."""
    return frozenset(
        one.rule for one in judgement.objections if one.enforced and one.answer > Answer.WARN
    )


def softened(judgement: Judgement, settings: GuardSettings) -> Judgement:
    """Return *judgement* with every ordinary objection a warning."""
    milder = [
        replace(one, answer=min(one.answer, Answer.WARN))
        if is_ordinary(one.rule, settings)
        else one
        for one in judgement.objections
    ]
    return judged(
        judgement.command,
        milder,
        calls=judgement.calls,
        effects=judgement.effects,
        unread=judgement.unread,
    )


def is_ordinary(rule: str, settings: GuardSettings) -> bool:
    """Say whether a person at this machine may lift what *rule* says."""
    return not rule.startswith("self.") and rule not in _fixed(settings)


def _fixed(settings: GuardSettings) -> frozenset[str]:
    """Return the rules that an administrator's settings speak of."""
    managed: Mapping[str, Any] = settings.managed.get("rules", {})
    own = {one.id for one in settings.own if one.standing == MANAGED}
    roles = {f"role.{one.name}" for one in settings.roles if one.standing == MANAGED}
    return frozenset([*managed, *own, *roles])
