"""What comes in, handed to everybody who watches.

database, twice a second or when told to  ->  Finds  ->  each watcher's batch

One query serves all watchers, and none is made while nobody watches. A watcher that cannot keep up
loses the oldest of what it has not taken, and is told how many those were. Machines ship at their own
pace, so the last seconds are looked at again and what was seen is left out.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable

from msgspec import Struct

from snaphook.errors import SnaphookError

from .ask import Filter
from .finding import Find, by_ids, ids_since
from .source import FigureSource

EVERY = 0.5
"""Seconds between two looks, unless somebody says that there is something to see."""
LATE = 30.0
"""Seconds by which a record may come after a younger one and still be shown."""
MOST_IDS = 20_000
KEPT = 600
"""Records that wait for a watcher."""
AT_ONCE = 2_000
"""Records fetched in one round; at a higher rate the newest are shown and the others counted."""
BEAT = 10.0
"""Seconds after which a watcher hears something even when nothing happens."""


class Batch(Struct, frozen=True, kw_only=True):
    """What a watcher is handed."""

    finds: tuple[Find, ...] = ()
    skipped: int = 0
    """Records that came and are not among them."""
    problem: str = ""


class OpenPage:
    """One open page."""

    def __init__(self, wanted: Filter) -> None:
        self.wanted = wanted
        self._waiting: deque[Find] = deque(maxlen=KEPT)
        self._skipped = 0
        self._problem = ""
        self._something = asyncio.Event()

    def hear(self, find: Find) -> None:
        """Take *find*, if it is wanted."""
        if not self.wanted.takes(find.record):
            return
        if self.wanted.machine not in ("", find.machine):
            return
        if len(self._waiting) == KEPT:
            self._skipped += 1
        self._waiting.append(find)
        self._something.set()

    def hear_of(self, problem: str) -> None:
        """Take note that the database is away, or, empty, that it is back."""
        if problem != self._problem:
            self._problem = problem
            self._something.set()

    def miss(self, count: int) -> None:
        """Take note that so many more came."""
        self._skipped += count

    async def batch(self) -> Batch:
        """Return what has come, waiting for something to; an empty batch says we are still here."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._something.wait(), BEAT)
        self._something.clear()
        made = Batch(finds=tuple(self._waiting), skipped=self._skipped, problem=self._problem)
        self._waiting.clear()
        self._skipped = 0
        return made


class Tail:
    """The end of the record, watched for everybody at once."""

    def __init__(self, source: FigureSource, *, clock: Callable[[], float] = time.time) -> None:
        self._source = source
        self._clock = clock
        self._watchers: set[OpenPage] = set()
        self._seen: dict[str, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Look now; from any thread, whether or not anybody watches."""
        if (loop := self._loop) is not None and self._task is not None:
            with contextlib.suppress(RuntimeError):  # it ends this moment
                loop.call_soon_threadsafe(self._news.set)

    @contextlib.asynccontextmanager
    async def watch(self, wanted: Filter) -> AsyncIterator[OpenPage]:
        """Return a watcher that hears what comes from now on."""
        watcher = OpenPage(wanted)
        self._watchers.add(watcher)
        if self._task is None:
            with contextlib.suppress(SnaphookError):
                await asyncio.to_thread(self._unseen)  # what is there already is not news
            self._loop = asyncio.get_running_loop()
            self._task = asyncio.create_task(self._run())
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)
            if not self._watchers and self._task is not None:
                self._task.cancel()
                self._task, self._seen = None, {}

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), EVERY)
            self._news.clear()
            try:
                fresh, missed = await asyncio.to_thread(self._fresh)
                problem = ""
            except SnaphookError as error:
                fresh, missed, problem = [], 0, str(error)
            for watcher in tuple(self._watchers):
                watcher.hear_of(problem)
                watcher.miss(missed if not watcher.wanted.given else 0)
                for find in fresh:
                    watcher.hear(find)

    def _fresh(self) -> tuple[list[Find], int]:
        """Return what nobody has seen yet, oldest first, and how many more there were."""
        new = self._unseen()
        return by_ids(self._source, new[:AT_ONCE]), max(0, len(new) - AT_ONCE)

    def _unseen(self) -> list[str]:
        ids = ids_since(self._source, self._clock() - LATE, MOST_IDS)
        new = [each for each in ids if each not in self._seen]
        self._seen |= dict.fromkeys(reversed(new))
        for each in tuple(self._seen)[: max(0, len(self._seen) - 2 * MOST_IDS)]:
            del self._seen[each]
        return new
