"""Watching: what comes is handed on once, in batches, and nobody is drowned."""

import asyncio
import time

from msgspec.structs import replace
from tests.unit.web.dashboards import desk_at

from snaphook.stores.eventlog import Record
from snaphook.stores.eventlog.ship import ShipCursor
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.web import tail
from snaphook.web.ask import Filter
from snaphook.web.finding import Find
from snaphook.web.tail import KEPT, Tail


def record(number: int, **fields: object) -> Record:
    made = Record(id=f"{number:08}", time=time.time(), event="Stop", session="s")
    return replace(made, **fields)


async def heard(watcher, count: int) -> list[str]:
    """Return the ids of what *watcher* is handed, until there are *count*."""
    ids: list[str] = []
    while len(ids) < count:
        ids += [find.record.id for find in (await asyncio.wait_for(watcher.batch(), 20)).finds]
    return ids


async def test_what_was_there_is_no_news_and_what_comes_is_heard_once_even_if_late(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(tail, "EVERY", 0.01)
    dashboard = desk_at(tmp_path, [record(1)])
    assert dashboard.folder is not None
    shelf = SqliteRecordStore(dashboard.folder / "records.sqlite")
    watched = Tail(dashboard.records)
    async with watched.watch(Filter()) as everything, watched.watch(Filter(tool="T")) as some:
        shelf.keep("daemon", [record(5)], ShipCursor("1", 1))
        assert await heard(everything, 1) == ["00000005"]
        late = record(3, time=time.time() - 10, tool="T")  # another machine shipped later
        shelf.keep("daemon", [late], ShipCursor("1", 2))
        assert await heard(everything, 1) == ["00000003"]
        assert await heard(some, 1) == ["00000003"]
    shelf.close()
    dashboard.close()


async def test_a_watcher_that_cannot_keep_up_gets_the_newest_and_a_number(tmp_path):
    watcher = tail.OpenPage(Filter())
    for number in range(KEPT + 50):
        watcher.hear(Find(record=record(number)))

    batch = await watcher.batch()

    assert (len(batch.finds), batch.skipped) == (KEPT, 50)
    assert batch.finds[-1].record.id == f"{KEPT + 49:08}"
