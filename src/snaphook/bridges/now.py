"""Wait for a coroutine from code that does not wait.

coroutine  ->  its result

SDKs have synchronous doors as well; a hook behind one is asked all the same.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")


def now(work: Coroutine[Any, Any, T]) -> T:
    """Return what *work* comes to; where this thread has a loop already, another thread waits."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(copy_context().run, asyncio.run, work).result()
