"""What is said about a call, and what is kept of that.

Objection + what a person allowed  ->  PreToolUseOutput, Judged
"""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, Protocol

from snaphook.canon import HookContext, Message, PreToolUse, PreToolUseOutput, Recipient, Verdict
from snaphook.stores.overrides.override import BlockedCall, Level
from snaphook.stores.provenance.entries import Judged

from .judge import Objection
from .message import message
from .settings import ProvenanceSettings

if TYPE_CHECKING:
    from snaphook.stores.overrides.registry import OverrideMatch


class Overrides(Protocol):
    """Whoever knows what a person allowed."""

    def find(self, call: BlockedCall) -> OverrideMatch | None:
        """Return what allows *call*, used up by this where it was for once."""

    def report(self, call: BlockedCall) -> str:
        """Note that *call* was blocked; return how a person could allow it."""


def said(
    objection: Objection,
    settings: ProvenanceSettings,
    overrides: Overrides | None,
    event: PreToolUse,
    context: HookContext,
) -> PreToolUseOutput:
    """Return what agent and person are told."""
    rule, verdict, told = objection.rule, objection.verdict, message(objection)
    if settings.mode == "audit":
        return PreToolUseOutput(rule=rule, would=verdict)
    if verdict is None:
        return PreToolUseOutput(rule=rule, messages=(Message(told, Recipient.BOTH),))
    if overrides is None:
        return PreToolUseOutput(decision=verdict, reason=told, rule=rule)
    call = blocked_call(objection, event, context)
    found = overrides.find(call)
    if found is not None:
        return PreToolUseOutput(rule=rule, messages=(Message(found.note, Recipient.BOTH),))
    how = overrides.report(call)
    return PreToolUseOutput(decision=verdict, reason=f"{told}\n{how}".rstrip(), rule=rule)


def blocked_call(objection: Objection, event: PreToolUse, context: HookContext) -> BlockedCall:
    """Return what a person would have to allow."""
    command = event.tool_args.get("command")
    return BlockedCall(
        command=command if isinstance(command, str) and command else objection.what,
        tool=event.tool_name,
        rules=frozenset({objection.rule}),
        fixed=False,
        reason=objection.reason,
        project=context.team_root or context.cwd,
        cwd=context.cwd or context.team_root,
        session=context.session_id,
        call=event.tool_use_id or "",
        level=Level.DENY if objection.verdict is Verdict.DENY else Level.ASK,
    )


def judged(
    objection: Objection,
    output: PreToolUseOutput,
    event: PreToolUse,
    context: HookContext,
    number: int,
) -> Judged:
    """Return what ``snaphook trace`` shows of a verdict."""
    from snaphook.scrub import Scrubber  # only where something is objected to

    verdict = output.decision or output.would
    return Judged(
        number=number,
        tool=event.tool_name,
        what=Scrubber(personal=False).start_of(objection.what, 300),
        rule=objection.rule,
        verdict=(f"would {verdict}" if output.would else str(verdict)) if verdict else "allow",
        time=context.timestamp or time(),
        call=event.tool_use_id or "",
        findings=objection.findings,
    )
