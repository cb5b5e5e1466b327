"""What one agent costs a fleet: processor, disk, database, memory, connections."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

from bench.table import row, section
from bench.telemetry import _record
from snaphook.stores.eventlog import EventLog
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteShelf
from snaphook.stores.eventlog.tidy import pack

COUNT = 10_000
PER_AGENT = 600
"""Events of a busy agent in an hour: five tool calls a minute, two events each."""
AGENTS = 10_000


def main() -> None:
    """Measure a record's way, and reckon it up for ten thousand agents."""
    section(f"fleet ({COUNT} records; a busy agent makes {PER_AGENT} events an hour)")
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        folder = Path(name) / "log"
        started = process_time()
        log = EventLog(folder)
        for start in range(0, COUNT, 10):
            log.write([_record(number) for number in range(start, start + 10)])
        log.close()
        writing = (process_time() - started) / COUNT
        [segment] = (folder / "daemon").glob("*.log")
        on_disk = segment.stat().st_size / COUNT
        started = process_time()
        shelf = SqliteShelf(Path(name) / "records.sqlite")
        assert ship(folder, shelf) == COUNT
        shelf.close()
        shipping = (process_time() - started) / COUNT
        database = (Path(name) / "records.sqlite").stat().st_size / COUNT
        packed = pack(segment).stat().st_size / COUNT
    row("written, processor time of one record", writing * 1e6, "us")
    row("shipped, processor time of one record", shipping * 1e6, "us")
    row("one record on disk", on_disk, "B")
    row("… once its segment is packed", packed, "B")
    row("one record in SQLite, with indexes", database, "B")
    stored = _postgres()
    if stored is not None:
        row("one record in PostgreSQL, with indexes and counts", stored, "B")
    row("memory of a daemon that has just started", _daemon(), "MB")
    events = PER_AGENT * AGENTS / 3600
    row(f"{AGENTS} agents: records a second at the database", events, "/s")
    each = stored or database
    row(
        f"{AGENTS} agents: a day at the database (8 busy hours)",
        events * 8 * 3600 * each / 1e9,
        "GB",
    )


def _postgres() -> float | None:
    """Return the bytes of a record in a database that SNAPHOOK_BENCH_POSTGRES names; it stays."""
    url = os.environ.get("SNAPHOOK_BENCH_POSTGRES")
    if not url:
        return None
    import psycopg

    from snaphook.stores.eventlog.postgres import PostgresShelf

    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        log = EventLog(Path(name))
        log.append([_record(number) for number in range(COUNT)])
        log.close()
        shelf = PostgresShelf(url, machine="bench")
        before = _size(psycopg.connect(url))
        ship(Path(name), shelf)
        shelf.close()
        return (_size(psycopg.connect(url)) - before) / COUNT


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
