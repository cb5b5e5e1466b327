"""Apply what a person allowed although a rule objects.

Judgement + override  ->  a milder Judgement, or how a person could allow the call

Never lifted: what protects the guard itself (``self.*``), and what an administrator fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from snaphook.canon import HookContext, Message, PreToolUse, PreToolUseOutput, Recipient
from snaphook.providers.guard.custom_rules.tables import MANAGED
from snaphook.providers.guard.judgement import GuardAnswer, Judgement, judged
from snaphook.providers.guard.settings import GuardSettings
from snaphook.stores.overrides.override import BlockedCall, Level

if TYPE_CHECKING:
    from snaphook.stores.overrides.registry import OverrideMatch


class Overrides(Protocol):
    """Whoever knows what a person allowed."""

    def find(self, call: BlockedCall) -> OverrideMatch | None:
        """Return what allows *call*, used up by this where it was for once."""

    def report(self, call: BlockedCall) -> str:
        """Note that *call* was blocked; return how a person could allow it."""


def apply_override(
    overrides: Overrides,
    judgement: Judgement,
    settings: GuardSettings,
    event: PreToolUse,
    context: HookContext,
    stopped: Callable[[Judgement], PreToolUseOutput],
) -> PreToolUseOutput:
    """Return the output for a call that rules would stop; *stopped* makes it where nothing is lifted."""
    if not settings.overrides:
        return stopped(judgement)
    call = blocked_call(judgement, settings, event, context)
    found = overrides.find(call) if call.rules else None
    if found is None:
        output = stopped(judgement)
        if output.decision is None or call.fixed:
            return output
        return replace(output, reason=f"{output.reason}\n{overrides.report(call)}")
    note = Message(found.note, Recipient.BOTH)
    if not found.pauses:
        return PreToolUseOutput(rule=judgement.rule, messages=(note,))
    output = stopped(softened(judgement, settings))
    return replace(output, messages=(note, *output.messages))


def blocked_call(
    judgement: Judgement, settings: GuardSettings, event: PreToolUse, context: HookContext
) -> BlockedCall:
    """Return what a person would have to allow."""
    stopping = stopping_rules(judgement)
    ordinary = frozenset(rule for rule in stopping if is_ordinary(rule, settings))
    return BlockedCall(
        command=judgement.command,
        tool=event.tool_name,
        rules=ordinary,
        fixed=ordinary != stopping,
        reason=judgement.reason,
        project=context.team_root or context.cwd,
        cwd=context.cwd or context.team_root,
        session=context.session_id,
        call=event.tool_use_id or "",
        level=_level(judgement, settings),
    )


def _level(judgement: Judgement, settings: GuardSettings) -> Level:
    """Return what an override must lift: a denial, or only a question."""
    denies = any(
        one.enforced and one.answer >= GuardAnswer.DENY and is_ordinary(one.rule, settings)
        for one in judgement.objections
    )
    return Level.DENY if denies else Level.ASK


def stopping_rules(judgement: Judgement) -> frozenset[str]:
    """Return the rules that would not let the call go on."""
    return frozenset(
        one.rule for one in judgement.objections if one.enforced and one.answer > GuardAnswer.WARN
    )


def softened(judgement: Judgement, settings: GuardSettings) -> Judgement:
    """Return *judgement* with every ordinary objection a warning."""
    milder = [
        replace(one, answer=min(one.answer, GuardAnswer.WARN))
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
