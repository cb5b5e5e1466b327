"""Ask everyone, in turn or at once, and follow a call through its changes.

Event + Links  ->  Answers

A later hook must not carry a call past an earlier check: whoever judged an older version of the
call is asked again about the newest one, until nobody changes it any more.
"""

from collections.abc import Mapping, Sequence
from types import CoroutineType
from typing import Any

import msgspec

from snaphook.canon import (
    Event,
    Output,
    PermissionRequest,
    PostToolUse,
    PreToolUse,
    UserPromptSubmit,
    Verdict,
    spec_of,
    verdict,
)

from .binding import HookBinding, failure_of
from .outcome import ProviderAnswer

CHANGES: Mapping[type[Event], tuple[str, str]] = {
    UserPromptSubmit: ("modified_prompt", "prompt"),
    PreToolUse: ("modified_args", "tool_args"),
    PermissionRequest: ("modified_args", "tool_args"),
    PostToolUse: ("modified_result", "tool_result"),
}
"""The output field that changes an event's field for everyone asked after."""

MAX_ROUNDS = 3
"""How often a changed call goes round again before the hooks are told to make up their minds."""


async def first_to_speak(bindings: Sequence[HookBinding], event: Event) -> list[ProviderAnswer]:
    """Return the answers up to the first that is one; none at all if nobody has an opinion.

    Most hooks have nothing to say about most calls, so silence is heard without keeping books.
    """
    context = event.context
    for i, binding in enumerate(bindings):
        try:
            if binding.timeout is None:
                returned: Any = binding.hook(event, context)
                if type(returned) is CoroutineType or hasattr(returned, "__await__"):
                    returned = await returned
            else:
                returned = await binding.returned(event)
            if returned is None:
                continue
            answer = binding.validated(returned)
        except BaseException as problem:  # noqa: BLE001 - whatever a provider does, the agent lives on
            answer = binding.failed(failure_of(problem))
        return [*(ProviderAnswer(by=silent.by) for silent in bindings[:i]), answer]
    return []


async def ask_all(
    bindings: Sequence[HookBinding], event: Event, answers: Sequence[ProviderAnswer] = ()
) -> list[ProviderAnswer]:
    """Ask *bindings* in turn; each hears the call as those before it left it.

    *answers* are those already given about this very event, by the first of the links.
    """
    seen = [event] * len(answers)
    answers = list(answers)
    if answers:
        event = _changed(event, answers[-1].output)
    for binding in bindings[len(answers) :]:
        seen.append(event)
        answers.append(await binding.ask(event))
        event = _changed(event, answers[-1].output)
    if seen and event is not seen[0] and _can_deny(event) and not _stopped(answers):
        answers += await _ask_again(bindings, seen, event, answers)
    return answers


async def ask_until_first(bindings: Sequence[HookBinding], event: Event) -> list[ProviderAnswer]:
    """Ask *bindings* in turn until one has an opinion: the seed's literal rule."""
    answers = []
    for binding in bindings:
        answers.append(await binding.ask(event))
        if _has_opinion(answers[-1].output):
            break
    return answers


def _has_opinion(output: Output | None) -> bool:
    """Say whether *output* is more than a note of what would have been said."""
    return output is not None and getattr(output, "would", None) is None


async def ask_at_once(bindings: Sequence[HookBinding], event: Event) -> list[ProviderAnswer]:
    """Ask *bindings* side by side where any of them may wait; answers keep their order."""
    if len(bindings) < 2 or not any(binding.suspends for binding in bindings):
        return [await binding.ask(event) for binding in bindings]
    import asyncio  # only hooks that really wait need it

    return list(await asyncio.gather(*(binding.ask(event) for binding in bindings)))


async def _ask_again(
    bindings: Sequence[HookBinding], seen: list[Event], event: Event, answers: list[ProviderAnswer]
) -> list[ProviderAnswer]:
    """Ask whoever judged an older version about the newest; contexts and notes are not repeated."""
    author = max(i for i, answer in enumerate(answers) if _changes(seen[i], answer.output))
    more: list[ProviderAnswer] = []
    for _ in range(MAX_ROUNDS):
        stale = [i for i in range(len(bindings)) if seen[i] is not event and i != author]
        if not stale:
            return more
        for i in stale:
            seen[i] = event
            answer = await bindings[i].ask(event, again=True)
            if _changes(event, answer.output):
                author, event = i, _changed(event, answer.output)
            more.append(_bare(answer, event))
    return [*more, _unsettled(bindings, event)]


def _changes(event: Event, output: Output | None) -> bool:
    return _changed(event, output) is not event


def _changed(event: Event, output: Output | None) -> Event:
    if output is None or (pair := CHANGES.get(type(event))) is None:
        return event
    source, target = pair
    new: Any = getattr(output, source)
    if new is None or new is msgspec.UNSET or new == getattr(event, target):
        return event
    return msgspec.structs.replace(event, **{target: new})


def _bare(answer: ProviderAnswer, event: Event) -> ProviderAnswer:
    """Return *answer* with nothing but its ruling and its change."""
    if answer.output is None:
        return answer
    kept = {
        name: value
        for name in ("decision", "reason", "by", *CHANGES[type(event)][:1])
        if (value := getattr(answer.output, name, None)) is not None
    }
    return msgspec.structs.replace(answer, output=type(answer.output)(**kept))


def _unsettled(bindings: Sequence[HookBinding], event: Event) -> ProviderAnswer:
    names = ", ".join(binding.by for binding in bindings)
    spec = spec_of(event)
    stop = next((returned for returned in spec.may_say if returned.stops), None)
    reason = f"engine: hooks keep rewriting this call ({names}). Make them agree on one result."
    output = spec.output(decision=stop, reason=reason, by="engine") if stop else None  # type: ignore[call-arg]
    return ProviderAnswer(by="engine", output=output, again=True)


def _can_deny(event: Event) -> bool:
    return Verdict.DENY in spec_of(event).may_say


def _stopped(answers: Sequence[ProviderAnswer]) -> bool:
    return any(
        (returned := verdict(answer.output)) is not None and returned.stops for answer in answers
    )
