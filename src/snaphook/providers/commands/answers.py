"""What a hook's document answers, event by event.

HookReply + Event  ->  Output | None

Pure. ``continue: false`` ends the turn in the hosts; where something can still be stopped it stops
that, because a hook that wants the agent to halt does not want the call to go through.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from snaphook import canon
from snaphook.canon import Event, Message, Output, Recipient, Verdict, spec_of

from .documents import HookReply

Fields = dict[str, Any]


def answer(said: HookReply, event: Event) -> Output | None:
    """Return *said* as the output of *event*; ``None`` if it says nothing about it."""
    fields = {
        name: value
        for name, value in READERS[type(event)](said).items()
        if value is not None and value is not UNSET
    }
    messages = _halted(said, event, fields)
    if said.document.system_message:
        messages.append(Message(said.document.system_message))
    if "additional_context" in fields and not hasattr(spec_of(event).output, "additional_context"):
        messages.append(Message(fields.pop("additional_context"), Recipient.AGENT))
    if messages:
        fields["messages"] = tuple(messages)
    return made(event, fields)


def made(event: Event, fields: Fields) -> Output | None:
    """Return the output of *event* that *fields* describe; ``None`` if they are empty."""
    return spec_of(event).output(**fields) if fields else None


def stopped(event: Event, reason: str) -> Fields:
    """Return the fields that stop *event*, or none at all where nothing can."""
    stops = [verdict for verdict in spec_of(event).may_say if verdict.stops]
    return {"decision": stops[0], "reason": reason} if stops else {}


def _halted(said: HookReply, event: Event, fields: Fields) -> list[Message]:
    """Let ``continue: false`` beat every other decision in *fields*; return what the user hears."""
    if said.document.go_on:
        return []
    why = said.document.stop_reason or said.document.reason or "A hook ended the turn"
    for name in ("decision", "reason", "modified_args"):
        fields.pop(name, None)
    stop = {} if isinstance(event, canon.Stop | canon.SubagentStop) else stopped(event, why)
    fields.update(stop)
    return [] if stop else [Message(why)]


def _pre_tool_use(said: HookReply) -> Fields:
    decision = said.permission or said.word
    if said.specific.updated_input is not None and decision in (None, Verdict.ALLOW):
        decision = Verdict.MODIFY
    return {
        "decision": decision,
        "reason": said.specific.permission_decision_reason or said.document.reason,
        "modified_args": said.specific.updated_input,
        "additional_context": said.context,
    }


def _permission_request(said: HookReply) -> Fields:
    match said.specific.decision:
        case {"behavior": "allow", **rest}:
            return {"decision": Verdict.ALLOW, "modified_args": rest.get("updatedInput")}
        case {"behavior": "deny", **rest}:
            return {"decision": Verdict.DENY, "reason": rest.get("message")}
        case _:
            return _yes_or_no(said)


def _yes_or_no(said: HookReply) -> Fields:
    """Read an event that Claude Code decides otherwise or not at all; where nobody asks, ask is no."""
    word = None if said.strict else said.permission or said.word
    if word is None:
        return {}
    decision = Verdict.ALLOW if word is Verdict.ALLOW else Verdict.DENY
    return {
        "decision": decision,
        "reason": said.specific.permission_decision_reason or said.document.reason,
    }


def _sends_back(said: HookReply) -> Fields:
    """Read an event after the fact: blocked with a reason, or not."""
    blocked = {"decision": Verdict.BLOCK, "reason": said.document.reason} if said.refuses else {}
    return {"additional_context": said.context, **blocked}


def _post_tool_use(said: HookReply) -> Fields:
    result = said.specific.updated_tool_output
    if result is UNSET:
        result = said.specific.updated_mcp_tool_output
    return {"modified_result": result, **_sends_back(said)}


def _subagent_stop(said: HookReply) -> Fields:
    """Read it as Stop; context for a child that stops means that it goes on."""
    if said.context and not said.refuses:
        return {"decision": Verdict.BLOCK, "reason": said.context}
    return {"additional_context": None, **_sends_back(said)}


def _post_tool_use_failure(said: HookReply) -> Fields:
    texts = (said.document.reason if said.refuses else None, said.context)
    return {"additional_context": tuple(filter(None, texts)) or None}


def _user_prompt(said: HookReply) -> Fields:
    erased = {"decision": Verdict.DENY, "reason": said.document.reason} if said.refuses else {}
    prompt = said.flat.modified_prompt
    return {"additional_context": said.context, "modified_prompt": prompt, **erased}


def _subagent_start(said: HookReply) -> Fields:
    model = said.flat.model
    return {"additional_context": said.context, "modified_model": model, **_yes_or_no(said)}


def _session_start(said: HookReply) -> Fields:
    return {
        "additional_context": said.context,
        "initial_user_message": said.specific.initial_user_message,
        "modified_config": {"model": said.flat.model} if said.flat.model else None,
    }


def _pre_compact(said: HookReply) -> Fields:
    return {
        "preserve_context": said.flat.preserve_context or None,
        "export_state": said.flat.export_state,
        **_sends_back(said),
    }


def _error_occurred(said: HookReply) -> Fields:
    return {
        "retry": said.flat.retry,
        "fallback_model": said.flat.fallback_model,
        "modified_prompt": said.flat.modified_prompt,
        "backoff_ms": said.flat.backoff_ms,
    }


def _context_only(said: HookReply) -> Fields:
    return {"additional_context": said.context or said.specific.worktree_path}


READERS: Mapping[type[Event], Callable[[HookReply], Fields]] = {
    canon.SessionStart: _session_start,
    canon.UserPromptSubmit: _user_prompt,
    canon.PreToolUse: _pre_tool_use,
    canon.PermissionRequest: _permission_request,
    canon.PostToolUse: _post_tool_use,
    canon.PostToolUseFailure: _post_tool_use_failure,
    canon.Stop: _sends_back,
    canon.SubagentStart: _subagent_start,
    canon.SubagentStop: _subagent_stop,
    canon.PreCompact: _pre_compact,
    canon.ErrorOccurred: _error_occurred,
    canon.Notification: _context_only,
    canon.SessionEnd: _context_only,
    canon.HostEvent: _context_only,
}
