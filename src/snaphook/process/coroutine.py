"""Run commands without holding up an event loop.

Command, Command …  ->  Completed, Completed …

A coroutine that finds no loop around it runs its commands on the spot and never suspends, so that
a hook process without the daemon does not even import asyncio.
"""

import selectors
import sys
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from .drive import launch, outcome, run_all
from .running import Running
from .values import KEEP, Command, Completed

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future, TimerHandle


async def run_async(
    line: str | Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float | None = None,  # noqa: ASYNC109 - it ends the command, not the waiting
    keep: int = KEEP,
) -> Completed:
    """Return how *line* ended, as :func:`run` does; a cancelled await ends the whole group."""
    words = line if isinstance(line, str) else tuple(line)
    command = Command(line=words, cwd=cwd, env=env, stdin=stdin, timeout=timeout, keep=keep)
    return (await run_all_async([command]))[0]


async def run_all_async(commands: Sequence[Command]) -> list[Completed]:
    """Return how *commands*, started side by side, ended, in the order they were given.

    When the await is cancelled, the commands have ended by the time the caller goes on.
    """
    loop = _running_loop()
    if loop is None:
        return run_all(commands)
    watch = _Watch(loop)
    started = [launch(command, watch) for command in commands]
    watch.running = [process for process in started if isinstance(process, Running)]
    try:
        await watch.end()
    except BaseException:
        watch.cancel()
        await watch.end()
        raise
    finally:
        watch.close()
    return [outcome(process) for process in started]


def in_a_loop() -> bool:
    """Say whether an event loop runs here, so that waiting is better than holding it up."""
    return _running_loop() is not None


def _running_loop() -> "AbstractEventLoop | None":
    if "asyncio" not in sys.modules:
        return None
    from asyncio import get_running_loop

    try:
        return get_running_loop()
    except RuntimeError:
        return None


class _Watch:
    """Lets an event loop drive what :func:`run_all` drives with a selector."""

    def __init__(self, loop: "AbstractEventLoop") -> None:
        self.running: Sequence[Running] = ()
        self._loop = loop
        self._over: Future[None] | None = None
        self._timer: TimerHandle | None = None

    def register(self, fd: int, events: int, heard: Callable[[int], None]) -> None:
        """Call *heard* when *fd* is ready."""
        reads = events == selectors.EVENT_READ
        listen = self._loop.add_reader if reads else self._loop.add_writer
        listen(fd, self._ready, heard, fd)

    def unregister(self, fd: int) -> None:
        """Stop listening to *fd*."""
        self._loop.remove_reader(fd)
        self._loop.remove_writer(fd)

    async def end(self) -> None:
        """Wait until every process has ended."""
        self._over = self._loop.create_future()
        self._look()
        await self._over

    def cancel(self) -> None:
        """Ask every group to end."""
        now = monotonic()
        for process in self.running:
            process.cancel(now)

    def close(self) -> None:
        """Leave nothing behind, not even after a second cancellation."""
        for process in self.running:
            process.abandon()
        if self._timer:
            self._timer.cancel()

    def _waiting(self) -> list[Running]:
        return [process for process in self.running if process.completed is None]

    def _ready(self, heard: Callable[[int], None], fd: int) -> None:
        heard(fd)
        self._look()

    def _look(self) -> None:
        now = monotonic()
        for process in self._waiting():
            process.look(now)
        waiting = self._waiting()
        if not waiting and self._over and not self._over.done():
            self._over.set_result(None)
        if self._timer:
            self._timer.cancel()
        waits = [wait for process in waiting if (wait := process.wait_for(now)) is not None]
        self._timer = self._loop.call_later(min(waits), self._look) if waits else None
