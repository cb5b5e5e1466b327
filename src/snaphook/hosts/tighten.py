"""What a host can be told of what was decided.

Event + Output + Can  ->  HostDecision

A host that lacks a verdict hears the next stricter one, never a milder one: who cannot rewrite a
call asks, who cannot ask refuses. Only where there is nothing to be strict with (a host that lets
nobody block its Stop) does the reason travel as a note instead. Pure.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.json import encode as to_json

from snaphook.canon import (
    Event,
    Output,
    PermissionRequest,
    PostToolUse,
    PreCompact,
    Recipient,
    ToolEvent,
    Verdict,
    contexts,
)

from .host import Can

_STRICTER = {Verdict.MODIFY: Verdict.ASK, Verdict.ASK: Verdict.DENY}
_UNABLE = {
    Verdict.MODIFY: "does not support changing this",
    Verdict.ASK: "does not support asking the user here",
}
_INSTEAD = {Verdict.ASK: "so the user is asked", Verdict.DENY: "so it was denied"}


class HostDecision(Struct, frozen=True, kw_only=True):
    """What is left to say, in terms the host honours."""

    verdict: Verdict | None = None
    reason: str = ""
    """Never empty where the verdict stops something: some hosts let a call run for want of it."""
    args: dict[str, Any] | None = None
    """Our names; the host's module translates them."""
    prompt: str | None = None
    result: Any | UnsetType = UNSET
    context: str = ""
    """For the model."""
    note: str = ""
    """For the person."""
    approved: bool = False
    """The rewritten call was allowed outright: it needs no prompt."""


def host_decision(event: Event, output: Output, can: Can, host: str) -> HostDecision:
    """Return what *host* can be told of *output* about *event*.

    What the host has no channel for is folded into one it has: a block it does not know becomes
    context, context it would lose goes to the person.
    """
    args: dict[str, Any] | None = getattr(output, "modified_args", None)
    prompt: str | None = getattr(output, "modified_prompt", None)
    wanted = _wanted(event, output, can)
    verdict = tighten(wanted, _able(can, event))
    reason = _reason(output, wanted, verdict, host)
    context = [*contexts(output), *_messages(output, Recipient.AGENT)]
    note = _messages(output, Recipient.USER)
    if verdict is Verdict.MODIFY and reason:
        note.insert(0, reason)
    if wanted is not None and wanted.stops and verdict is None:
        (note if isinstance(event, PreCompact) else context).append(_unheard(event, reason, host))
    if verdict in (Verdict.ASK, Verdict.DENY) and wanted is Verdict.MODIFY:
        reason = f"{reason} Instead: {_proposal(args, prompt)}"
        args = prompt = None
    if not can.context and context and not (verdict and verdict.stops):
        note, context = [*note, *context], []
    elif not can.context:
        reason, context = "\n".join([reason, *context]), []
    return HostDecision(
        verdict=verdict,
        reason=reason,
        args=args if Verdict.MODIFY in can.say else None,
        prompt=prompt if can.replace else None,
        result=_result(output) if can.replace else UNSET,
        context="\n\n".join(context),
        note="\n".join(note),
        approved=verdict is Verdict.MODIFY and _approves(output, args),
    )


def tighten(wanted: Verdict | None, able: tuple[Verdict, ...]) -> Verdict | None:
    """Return *wanted* if the host is *able* to hear it, else the next stricter verdict it knows.

    An allow the host does not know becomes no opinion: its own rules then decide, which is
    stricter. ``None`` for a refusal means that this host gives nobody a way to refuse.
    """
    while wanted is not None and wanted not in able:
        wanted = _STRICTER.get(wanted)
    return wanted


def _able(can: Can, event: Event) -> tuple[Verdict, ...]:
    """Return what the host honours here: in a mode that approves everything, nobody is asked."""
    able = can.say
    if event.context.headless and can.unattended is not None:
        able = can.unattended
    if event.context.permission_mode in can.unasked:
        able = tuple(verdict for verdict in able if verdict is not Verdict.ASK)
    return able


def _wanted(event: Event, output: Output, can: Can) -> Verdict | None:
    """Return the verdict, counting a rewrite as one.

    A permission granted for changed arguments is no permission for the ones the host holds.
    """
    decision: Verdict | None = getattr(output, "decision", None)
    if _rewrites(output) and (decision is None or decision is Verdict.ALLOW):
        if isinstance(event, PermissionRequest):
            return decision if Verdict.MODIFY in can.say else None
        return Verdict.MODIFY
    return decision


def _approves(output: Output, args: dict[str, Any] | None) -> bool:
    """Say whether the call was approved as it is now rewritten, not as it was before."""
    return args is not None and getattr(output, "approved_args", None) == args


def _rewrites(output: Output) -> bool:
    changed = (getattr(output, "modified_args", None), getattr(output, "modified_prompt", None))
    return changed != (None, None)


def _reason(output: Output, wanted: Verdict | None, verdict: Verdict | None, host: str) -> str:
    given = getattr(output, "reason", None) or ""
    if wanted is None:
        return ""
    reason = given or (f"{output.by or 'A hook'} gave no reason." if wanted.stops else "")
    if verdict is wanted or verdict is None:
        return reason
    why = f"({host} {_UNABLE[wanted]}, {_INSTEAD[verdict]}.)"
    return f"{reason} {why}".strip()


def _unheard(event: Event, reason: str, host: str) -> str:
    """Return what is left of a stop the host does not know; a remark on a result loses nothing."""
    if isinstance(event, PostToolUse):
        return reason
    return f"{reason} ({host} does not support blocking this.)"


def _messages(output: Output, to: Recipient) -> list[str]:
    return [m.text for m in output.messages if m.to is to or m.to is Recipient.BOTH]


def _proposal(args: dict[str, Any] | None, prompt: str | None) -> str:
    if prompt is not None:
        return prompt
    if args is not None and isinstance(args.get("command"), str):
        return str(args["command"])
    return to_json(args).decode()


def _result(output: Output) -> Any | UnsetType:
    result = getattr(output, "modified_result", UNSET)
    if result is UNSET and getattr(output, "suppress_output", False):
        return "(output withheld)"
    return result


def clip(text: str, limit: int) -> str:
    """Return *text*, cut to *limit* characters with a word about the rest."""
    if len(text) <= limit:
        return text
    note = f"\n… [{len(text) - limit} more characters]"
    return text[: limit - len(note)] + note


def their_tool(event: ToolEvent) -> str:
    """Return the host's own name of the tool that *event* is about."""
    return str(event.extra.get("tool_name", event.tool_name))
