"""How fast the first view is over a million records, and what shipping with counts costs."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, time

from msgspec.structs import replace
from starlette.testclient import TestClient
from tests.web.sample import records

from bench.table import row, section
from snaphook.config import Environment
from snaphook.stores.eventlog import Record
from snaphook.stores.eventlog.ship import ShipCursor
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.web import Dashboard, create_app, open_desk
from snaphook.wiring.assembly import read_settings

COUNT = 1_000_000
BATCH = 500
ROUNDS = 5


@dataclass
class View:
    """A page, and the most that it may take."""

    name: str
    address: str
    bound: float | None = None


VIEWS = (
    View("first view, 24 hours", "/", 500),
    View("first view, 30 days", "/?period=30d", 500),
    View("live feed", "/feed", 500),
    View("live feed, blocked only", "/feed?verdict=stopped", 500),
    View("a word that never occurs (20,000 records looked at)", "/feed?q=nowhere-to-be-found"),
    View("sessions", "/sessions"),
)


def main() -> None:
    """Build the database, then open pages."""
    section(f"dashboard ({COUNT:,} records in SQLite, server time)")
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as folder:
        dashboard = _dashboard(Path(folder))
        assert dashboard.folder is not None
        started = perf_counter()
        _fill(dashboard.folder / "records.sqlite")
        row("shipped and counted", COUNT / (perf_counter() - started), "/s", 5_000, floor=True)
        still = replace(dashboard, folder=None)  # nothing to catch up with
        with TestClient(create_app(still), base_url="http://127.0.0.1") as browser:
            for view in VIEWS:
                row(view.name, _opened(browser, view.address), "ms", view.bound)


def _opened(browser: TestClient, address: str) -> float:
    """Return the milliseconds that *address* takes, the first time left out."""
    times = []
    for _ in range(ROUNDS + 1):
        started = perf_counter()
        assert browser.get(address).status_code == 200
        times.append((perf_counter() - started) * 1e3)
    return median(times[1:])


def _dashboard(folder: Path) -> Dashboard:
    env = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    around = Environment.here(folder, env=env)
    dashboard = open_desk(read_settings(around), around)
    assert dashboard.folder is not None
    dashboard.folder.mkdir(parents=True)
    return dashboard


def _fill(path: Path) -> None:
    """Enter two weeks of a team, over and over, each time as other sessions."""
    weeks = list(records(time()))
    shelf = SqliteRecordStore(path)
    batch: list[Record] = []
    for number in range(COUNT):
        one = weeks[number % len(weeks)]
        again = number // len(weeks)
        changes = {"id": f"{one.id}{again:04x}", "session": f"{one.session}-{again}"}
        batch.append(replace(one, time=one.time - again * 0.01, **changes))
        if len(batch) == BATCH or number == COUNT - 1:
            shelf.keep("daemon", batch, ShipCursor("00000001", number))
            batch = []
    shelf.close()
