"""What can still be read of a damaged SQLite database.

path + table  ->  its rows, as many as there are

Read from a copy: closing the last connection would write the log into the damaged file, which is the
only evidence of what happened. No index is used, since an index is damaged as often as the table.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LOOKUPS = 20_000
"""Rows that are looked for one by one where a scan ends early: less than a second."""
LOG = "-wal"
MOST_PAGES = 1 << 18
"""1 GiB of the usual pages: a header that is damaged itself may say anything. The file is sparse."""


def readable_rows(path: Path, table: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of *table*, a name of ours, that SQLite can read: all of them, or what is left."""
    with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        copy = Path(folder) / path.name
        for end in ("", LOG):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + end), copy.with_name(copy.name + end))
        _lengthen(copy)
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.row_factory = sqlite3.Row
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield from _rows(db, f"SELECT rowid AS _row, * FROM {table} NOT INDEXED")  # noqa: S608


def _lengthen(copy: Path) -> None:
    """Fill a file that was cut short with zeros: SQLite opens none that has fewer pages than it says.

    Where the header says so: https://www.sqlite.org/fileformat.html, 1.3.
    """
    with copy.open("r+b") as file:
        header = file.read(32)
        size = int.from_bytes(header[16:18], "big")
        pages = int.from_bytes(header[28:32], "big")
        wanted = (65536 if size == 1 else size) * min(pages, MOST_PAGES)
        if header.startswith(b"SQLite format 3\0") and copy.stat().st_size < wanted:
            file.truncate(wanted)


def _rows(db: sqlite3.Connection, select: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows from the front, then from the back, then one by one what lies between."""
    last, first = 0, 0
    try:
        db.execute(f"{select} LIMIT 0")
    except sqlite3.Error:
        return  # no database, or the list of its tables is gone
    try:
        for row in db.execute(f"{select} ORDER BY _row"):
            if row["_row"] <= last:
                break  # a page that leads back to an earlier one
            last = row["_row"]
            yield _plain(row)
        else:
            return
    except sqlite3.Error:
        pass  # here the file is broken
    with contextlib.suppress(sqlite3.Error):
        for row in db.execute(f"{select} WHERE _row > {last} ORDER BY _row DESC"):
            if first and row["_row"] >= first:
                break
            first = row["_row"]
            yield _plain(row)
    for number in range(last + 1, min(first or last + LOOKUPS, last + LOOKUPS)):
        with contextlib.suppress(sqlite3.Error):
            yield from map(_plain, db.execute(f"{select} WHERE _row = {number}").fetchall())


def _plain(row: sqlite3.Row) -> Mapping[str, Any]:
    return {name: row[name] for name in row.keys() if name != "_row"}  # noqa: SIM118 - a Row is no dict
