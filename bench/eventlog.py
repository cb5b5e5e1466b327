"""How fast the record is written and proved, and what the disk itself allows."""

import os
import tempfile
from pathlib import Path
from time import perf_counter

from bench.table import row, section
from snaphook.stores.eventlog import Durability, EventLog, Record, RecordedAnswer, verify
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore

COUNT = 60_000


def main() -> None:
    """Write, prove and ship a record of usual size."""
    section(f"event log ({COUNT} records)")
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        folder = Path(name)
        row("fsync of this disk", _fsync(folder) * 1e3, "ms")
        row(
            "appended, group commit",
            _append(folder / "group", Durability.GROUP),
            "/s",
            20_000,
            floor=True,
        )
        row("appended, nothing awaited", _append(folder / "none", Durability.NONE), "/s")
        row(
            "appended, each on disk before the next",
            _append(folder / "each", Durability.RECORD, 300),
            "/s",
        )
        started = perf_counter()
        [report] = verify(folder / "group")
        assert report.bad is None
        row("verified", report.records / (perf_counter() - started), "/s", 300_000, floor=True)
        shelf = SqliteRecordStore(folder / "records.sqlite")
        started = perf_counter()
        row("shipped to SQLite", ship(folder / "group", shelf) / (perf_counter() - started), "/s")
        shelf.close()


def _record(number: int) -> Record:
    return Record(
        id=f"{number:032}",
        time=float(number),
        event="PreToolUse",
        session="0f6b2c1e",
        host="claude-code",
        agent="main",
        project="/home/ada/project",
        tool="Bash",
        input={"tool_args": {"command": "ls -la src && git status"}},
        answers=(RecordedAnswer(by="guard", duration_ms=0.2),),
        duration_ms=0.3,
        salt="0123456789abcdef",
    )


def _append(folder: Path, durability: Durability, count: int = COUNT) -> float:
    records = [_record(number) for number in range(count)]
    log = EventLog(folder, durability=durability)
    started = perf_counter()
    for record in records:
        log.append([record])
    log.durable()
    rate = count / (perf_counter() - started)
    log.close()
    return rate


def _fsync(folder: Path) -> float:
    with (folder / "probe").open("wb", buffering=0) as file:
        started = perf_counter()
        for _ in range(50):
            file.write(b"x" * 512)
            os.fsync(file.fileno())
        return (perf_counter() - started) / 50
