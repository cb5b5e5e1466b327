"""One provider's method for one event, bound and ready to call.

Event  ->  ProviderAnswer

A coroutine that never suspends costs no task and no timer: the timeout is armed only once it waits.
"""

from collections.abc import Coroutine, Generator, Sequence
from time import perf_counter
from types import CoroutineType, coroutine
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import (
    DEFAULT_TIMEOUT,
    METHODS,
    AnyProvider,
    Event,
    EventSpec,
    Hook,
    Stance,
    implemented,
    name_of,
)
from snaphook.errors import ProviderError, SnaphookError
from snaphook.lazy import logger

from .outcome import ProviderAnswer
from .validate import failed, validate_output

log = logger("snaphook.engine")


class HookBinding(Struct, frozen=True, kw_only=True):
    """A provider's method, ready to be asked."""

    by: str
    hook: Hook
    spec: EventSpec
    stance: Stance
    timeout: float | None
    suspends: bool

    async def ask(self, event: Event, *, again: bool = False) -> ProviderAnswer:
        """Return what the provider says; a failure is an answer too, never an exception."""
        started = perf_counter()
        try:
            returned = await self.returned(event)
            if returned is None:
                elapsed = (perf_counter() - started) * 1000
                return ProviderAnswer(by=self.by, duration_ms=elapsed, again=again)
            answer = self.validated(returned)
        except BaseException as problem:  # noqa: BLE001 - whatever a provider does, the agent lives on
            answer = self.failed(failure_of(problem))
        elapsed = (perf_counter() - started) * 1000
        return msgspec.structs.replace(answer, duration_ms=elapsed, again=again)

    async def returned(self, event: Event) -> Any:
        """Return the provider's own words, or raise what it raised."""
        returned: Any = self.hook(event, event.context)
        if self.timeout is None or type(returned) is not CoroutineType:
            return await returned if hasattr(returned, "__await__") else returned
        try:
            waiting_for = returned.send(None)
        except StopIteration as done:
            return done.value
        import asyncio  # only a hook that really waits needs it

        async with asyncio.timeout(self.timeout):
            return await _resume(returned, waiting_for)

    def validated(self, returned: Any) -> ProviderAnswer:
        """Return *returned* as an answer, or raise if it is not a legal one."""
        return ProviderAnswer(
            by=self.by, output=validate_output(returned, spec=self.spec, by=self.by)
        )

    def failed(self, problem: Exception) -> ProviderAnswer:
        """Return what a failure means, by the provider's stance."""
        error = self._blamed(problem)
        log.warning("%s", error, exc_info=problem)
        output = failed(self._told(problem, error), spec=self.spec, stance=self.stance, by=self.by)
        return ProviderAnswer(by=self.by, output=output, error=error)

    def _told(self, problem: Exception, error: ProviderError) -> ProviderError:
        """Return *error* for the model: an exception's text may hold anything, a secret or an order."""
        if isinstance(problem, SnaphookError | TimeoutError):  # our own words
            return error
        what = f"raised {type(problem).__name__}"
        return ProviderError(where=error.where, what=what, fix="The log has its message.")

    def _blamed(self, problem: Exception) -> ProviderError:
        if isinstance(problem, ProviderError):
            return problem
        if isinstance(problem, TimeoutError) and self.timeout is not None:
            what, fix = f"timed out after {self.timeout:g} s", "Raise its timeout or fix it."
        else:
            what = f"raised {type(problem).__name__}: {problem}"
            fix = "The log has the traceback."
        return ProviderError(where=f"provider '{self.by}', {self.spec.method}", what=what, fix=fix)


def bindings(providers: Sequence[AnyProvider]) -> dict[type[Event], tuple[HookBinding, ...]]:
    """Return, for each event, who is asked and in which order.

    A provider that has none of the methods is a mistake worth hearing about at once.
    """
    plan: dict[type[Event], list[HookBinding]] = {spec.event: [] for spec in METHODS.values()}
    for provider in providers:
        hooks = dict(implemented(provider))
        if not hooks:
            raise ProviderError(
                where=f"provider '{name_of(provider)}'",
                what="has none of the hook methods",
                fix=f"Implement one of: {', '.join(METHODS)}.",
            )
        for method, hook in hooks.items():
            plan[METHODS[method].event].append(
                HookBinding(
                    by=name_of(provider),
                    hook=hook,
                    spec=METHODS[method],
                    stance=Stance(getattr(provider, "stance", Stance.OPEN)),
                    timeout=_timeout(provider, method),
                    suspends=_suspends(provider, method),
                )
            )
    return {event: tuple(asked) for event, asked in plan.items()}


def _timeout(provider: AnyProvider, method: str) -> float | None:
    """Return how long to wait; what never waits needs no clock, which costs a coroutine a call."""
    limit: float | None = getattr(provider, "timeout", DEFAULT_TIMEOUT)
    return limit if _suspends(provider, method) else None


def _suspends(provider: AnyProvider, method: str) -> bool:
    declared: bool | frozenset[str] = getattr(provider, "suspends", True)
    return declared if isinstance(declared, bool) else method in declared


@coroutine
def _resume(started: Coroutine[Any, Any, Any], waiting_for: Any) -> Generator[Any, Any, Any]:
    """Go on with a coroutine that was started by hand and is waiting for something."""
    while True:
        problem: BaseException | None = None
        sent = None
        try:
            sent = yield waiting_for
        except BaseException as thrown:  # noqa: BLE001 - it is the coroutine's to handle
            problem = thrown
        try:
            waiting_for = started.send(sent) if problem is None else started.throw(problem)
        except StopIteration as done:
            return done.value


def failure_of(problem: BaseException) -> Exception:
    """Return what a provider raised, as a failure of its own; raise what ends our own task.

    A provider that raises ``CancelledError`` or ``SystemExit`` must not end the answer, nor the daemon.
    """
    if isinstance(problem, Exception):
        return problem
    if isinstance(problem, SystemExit) or not _ends_us(problem):
        return RuntimeError(f"raised {problem!r}")
    raise problem


def _ends_us(problem: BaseException) -> bool:
    if type(problem).__name__ != "CancelledError":
        return True
    import asyncio  # whoever raised it has it loaded

    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0
