"""Providers for tests: one that hears everything, one that says what it is told.

recorder, says = Recorder(), Says("on_stop", StopOutput(decision="block", reason="tests?"))
agent = Agent(model=model, engine=Engine([says, recorder]))
"""

from typing import Any

from snaphook.canon import METHODS, Event, Hook, HookContext, HooksProvider, Output


class Recorder(HooksProvider):
    """Hears every event and has no opinion on any."""

    name = "recorder"

    def __init__(self) -> None:
        self.events: list[Any] = []
        """Every event so far, in order."""

    @property
    def names(self) -> list[str]:
        """Return the names of the events so far."""
        return [event.event_name for event in self.events]

    def of(self, kind: type[Event]) -> list[Any]:
        """Return the events of one *kind*."""
        return [event for event in self.events if isinstance(event, kind)]


def _records() -> Hook:
    async def hook(self: Recorder, event: Event, _: HookContext) -> None:
        self.events.append(event)

    return hook  # type: ignore[return-value]


for _method in METHODS:
    setattr(Recorder, _method, _records())


class ScriptedProvider:
    """Answers one hook method with the next of its *answers*, and is silent when they are used up."""

    name = "says"

    def __init__(self, method: str, *answers: Output | None) -> None:
        self.events: list[Any] = []
        """What it was asked about."""
        self._answers = list(answers)
        setattr(self, method, self._answer)

    async def _answer(self, event: Event, _: HookContext) -> Output | None:
        self.events.append(event)
        return self._answers.pop(0) if self._answers else None
