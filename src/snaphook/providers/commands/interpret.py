"""What came of a hook, told as an output.

PlannedHook + Event + Completed  ->  HookReading

Pure: the tables of ``dialects`` decide, nothing else. A timeout, a signal and a command that could
not be started are failures, never an exit code.
"""

import signal

import msgspec
from msgspec import Struct

from snaphook import canon
from snaphook.canon import Event, Message, Output, Recipient, Stance
from snaphook.canon.combine import combine
from snaphook.process import Completed

from .answers import answer, made, stopped
from .dialects import FALLBACK, NEVER_CLOSED, Json, StderrEffect, Stdout
from .documents import HookReply, MeansNothing, NotUnderstood, understand
from .plan import PlannedHook


class HookReading(Struct, frozen=True):
    """What one hook's end means."""

    output: Output | None = None
    stops: bool = False
    """It ended with the exit code that blocks, or its document says so."""
    problem: str | None = None
    """What its author should know; it goes to the log."""


def interpret(planned: PlannedHook, event: Event, completed: Completed) -> HookReading:
    """Return what *completed* says about *event* in the hook's dialect."""
    if completed.exit_code is None:
        return _failed(planned, event, trouble(planned, completed))
    try:
        said = _document(planned, event, completed)
    except NotUnderstood as error:
        return _not_understood(planned, event, completed, error)
    if said is None:
        return _by_exit_code(planned, event, completed)
    output = _reasoned(answer(said, event), planned)
    if completed.exit_code == 2 and _json(planned) is Json.BESIDE:
        blocked = _blocked(planned, event, completed, instead=canon.reason(output))
        return HookReading(combine([blocked.output, output]), blocked.stops)
    return HookReading(output, _stops(output))


def trouble(planned: PlannedHook, completed: Completed) -> str:
    """Return what went wrong with a hook that did not end by itself, and what to do about it."""
    if completed.timed_out:
        seconds = f"{completed.duration:.1f}"
        what, fix = f"timed out after {seconds} s and was stopped", "Raise its timeout or fix it."
    elif completed.signal:
        what = f"was killed by {_signal_name(completed.signal)}"
        fix = "Run it by hand to see why."
    elif completed.cancelled:
        what, fix = "was stopped because the call was cancelled", "Nothing needs doing."
    else:
        what = f"failed to run: {completed.failure}"
        fix = "Check its command and its directory."
    return f"hook '{planned.label}': {what}. {fix}"


def _json(planned: PlannedHook) -> Json:
    match planned.hook.json_output:
        case None:
            return planned.rules.json
        case True:
            return planned.rules.json_if_asked
        case False:
            return Json.UNREAD


def _document(planned: PlannedHook, event: Event, completed: Completed) -> HookReply | None:
    only_on_success = planned.rules.row(event.event_name).stdout is Stdout.DOCUMENT
    if _json(planned) is Json.UNREAD and not (only_on_success and completed.ok):
        return None
    text = completed.stdout.text.strip()
    return understand(text, event.event_name, strict=planned.rules.strict)


def _not_understood(
    planned: PlannedHook, event: Event, completed: Completed, error: NotUnderstood
) -> HookReading:
    """Let the exit code decide; a success whose words were lost is a failure to be told."""
    problem = f"hook '{planned.label}': its JSON output is invalid: {error}. Fix what it prints."
    if not completed.ok:
        return msgspec.structs.replace(_by_exit_code(planned, event, completed), problem=problem)
    if isinstance(error, MeansNothing):
        return HookReading(problem=problem)
    return _failed(planned, event, problem)


def _reasoned(output: Output | None, planned: PlannedHook) -> Output | None:
    """Return *output* with a reason where it stops without one: silence helps nobody."""
    if output is None or not _stops(output) or canon.reason(output):
        return output
    why = f"hook '{planned.label}' blocked this without giving a reason"
    return msgspec.structs.replace(output, reason=why)


def _by_exit_code(planned: PlannedHook, event: Event, completed: Completed) -> HookReading:
    match completed.exit_code:
        case 0:
            return HookReading(_succeeded(planned, event, completed))
        case 2:
            return _blocked(planned, event, completed)
        case _:
            return _failed(planned, event, _stderr(planned, completed))


def _succeeded(planned: PlannedHook, event: Event, completed: Completed) -> Output | None:
    text = completed.stdout.text.strip()
    if not text:
        return None
    match planned.rules.row(event.event_name).stdout:
        case Stdout.CONTEXT | Stdout.PATH:
            return made(event, {"additional_context": (text,)})
        case Stdout.INSTRUCTIONS:
            return made(event, {"preserve_context": (text,)})
        case Stdout.IGNORED | Stdout.DOCUMENT:
            return None


def _blocked(
    planned: PlannedHook, event: Event, completed: Completed, *, instead: str | None = None
) -> HookReading:
    """Return what exit 2 means: the row's effect, with stderr for the reason."""
    name, why = event.event_name, _stderr(planned, completed, instead)
    if name in NEVER_CLOSED and "can't open file" in why:  # Python's exit 2 for a lost script
        return _failed(planned, event, why)
    match planned.rules.row(name).exit_2:
        case StderrEffect.STOPS:
            return HookReading(made(event, stopped(event, why)), stops=True)
        case StderrEffect.AGENT:
            return HookReading(_told(event, why, Recipient.AGENT))
        case StderrEffect.USER:
            return HookReading(_told(event, why, Recipient.USER))


def _failed(planned: PlannedHook, event: Event, why: str) -> HookReading:
    """Return what a failure means: the user hears of it, and a closed stance stops the call."""
    closed = planned.hook.stance is Stance.CLOSED and event.event_name not in NEVER_CLOSED
    if closed and (fields := stopped(event, why)):
        return HookReading(made(event, fields), stops=True, problem=why)
    return HookReading(_told(event, why, Recipient.USER), problem=why)


def _told(event: Event, text: str, to: Recipient) -> Output | None:
    if to is Recipient.AGENT and isinstance(event, canon.PostToolUseFailure):
        return made(event, {"additional_context": (text,)})
    return made(event, {"messages": (Message(text, to),)})


def _stderr(planned: PlannedHook, completed: Completed, instead: str | None = None) -> str:
    said = completed.stderr.text.strip() or instead
    return said or f"{FALLBACK}: hook '{planned.label}' (exit code {completed.exit_code})"


def _stops(output: Output | None) -> bool:
    said = canon.verdict(output)
    return said is not None and said.stops


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
