"""Dispatch from code that has no event loop.

Engine + Event  ->  Outcome

Where no provider waits, the coroutine is driven by hand and asyncio is never imported: on the path
that starts a Python per call, that import costs more than the decision.
"""

from snaphook.canon import Event

from .engine import Engine
from .outcome import Outcome


def dispatch_sync(engine: Engine, event: Event) -> Outcome:
    """Return the outcome of *event*, waiting for it if need be."""
    evaluating = engine.evaluate(event)
    if engine.waits_for(event):
        import asyncio  # only a provider that waits needs it

        return asyncio.run(evaluating)
    try:
        evaluating.send(None)
    except StopIteration as done:
        outcome: Outcome = done.value
        return outcome
    evaluating.close()
    raise RuntimeError("a provider that declares 'suspends = False' waited for something")
