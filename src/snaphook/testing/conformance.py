"""The promises every provider makes, held against one.

a provider's class  ->  Fault, Fault, …  (none, if it keeps them all)

In a test of your own, which needs no event loop:

    def test_it_keeps_every_promise_of_a_provider():
        assert check_provider(MyProvider) == []
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from inspect import isawaitable
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import (
    METHODS,
    SPECS,
    AnyEvent,
    AnyProvider,
    Hook,
    Stance,
    implemented,
    name_of,
)
from snaphook.engine.validate import validate_output
from snaphook.errors import ProviderError

from .samples import sample_events

_SESSIONS = 8
"""How many sessions are told at once."""


class Fault(Struct, frozen=True, kw_only=True):
    """A promise that was not kept."""

    promise: str
    method: str = ""
    what: str


def check_provider(
    provider: Any,
    *,
    events: Callable[[str], Sequence[AnyEvent]] = sample_events,
    within: float = 5.0,
    isolated: bool = True,
) -> list[Fault]:
    """Return every promise of a provider that *provider* breaks.

    Give its class, or a function that makes one: each check then starts with a fresh provider. A
    provider that is already made is checked as it is, and what one session may learn of another is
    not. *events* tells one session; *within* is how many seconds an answer may take. A provider
    that means to connect sessions (a budget for all of them) says ``isolated=False``.
    """
    made = not isinstance(provider, type) and any(implemented(provider))
    make: Callable[[], AnyProvider] = (lambda: provider) if made else provider
    faults = list(_shape(make()))
    if faults:
        return faults
    return asyncio.run(_behaviour(make, events, within, isolated=isolated and not made))


def _shape(provider: AnyProvider) -> Iterator[Fault]:
    """Yield what is wrong with *provider* before anything happens."""
    if not any(implemented(provider)):
        yield Fault(promise="hears something", what=f"{name_of(provider)} has no hook method")
    for name in dir(type(provider)):
        if name.startswith("on_") and name not in METHODS:
            near = get_close_matches(name, METHODS, n=1)
            guess = f"; did you mean '{near[0]}'?" if near else ""
            what = f"no event is heard by '{name}'{guess}"
            yield Fault(promise="its methods are known", method=name, what=what)
    stance = getattr(provider, "stance", Stance.OPEN)
    if stance not in tuple(Stance):
        yield Fault(promise="its stance is known", what=f"{stance!r} is neither open nor closed")
    timeout = getattr(provider, "timeout", None)
    if timeout is not None and not (isinstance(timeout, int | float) and timeout > 0):
        yield Fault(promise="its timeout is a time", what=f"{timeout!r} is no number of seconds")


async def _behaviour(
    make: Callable[[], AnyProvider],
    events: Callable[[str], Sequence[AnyEvent]],
    within: float,
    *,
    isolated: bool,
) -> list[Fault]:
    alone = _Session(make(), within)
    await alone.tell(events("session-1"))
    again = _Session(make(), within)
    await again.tell([event for event in events("session-1") for _ in range(2)])
    faults = [*alone.faults, *again.faults]
    faults += await _many(make, events, within)
    if isolated:
        faults += await _apart(make, events, within, alone.answers)
    return list(dict.fromkeys(faults))


async def _many(
    make: Callable[[], AnyProvider], events: Callable[[str], Sequence[AnyEvent]], within: float
) -> list[Fault]:
    """Tell one provider several sessions at once."""
    provider = make()
    sessions = [_Session(provider, within) for _ in range(_SESSIONS)]
    told = (each.tell(events(f"session-{n}")) for n, each in enumerate(sessions))
    await asyncio.gather(*told)
    return [fault for each in sessions for fault in each.faults]


async def _apart(
    make: Callable[[], AnyProvider],
    events: Callable[[str], Sequence[AnyEvent]],
    within: float,
    expected: list[Any],
) -> Iterable[Fault]:
    """Tell another session in between; the first must not notice."""
    both = _Session(make(), within)
    answers = []
    for mine, other in zip(events("session-1"), events("session-2"), strict=True):
        await both.tell([other, mine])
        answers.append(both.answers[-1])
    return [
        Fault(
            promise="sessions do not learn of each other",
            method=SPECS[type(event)].method,
            what=f"answered {said!r:.80} beside another session, {wanted!r:.80} without",
        )
        for event, said, wanted in zip(events("session-1"), answers, expected, strict=True)
        if said != wanted
    ]


class _Session:
    """Events told to one provider, and what it did with them."""

    def __init__(self, provider: AnyProvider, within: float) -> None:
        self.answers: list[Any] = []
        self.faults: list[Fault] = []
        self._hooks: dict[str, Hook] = dict(implemented(provider))
        self._name = name_of(provider)
        self._within = within

    async def tell(self, events: Iterable[AnyEvent]) -> None:
        for event in events:
            method = SPECS[type(event)].method
            hook = self._hooks.get(method)
            self.answers.append(await self._ask(hook, event, method) if hook else None)

    async def _ask(self, hook: Hook, event: AnyEvent, method: str) -> Any:
        before = msgspec.json.encode(event)
        try:
            said = hook(event, event.context)
            if isawaitable(said):
                said = await asyncio.wait_for(said, self._within)
            heard = validate_output(said, spec=SPECS[type(event)], by=self._name, strict=True)
        except TimeoutError:
            self._note("answers in time", method, f"no answer within {self._within:g} s")
            return None
        except ProviderError as illegal:
            self._note("answers are legal", method, f"{illegal.what}. {illegal.fix}")
            return None
        except Exception as error:  # noqa: BLE001 - whatever it raises is the finding
            self._note("does not raise", method, f"{type(error).__name__}: {error}")
            return None
        if msgspec.json.encode(event) != before:
            self._note("leaves events as they are", method, f"changed a {event.event_name}")
        return heard

    def _note(self, promise: str, method: str, what: str) -> None:
        self.faults.append(Fault(promise=promise, method=method, what=what))
