"""Wait for a coroutine from code that does not wait.

coroutine  ->  its result

SDKs have synchronous doors as well; a hook behind one is asked all the same. Whatever is waited for
here shares one event loop on a thread of its own, so that what a provider keeps open (a pool, a
client) stays on the loop it was opened on. What must not run on that thread, a person's tool for
one, is run by the thread that waits.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar, copy_context
from functools import partial, wraps
from inspect import signature
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Errands: TypeAlias = "SimpleQueue[Callable[[], object] | None]"

_errands: ContextVar[Errands] = ContextVar("snaphook_errands")
_loops: list[asyncio.AbstractEventLoop] = []
_starting = Lock()
os.register_at_fork(after_in_child=_loops.clear)  # threads do not come along


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Return what *work* comes to; meanwhile this thread runs what *work* has ``lent`` it."""
    errands: Errands = SimpleQueue()
    token = _errands.set(errands)
    loop = _loop()
    try:
        doing = asyncio.run_coroutine_threadsafe(work, loop)
        doing.add_done_callback(lambda _: errands.put(None))
        try:
            while (errand := errands.get()) is not None:
                errand()
        except BaseException:
            doing.cancel()
            raise
        return doing.result()
    finally:
        _errands.reset(token)
        if loop not in _loops:
            loop.call_soon_threadsafe(loop.stop)


def in_caller_thread(function: Callable[..., T]) -> Callable[..., Awaitable[T]]:
    """Return *function* to wait for: it is run by the thread that is in ``now``, as if called there."""

    @wraps(function)
    async def run(*args: Any, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[tuple[T | None, Exception | None]] = loop.create_future()
        call = partial(copy_context().run, function, *args, **named)
        _errands.get().put(lambda: loop.call_soon_threadsafe(done.set_result, _outcome(call)))
        result, problem = await done
        if problem is not None:
            raise problem
        return result  # type: ignore[return-value]

    return run


def _outcome(call: Callable[[], T]) -> tuple[T | None, Exception | None]:
    try:
        return call(), None
    except Exception as problem:  # noqa: BLE001 - raised again where it is waited for
        return None, problem


def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop that all share; to code that runs on it, another that ends with the work."""
    with _starting:
        if not _loops:
            _loops.append(_started())
        shared = _loops[0]
    return _started() if _running() is shared else shared


def _started() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()

    def serve() -> None:
        loop.run_forever()
        loop.close()

    Thread(target=serve, name="snaphook-now", daemon=True).start()
    return loop


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def waited(method: Callable[..., Coroutine[Any, Any, T]]) -> Callable[..., T]:
    """Return the synchronous twin of *method*; functions it is given are run by who calls it."""

    @wraps(method)
    def twin(self: Any, *given: Any, **named: Any) -> T:
        ready = [in_caller_thread(one) if callable(one) else one for one in given]
        return run_sync(method(self, *ready, **named))

    vars(twin)["__signature__"] = signature(method)
    del vars(twin)["__wrapped__"]  # who looked there would take the twin for a coroutine function
    return twin
