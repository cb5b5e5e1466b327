"""What one agent costs a fleet: processor, disk, database, memory, connections."""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import perf_counter, process_time

from msgspec.structs import replace
from tests.servers.postgres import missing, server

from bench.live import cpu
from bench.table import per_call, row, section
from bench.telemetry import _record
from snaphook.canon import Usage
from snaphook.stores.budget import Charge, Meter, Payer, open_meter
from snaphook.stores.eventlog import EventLog
from snaphook.stores.eventlog.ship import ShipCursor, ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.stores.eventlog.tidy import pack

COUNT = 10_000
PER_AGENT = 600
"""Events of a busy agent in an hour: five tool calls a minute, two events each."""
AGENTS = 10_000
MACHINES = 4
SERVED = 1_000
ROUNDS, SHIPPED = 100, 100
"""How often each of several machines does something, and how many records it ships at a time."""


def main() -> None:
    """Measure a record's way, and reckon it up for ten thousand agents."""
    section(f"fleet ({COUNT} records; a busy agent makes {PER_AGENT} events an hour)")
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        database = _on_disk(Path(name))
    with _postgres() as url:
        each = _in_postgres(url) if url else database
        if url:
            _purse(url)
    row("memory of a daemon that has just started", _daemon(), "MB")
    events = PER_AGENT * AGENTS / 3600
    row(f"{AGENTS} agents: records a second at the database", events, "/s")
    row(f"{AGENTS} agents: a second at the database", events * each / 1e6, "MB")
    row(f"{AGENTS} agents: eight busy hours at it", events * 8 * 3600 * each / 1e9, "GB")


def _on_disk(folder: Path) -> float:
    """Print what a record costs its own machine; return its bytes in SQLite."""
    started = process_time()
    log = EventLog(folder / "log")
    for start in range(0, COUNT, 10):
        log.write([_record(number) for number in range(start, start + 10)])
    log.close()
    writing = (process_time() - started) / COUNT
    [segment] = (folder / "log" / "daemon").glob("*.log")
    size = segment.stat().st_size / COUNT
    started = process_time()
    shelf = SqliteRecordStore(folder / "records.sqlite")
    assert ship(folder / "log", shelf) == COUNT
    shelf.close()
    shipping = (process_time() - started) / COUNT
    row("written, processor time of one record", writing * 1e6, "us")
    row("shipped to SQLite, processor time of one record", shipping * 1e6, "us")
    row("one record on disk", size, "B")
    row("… once its segment is packed", pack(segment).stat().st_size / COUNT, "B")
    database = (folder / "records.sqlite").stat().st_size / COUNT
    row("one record in SQLite, with indexes", database, "B")
    return database


@contextmanager
def _postgres() -> Iterator[str]:
    """Yield the address that SNAPHOOK_BENCH_POSTGRES names, or of a server of our own, or none."""
    if url := os.environ.get("SNAPHOOK_BENCH_POSTGRES"):
        yield url
    elif why := missing():
        print(f"(no PostgreSQL: {why})")
        yield ""
    else:
        with server(fsync=True) as url:
            yield url


def _in_postgres(url: str) -> float:
    """Print what one machine's shipper achieves, and several; return the bytes of a record."""
    import psycopg

    from snaphook.stores.eventlog.postgres import PostgresRecordStore

    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        log = EventLog(Path(name) / "log")
        log.append([_record(number) for number in range(COUNT)])
        log.close()
        shelf = PostgresRecordStore(url, machine="bench")
        before, started, began = _size(psycopg.connect(url)), process_time(), perf_counter()
        ship(Path(name) / "log", shelf)
        took, used = perf_counter() - began, process_time() - started
        shelf.close()
        stored = (_size(psycopg.connect(url)) - before) / COUNT
    row("shipped to PostgreSQL, processor time of one record", used / COUNT * 1e6, "us")
    row("one record in PostgreSQL, with indexes and counts", stored, "B")
    row("one machine ships to PostgreSQL", COUNT / took, "/s")
    row(f"{MACHINES} machines at once ship to it", _crowd(url, "ship"), "/s")
    return stored


