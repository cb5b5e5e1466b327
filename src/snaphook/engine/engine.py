"""One event in, one output out.

Event  ->  Answers  ->  Output | None

The engine asks every provider that hears the event, in order, and combines what they say. Nothing
else decides anything.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from time import perf_counter
from typing import TypeAlias

from snaphook.canon import SPECS, AnyProvider, Event, Output
from snaphook.canon.combine import combine
from snaphook.canon.hook_runs import collected_runs
from snaphook.lazy import logger

from .binding import bindings
from .outcome import Outcome, ProviderAnswer
from .rounds import ask_all, ask_at_once, ask_until_first, first_to_speak
from .stops import StopCap

log = logger("snaphook.engine")

Observer: TypeAlias = Callable[[Outcome], None]


class Strategy(StrEnum):
    """How several answers become one."""

    STRICTEST = "strictest"
    """deny > ask > modify > allow, whoever says it."""
    FIRST = "first"
    """The first provider with an opinion; nobody after it is asked."""


class Engine:
    """Providers in the order in which they are asked.

    Observers see every outcome, silence included, after it is decided; what they do with it cannot
    change it.
    """

    def __init__(
        self,
        providers: Sequence[AnyProvider] = (),
        *,
        strategy: Strategy | str = Strategy.STRICTEST,
        stop_block_cap: int = 5,
        observers: Sequence[Observer] = (),
    ) -> None:
        self.providers = tuple(providers)
        self.strategy = Strategy(strategy)
        self._bindings = bindings(self.providers)
        self._waits = {
            event: any(binding.suspends for binding in asked)
            for event, asked in self._bindings.items()
        }
        self._stops = StopCap(stop_block_cap)
        self._observers = tuple(observers)

    async def dispatch(self, event: Event) -> Output | None:
        """Return what the host should hear about *event*; ``None`` if nobody has an opinion."""
        if self._observers or self.strategy is Strategy.FIRST or SPECS[type(event)].concurrent:
            return (await self.evaluate(event)).output
        event = self._stops.before(event)
        asked = self._bindings[type(event)]
        if not (answers := await first_to_speak(asked, event)):
            return self._stops.after(event, None)
        answers = await ask_all(asked, event, answers)
        return self._stops.after(event, combine(answer.output for answer in answers))

    async def evaluate(self, event: Event) -> Outcome:
        """Return the whole story of *event*: who said what, for how long, and the sum of it."""
        started = perf_counter()
        event = self._stops.before(event)
        with collected_runs() as hooks:
            answers = await self._ask(event)
        output = combine([answer.output for answer in answers])
        outcome = Outcome(
            event=event,
            output=self._stops.after(event, output),
            answers=tuple(answers),
            duration_ms=(perf_counter() - started) * 1000,
            hooks=tuple(hooks),
        )
        for observe in self._observers:
            self._tell(observe, outcome)
        return outcome

    def waits_for(self, event: Event) -> bool:
        """Say whether any provider that hears *event* may suspend."""
        return self._waits[type(event)]

    async def _ask(self, event: Event) -> list[ProviderAnswer]:
        asked = self._bindings[type(event)]
        if SPECS[type(event)].concurrent:
            return await ask_at_once(asked, event)
        if self.strategy is Strategy.FIRST:
            return await ask_until_first(asked, event)
        return await ask_all(asked, event)

    def _tell(self, observe: Observer, outcome: Outcome) -> None:
        try:
            observe(outcome)
        except Exception:
            log.exception("engine: an observer failed on %s. The decision stands.", outcome.event)
