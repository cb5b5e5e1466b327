"""The log of events: appended to without being read, read from its end.

EventEntry  ->  one more line;  file  ->  the last entries

A row goes in as a comment first and becomes a row when one byte, '#', is overwritten with '-'. Whatever is
cut short before that is a comment, so the file is valid YAML at every moment, for every reader. How long
the file is does not matter.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from snaphook.errors import StoreError
from snaphook.storage.in_place import InPlace

from . import round_trip
from .disk import read, write
from .faults import point
from .fields import one_line
from .listing import Listing, beginning, read_items, take_apart
from .parse import parse, unreadable, words
from .records import EventEntry
from .write_yaml import flow

KEYS = ("events", None)
WINDOW, HEAD = 1 << 13, 1 << 13
"""How much of the end, and of the beginning, is read at first."""
PIECE = 1 << 22
"""How much of a long log is checked at a time."""
_FIELDS = frozenset(EventEntry.__struct_fields__)


def append(path: Path, row: Mapping[str, Any], *, max_mb: int) -> str:
    """Put *row* at the end of the log at *path*, and return the line that was written.

    The caller holds the lock. A log that is not a plain list to its very end is written anew, whole.
    """
    _make(path)
    try:
        with InPlace(path) as file:
            indent = _end_indent(file.size, path)
            if indent is not None:
                return _add_line(file, indent, row)
    except OSError as error:
        raise StoreError(
            where=str(path),
            what=f"cannot be written ({error.strerror})",
            fix="The event was not logged. Check permissions and disk space.",
        ) from error
    return _rewritten(path, row, max_mb=max_mb)


def end_of(path: Path) -> int:
    """Return where the next row will be at the earliest: the end, unless the log must be written anew."""
    try:
        size = path.stat().st_size
        return size if _end_indent(size, path) is not None else 0
    except FileNotFoundError:
        return 0


def find(path: Path, row: Mapping[str, Any], offset: int) -> int | None:
    """Return where the dash of *row* is, if it was added when the log was at least *offset* long."""
    wanted = re.compile(rb"(?m)^ *- " + re.escape(flow(dict(row)).encode()) + rb"\r?$")
    try:
        with path.open("rb") as file:
            file.seek(offset)
            found = wanted.search(file.read())
    except FileNotFoundError:
        return None
    return None if found is None else offset + found.start() + found[0].index(b"-")


def take_back(path: Path, row: Mapping[str, Any], offset: int) -> None:
    """Turn *row* into a comment again."""
    at = find(path, row, offset)
    if at is not None:
        with InPlace(path) as file:
            file.write_at(at, b"#")
            file.sync()


def last(path: Path, count: int) -> list[EventEntry]:
    """Return the last *count* entries, the oldest of them first; nothing if there is no log."""
    return [entry_from(row) for row in last_rows(path, count)]


def last_rows(path: Path, count: int) -> list[dict[str, Any]]:
    """Return the last *count* rows as the file has them, reading no more of it than it takes."""
    if count <= 0 or not path.exists():
        return []
    size, window = path.stat().st_size, WINDOW
    head = _piece(path, 0, HEAD)
    while True:
        start = max(0, size - window)
        text = _piece(path, start)
        listing = _tail_listing(head, text, whole=start == 0)
        if start == 0 or (listing is not None and len(listing.items) > count):
            break
        window *= 4
    if listing is None:
        return _whole_rows(text, path)[-count:]
    return read_items(list(listing.items)[-count:], where=path)


def all_rows(path: Path, *, max_mb: int) -> list[dict[str, Any]]:
    """Return every row of the log."""
    if not path.exists():
        return []
    text, _ = read(path, max_mb=max_mb)
    return _whole_rows(text, path)


def rows_after(path: Path, offset: int) -> list[dict[str, Any]]:
    """Return the rows that were added when the log was at least *offset* long."""
    if not path.exists() or path.stat().st_size <= offset:
        return []
    begun = beginning(_piece(path, 0, HEAD), KEYS)
    if begun is None:
        return []
    _, _, key = begun
    new = take_apart(f"{key}:\n{_piece(path, offset)}" if key else _piece(path, offset), (key,))
    return read_items(new.items, where=path) if new is not None else []


def check(path: Path) -> int:
    """Return how many rows the log has, however long it is; every one of them is read on the way.

    It is read a piece at a time, so that the length of the log is no matter of memory.
    """
    if not path.exists():
        return 0
    if path.stat().st_size <= PIECE:
        return len(all_rows(path, max_mb=PIECE))
    count, rest, at = 0, "", 0
    with path.open("rb") as file:
        while data := file.read(PIECE):
            text = rest + data.decode("utf-8", errors="replace")
            listing = take_apart(text, KEYS if at == 0 else (None,))
            if listing is None or (listing.tail.strip() and len(data) == PIECE):
                raise unreadable(path, f"expected a list of events at byte {at}")
            count += len(read_items(list(listing.items)[:-1], where=path))
            rest, at = listing.items[-1], at + len(data)
            if listing.indent:
                return count + _check_rest(file, path, listing.indent, rest)
    return count + len(read_items([rest], where=path))


def _check_rest(file: Any, path: Path, indent: int, rest: str) -> int:
    """Return how many rows there are from *rest* on, in a log whose dashes are set in."""
    whole = rest + file.read().decode("utf-8", errors="replace")
    listing = take_apart(f"events:\n{whole}", ("events",))
    if listing is None or listing.indent != indent:
        raise unreadable(path, "its rows are indented differently")
    return len(read_items(listing.items, where=path))


def entry_from(row: Mapping[str, Any]) -> EventEntry:
    """Return *row* as an entry: what it does not know goes into its data, nothing is lost."""
    known = {name: value for name, value in row.items() if name in _FIELDS and value is not None}
    data = known.pop("data", None)
    extra = {name: value for name, value in row.items() if name not in _FIELDS}
    told = {name: words(value) for name, value in known.items()}
    merged = {**(data if isinstance(data, dict) else {"data": data} if data else {}), **extra}
    return EventEntry(**{"type": "unknown", **told}, data=merged)


def row_from(entry: EventEntry) -> dict[str, Any]:
    """Return *entry* as a row of the file."""
    row: dict[str, Any] = msgspec.to_builtins(entry)
    return row


def _add_line(file: InPlace, indent: int, row: Mapping[str, Any]) -> str:
    """Write *row* as a comment, have it on disk, then make it count."""
    end = file.size
    line = one_line(row, indent=indent, newline="\n")
    draft = (line[:indent] + "#" + line[indent + 1 :]).encode()
    broken = end > 0 and file.read_at(end - 1, 1) != b"\n"
    start = end + broken
    file.write_at(end, b"\n" * broken + draft)
    point("event drafted")
    file.sync()
    point("event synced")
    file.write_at(start + indent, b"-")
    point("event counted")
    return line


def _end_indent(size: int, path: Path) -> int | None:
    """Return how far the next dash must be set in; ``None`` if a line cannot just be added."""
    window = WINDOW
    head = _piece(path, 0, HEAD)
    while True:
        start = max(0, size - window)
        listing = _tail_listing(head, _piece(path, start), whole=start == 0)
        if listing is not None or start == 0:
            break
        window *= 4
    if listing is None or listing.tail.strip() or "\r\n" in head:
        return None
    read_items(list(listing.items)[-1:], where=path)
    return listing.indent


def _tail_listing(head: str, text: str, *, whole: bool) -> Listing | None:
    """Return the items that *text*, the end of a log that begins with *head*, holds in full."""
    begun = beginning(head, KEYS)
    if begun is None:
        return None
    _, indent, key = begun
    if whole:
        return take_apart(text, KEYS)
    begin = re.search(rf"(?m)^ {{{indent}}}-[ ]", text[text.find("\n") + 1 :])
    if begin is None:
        return None
    seen = text[text.find("\n") + 1 :][begin.start() :]
    cut = take_apart(f"{key}:\n{seen}" if key else seen, (key,))
    return cut if cut is not None and cut.indent == indent else None


def _whole_rows(text: str, path: Path) -> list[dict[str, Any]]:
    held = parse(text, where=path)
    rows = held.get("events") if isinstance(held, dict) and "events" in held else held
    if rows is None or rows == {}:
        return []
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise unreadable(path, "it contains no list of events")
    return rows


def _rewritten(path: Path, row: Mapping[str, Any], *, max_mb: int) -> str:
    """Add *row* to a log that cannot be appended to: an empty list, or one with something after it."""
    text, _ = read(path, max_mb=max_mb)
    before = _whole_rows(text, path)
    listing = take_apart(text, KEYS)
    if listing is not None and listing.items:
        line = one_line(row, indent=listing.indent, newline=listing.newline)
        after = listing.with_more(line).text
    elif not before and not isinstance(parse(text, where=path), dict):
        bare = "".join(ln for ln in text.splitlines(keepends=True) if ln.lstrip().startswith("#"))
        after = bare + one_line(row, indent=0, newline="\n")
    else:
        after = round_trip.changed(text, lambda held: _extend(held, row), where=path)
    if _whole_rows(after, path) != [*before, dict(row)]:
        raise unreadable(path, "an event could not be added to it")
    write(path, after)
    return one_line(row, indent=0, newline="\n")


def _extend(held: Any, row: Mapping[str, Any]) -> None:
    rows = held.get("events") if isinstance(held, dict) else held
    if rows:
        rows.append(dict(row))
    else:
        held["events"] = [dict(row)]


def _make(path: Path) -> None:
    """See to it that there is a log; an empty file is one."""
    try:
        if not path.exists():
            write(path, "# Events: what agents did. Append only.\n[]\n")
    except OSError as error:
        raise StoreError(
            where=str(path), what=f"cannot be made ({error.strerror})", fix="Check its folder."
        ) from error


def _piece(path: Path, start: int, size: int = -1) -> str:
    """Return the text from *start* on, to the end unless *size* is given.

    It is read to the end as it is now and not as it was a moment ago: a row that has just begun to
    count is then read in full. A piece may begin inside a character, which is no part of any row.
    """
    with path.open("rb") as file:
        file.seek(start)
        return file.read(size).decode("utf-8", errors="replace")