def _purse(url: str) -> None:
    """Print what a question to the fleet's ledger costs, with the database there and away."""
    payer = Payer(session="bench", tree="bench", project="/bench")
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as here:
        meter = open_meter(url, Path(here), strict=False)
        meter.spend(payer, [_charge("first")])
        asking = per_call(lambda: meter.balances(payer), calls=100) * 1e6
        row("what was spent, asked of PostgreSQL", asking, "us")
        numbers = count()
        asked = _on_server(meter, lambda: meter.balances(payer))
        spent = _on_server(meter, lambda: meter.spend(payer, [_charge(f"c{next(numbers)}")]))
        meter.close()
        away = open_meter("postgresql://nobody@127.0.0.1:1/none", Path(here), strict=False)
        away.balances(payer)
        row(
            "… while it is away",
            per_call(lambda: away.balances(payer), calls=100) * 1e6,
            "us",
            2000,
        )
        away.close()
    if asked:
        row("processor time of the server for a question", asked * 1e6, "us")
        row("processor time of the server for a charge", spent * 1e6, "us")
    row(f"{MACHINES} machines at once spend from one ledger", _crowd(url, "spend"), "/s")
    relaxed = f"{url}{'&' if '?' in url else '?'}options=-csynchronous_commit%3Doff"
    row("… with synchronous_commit = off", _crowd(relaxed, "spend"), "/s")


def _on_server(meter: Meter, run: Callable[[], object]) -> float:
    """Return the processor seconds that the server needs for *run*; nothing where it cannot be seen."""
    with meter._database.reading() as asked:  # noqa: SLF001 - its connection is what we look at
        [(pid,)] = asked("SELECT pg_backend_pid()")
    before = cpu(pid)
    for _ in range(SERVED):
        run()
    return (cpu(pid) - before) / SERVED


def _crowd(url: str, deed: str) -> float:
    """Return how often a second several processes together do *deed*."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(MACHINES) as pool:
        pool.starmap(_do, [(url, deed, number, 1) for number in range(MACHINES)])  # opened
        began = perf_counter()
        done = sum(pool.starmap(_do, [(url, deed, number, ROUNDS) for number in range(MACHINES)]))
        return done / (perf_counter() - began)


def _do(url: str, deed: str, number: int, rounds: int) -> int:
    """Be a machine: do *deed* so often, and return how many records, charges or questions it was."""
    from snaphook.stores.eventlog.postgres import PostgresRecordStore

    name = f"{deed}-{number}-{rounds}"
    if deed == "ship":
        shelf = PostgresRecordStore(url, machine=name)
        for each in range(rounds):
            some = [_record(each * SHIPPED + n) for n in range(SHIPPED)]
            shelf.keep(
                "daemon", [replace(one, id=f"{name}-{one.id}") for one in some], ShipCursor()
            )
        shelf.close()
        return rounds * SHIPPED
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as here:
        meter = open_meter(url, Path(here))
        payer = Payer(session=name, tree=name, project="/bench")
        for each in range(rounds):
            if deed == "spend":
                meter.spend(payer, [_charge(f"{name}-{each}")])
            else:
                meter.balances(payer)
        meter.close()
    return rounds


def _charge(name: str) -> Charge:
    return Charge(
        id=name, model="claude-sonnet-5", usage=Usage(output_tokens=10), micro_dollars=100
    )


def _size(database: "object") -> int:
    asked = database.execute(  # type: ignore[attr-defined]
        "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
        " WHERE relkind = 'r' AND relname LIKE 'snaphook_%'"
    )
    found = int(asked.fetchone()[0] or 0)
    database.close()  # type: ignore[attr-defined]
    return found


def _daemon() -> float:
    """Return the megabytes of a process that has loaded what the daemon loads."""
    look = (
        "import resource, sys, snaphook.daemon.handle;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"
        " / (1 << 20 if sys.platform == 'darwin' else 1 << 10))"
    )
    said = subprocess.run([sys.executable, "-c", look], capture_output=True, check=True, text=True)
    return float(said.stdout)
