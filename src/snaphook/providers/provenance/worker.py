"""Reads long texts beside the calls, so that no call waits for it.

job  ->  a thread that does one after another  ->  settled before anybody asks

Where an event loop runs, somebody lives longer than this event: a daemon, a bridge. Then a text is
read while the model thinks about it; whoever asks about its session waits until it is read. A process
that answers one event and ends reads it before it ends.
"""

import atexit
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Job = Callable[[], None]


class Worker:
    """One thread, started by the first job."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: dict[str, list[Future[None]]] = {}

    def do(self, session: str, job: Job) -> None:
        """Do *job* beside us where that is possible, else now."""
        if not _has_loop():
            job()
            return
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1, thread_name_prefix="provenance")
            atexit.register(self._pool.shutdown)
        waiting = self._waiting.setdefault(session, [])
        waiting[:] = [one for one in waiting if not one.done()]
        waiting.append(self._pool.submit(job))

    def settle(self, session: str) -> None:
        """Return once everything that was read in *session* is known; raise what went wrong."""
        for job in self._waiting.pop(session, ()):
            job.result()


def _has_loop() -> bool:
    if (
        "snaphook.cli.hook" in sys.modules
    ):  # one event, and the process ends and does not wait for threads
        return False
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and asyncio._get_running_loop() is not None  # noqa: SLF001 - the public one raises
