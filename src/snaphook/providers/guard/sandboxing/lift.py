"""Let a command run unconfined, because a person allowed it.

confined command + override  ->  a note instead of a prefix

An override of the sandbox is for one command, like that of a rule: ``snaphook allow`` shows the command and
asks for the same proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from snaphook.canon import HookContext, Message, Recipient, ToolEvent
from snaphook.stores.overrides.override import BlockedCall, Level

if TYPE_CHECKING:
    from snaphook.providers.guard.overrides import Overrides

RULE = "sandbox"


def confined_call(command: str, reason: str, event: ToolEvent, context: HookContext) -> BlockedCall:
    """Return *command* as a person would have to allow it."""
    return BlockedCall(
        command=command,
        tool=event.tool_name,
        rules=frozenset({RULE}),
        fixed=False,
        reason=reason,
        project=context.team_root or context.cwd,
        cwd=context.cwd or context.team_root,
        session=context.session_id,
        call=event.tool_use_id or "",
        level=Level.DENY,
    )


def lifted(
    overrides: Overrides | None, command: str, event: ToolEvent, context: HookContext
) -> Message | None:
    """Return the note for a command that a person let run unconfined; nothing where nobody did.

    A pause makes rules warn; the sandbox does not object to anything, so it goes on.
    """
    if overrides is None:
        return None
    found = overrides.find(confined_call(command, "", event, context))
    if found is None or found.pauses:
        return None
    return Message(f"{found.note} It runs without the sandbox.", Recipient.BOTH)
