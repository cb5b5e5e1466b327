"""Recovery: wait, ask another model, shorten, or stop; and tell someone when it keeps failing.

ErrorOccurred  ->  class  ->  remedy + circuit + fallback chain  ->  ErrorRecoveryOutput

A model's failures are counted over every session of this machine. Once its circuit is open, new
sessions and subagents start on the next model of the chain, and one at a time may try it again.
"""

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from snaphook.canon import (
    ErrorOccurred,
    ErrorRecoveryOutput,
    HookContext,
    HooksProvider,
    Message,
    PreToolUse,
    SessionEnd,
    SessionStart,
    SessionStartOutput,
    Stop,
    SubagentStart,
    SubagentStartOutput,
    UserPromptSubmit,
)
from snaphook.canon.failures import CLASSES, ErrorClass, class_of
from snaphook.canon.retry_after import retry_after_ms
from snaphook.stores.breaker import Breaker, CircuitState

from .alerts import Alarm, opened, recovered, silent, stopped
from .remedies import ALARMING, REMEDIES, Remedy, counts, wait_ms
from .settings import ResilienceSettings
from .trials import Trials

_UNNAMED = "the model"
_PROMPTS = 1000
"""Prompts remembered for rewording; the sessions longest silent are forgotten first."""


class ResilienceProvider(HooksProvider):
    """Answers errors; what it learns of a model is kept below *state* and shared by all."""

    name = "resilience"
    suspends = False

    def __init__(
        self,
        settings: ResilienceSettings | None = None,
        *,
        state: Path,
        alarm: Alarm = silent,
        clock: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings or ResilienceSettings()
        self._file = state / "breakers.sqlite"
        self._trials = Trials(state / "trials")
        self._alarm = alarm if self._settings.alert else silent
        self._clock = clock
        self._chance = chance
        self._prompts: OrderedDict[str, str] = OrderedDict()

    async def on_error_occurred(
        self, event: ErrorOccurred, context: HookContext
    ) -> ErrorRecoveryOutput | None:
        """Say whether to try again, with whom, and after which wait."""
        name = class_of(event)
        remedy = REMEDIES[name]
        if remedy is Remedy.LEAVE:
            return None
        model = event.current_model or _UNNAMED
        shut = self._failed(model, name, event) if counts(name) else False
        if name in ALARMING:
            self._alarm(stopped(model, name, event, self._clock()))
        answer = self._answer(event, context, name, remedy, shut=shut)
        if answer.retry or counts(name):
            self._trials.note(_who(context), answer.fallback_model or model)
        return answer

    async def on_session_start(
        self, event: SessionStart, context: HookContext
    ) -> SessionStartOutput | None:
        """Start a session on a model that answers."""
        other = self._instead_of(event.model, context)
        if other is None:
            return None
        note = f"resilience: {event.model} keeps failing. This session starts with {other}."
        return SessionStartOutput(modified_config={"model": other}, messages=(Message(note),))

    async def on_subagent_start(
        self, event: SubagentStart, context: HookContext
    ) -> SubagentStartOutput | None:
        """Start a subagent on a model that answers."""
        other = self._instead_of(event.model, context)
        return SubagentStartOutput(modified_model=other) if other else None

    async def on_user_prompt_submitted(self, event: UserPromptSubmit, context: HookContext) -> None:
        """Remember what was asked, in case it must be asked in other words."""
        if self._settings.reword:
            self._prompts[_who(context)] = event.prompt
            self._prompts.move_to_end(_who(context))
            if len(self._prompts) > _PROMPTS:
                self._prompts.popitem(last=False)

    async def on_pre_tool_use(self, event: PreToolUse, context: HookContext) -> None:
        """Take a tool call for what it is: the model has answered."""
        self._answered(context)

    async def on_stop(self, event: Stop, context: HookContext) -> None:
        """Likewise."""
        self._answered(context)

    async def on_session_end(self, event: SessionEnd, context: HookContext) -> None:
        """Let go of what was asked."""
        self._prompts.pop(_who(context), None)

    def _answer(
        self,
        event: ErrorOccurred,
        context: HookContext,
        name: ErrorClass,
        remedy: Remedy,
        *,
        shut: bool,
    ) -> ErrorRecoveryOutput:
        model = event.current_model or _UNNAMED
        if event.attempt >= self._settings.attempts:
            return _stop(model, name, f"{event.attempt} attempts failed")
        match remedy:
            case Remedy.COMPACT if event.attempt == 1:
                return ErrorRecoveryOutput(retry=True, backoff_ms=0)
            case Remedy.REWORD if self._settings.reword and event.attempt == 1:
                return self._reworded(context, model, name)
            case Remedy.WAIT | Remedy.SWITCH:
                return self._later_or_elsewhere(event, name, remedy, shut=shut)
            case _:
                return _stop(model, name, CLASSES[name].fix.rstrip("."))

    def _later_or_elsewhere(
        self, event: ErrorOccurred, name: ErrorClass, remedy: Remedy, *, shut: bool
    ) -> ErrorRecoveryOutput:
        model, settings = event.current_model or _UNNAMED, self._settings
        asked = event.retry_after_ms
        if asked is None:
            asked = retry_after_ms({}, event.error, now=self._clock())
        wait = wait_ms(event.attempt, asked, settings, self._chance())
        patient = remedy is Remedy.WAIT and event.attempt < settings.switch_after
        if shut or wait is None or not patient:
            other = self._next(model)
            if other is not None:
                note = f"resilience: {model} failed ({name}). Continuing with {other}."
                return ErrorRecoveryOutput(
                    retry=True, fallback_model=other, backoff_ms=0, messages=(Message(note),)
                )
        if shut:
            rest = f"it is paused for {settings.cooldown:g} s"
            return _stop(model, name, f"{settings.threshold} failures in a row, so {rest}")
        if wait is None:
            return _stop(model, name, f"the vendor asks for a wait of {(asked or 0) / 1000:g} s")
        if not counts(name):
            return _stop(model, name, CLASSES[name].fix.rstrip("."))
        return ErrorRecoveryOutput(retry=True, backoff_ms=wait)

    def _reworded(self, context: HookContext, model: str, name: ErrorClass) -> ErrorRecoveryOutput:
        prompt = self._prompts.get(_who(context))
        if prompt is None:
            return _stop(model, name, CLASSES[name].fix.rstrip("."))
        other = self._settings.reword.replace("{prompt}", prompt)
        return ErrorRecoveryOutput(retry=True, modified_prompt=other, backoff_ms=0)

    def _failed(self, model: str, name: ErrorClass, event: ErrorOccurred) -> bool:
        """Count a failure of *model*, and say whether its circuit is open now."""
        breaker = self._breaker(model)
        if breaker.failure():
            self._alarm(opened(model, name, event, self._settings.threshold, self._clock()))
        return breaker.state() is CircuitState.OPEN

    def _answered(self, context: HookContext) -> None:
        """Clear the model that this session had on trial."""
        model = self._trials.take(_who(context))
        if model is not None and self._breaker(model).success():
            self._alarm(recovered(model, self._clock()))

    def _instead_of(self, model: str, context: HookContext) -> str | None:
        """Return whom to ask in place of *model*; ``None`` lets it be asked, perhaps as a probe."""
        if not model or not self._file.exists():
            return None
        breaker = self._breaker(model)
        if breaker.state() is CircuitState.CLOSED:
            return None
        if breaker.allow():
            self._trials.note(_who(context), model)
            return None
        return self._next(model)

    def _next(self, model: str) -> str | None:
        """Return the model of the chain to ask after *model*, past those that fail themselves."""
        chain = self._settings.fallback
        rest = chain[chain.index(model) + 1 :] if model in chain else chain
        return next((other for other in rest if self._breaker(other).allow()), None)

    def _breaker(self, model: str) -> Breaker:
        return Breaker(
            self._file,
            name=f"model {model}",
            threshold=self._settings.threshold,
            cooldown=self._settings.cooldown,
            clock=self._clock,
        )


def _who(context: HookContext) -> str:
    """Return whose model is meant: a subagent may ask another one than its parent."""
    return f"{context.session_id}/{context.agent_id or ''}"


def _stop(model: str, name: ErrorClass, why: str) -> ErrorRecoveryOutput:
    note = f"resilience: {model} failed ({name}) and is not retried: {why}."
    return ErrorRecoveryOutput(retry=False, messages=(Message(note),))
