"""The live feed, as a browser hears it.

Tail  ->  Batch  ->  a Server-Sent Event with finished rows

At most two events a second, however much happens: what comes in between is in the next one. The rows
are made by the template that made the page, so that there is one place that escapes.
"""

import asyncio
from collections.abc import AsyncIterator

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .ask import read_filter
from .dashboard import Dashboard
from .pages import Pages
from .tail import Batch, Tail

PAUSE = 0.5
SHOWN = 100
"""Rows in one event; the rest is a number. More, twice a second, keep a browser from its keys."""
RETRY_MS = 2_000
_HEADERS = {"X-Accel-Buffering": "no"}


class Streams:
    """Every open feed."""

    def __init__(self, dashboard: Dashboard, pages: Pages) -> None:
        self._pages = pages
        self._tail = Tail(dashboard.records, clock=dashboard.clock)
        self._over = False

    async def feed(self, request: Request) -> Response:
        """Send what comes to a page with the same filter in its address."""
        wanted = read_filter(request.query_params)

        async def events() -> AsyncIterator[bytes]:
            yield f"retry: {RETRY_MS}\n\n".encode()
            async with self._tail.watch(wanted) as watcher:
                yield b"event: ready\ndata: {}\n\n"
                while not self._over and not await request.is_disconnected():
                    yield self._event(await watcher.batch())
                    await asyncio.sleep(PAUSE)

        return StreamingResponse(events(), media_type="text/event-stream", headers=_HEADERS)

    def news(self) -> None:
        """Say, from any thread, that something was shipped this moment."""
        self._tail.wake()

    def stop(self) -> None:
        """Let every feed end with its next batch."""
        self._over = True

    def _event(self, batch: Batch) -> bytes:
        if not batch.finds and not batch.skipped and not batch.problem:
            return b"event: beat\ndata: {}\n\n"
        shown = batch.finds[-SHOWN:][::-1]
        body = {
            "rows": self._pages.rows(shown),
            "shown": len(shown),
            "count": len(batch.finds) + batch.skipped,
            "stopped": sum(find.record.stops for find in batch.finds),
            "skipped": batch.skipped + len(batch.finds) - len(shown),
            "problem": batch.problem,
        }
        return b"data: " + msgspec.json.encode(body) + b"\n\n"
