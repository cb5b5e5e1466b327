"""Find records: the newest first, in pages, never longer than a page can wait.

Filter + PageCursor  ->  Page of Finds

A filter that has an index is asked of the database; the others are tried on so many records at a time,
and the page says how far it has looked. So a rare word in a million records costs clicks, not minutes.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from snaphook.canon.hook_runs import HOOK_ENDED
from snaphook.stores.eventlog.record import Record

from .ask import STOPPED, Filter, PageCursor
from .source import FigureSource, Rows

PAGE = 100
LOOKED_AT = 20_000
"""Records that one page goes through at most."""
CHUNK = 500

_decode = msgspec.json.Decoder(Record).decode


class Find(Struct, frozen=True, kw_only=True):
    """A record, and the machine it is from where there are several."""

    record: Record
    machine: str = ""


class Page(Struct, frozen=True, kw_only=True):
    """Some records, and where the next ones are."""

    finds: Sequence[Find]
    older: PageCursor | None = None
    looked_back_to: float | None = None
    """Set where the page stopped looking before it was full."""


def find(
    source: FigureSource, wanted: Filter, before: PageCursor | None = None, limit: int = PAGE
) -> Page:
    """Return the newest records that are *wanted*, older than *before*."""
    where, values = _indexed(wanted)
    finds: list[Find] = []
    looked = 0
    while looked < LOOKED_AT:
        size = min(LOOKED_AT - looked, limit + 1 if not _sieved(wanted) else 2_000)
        batch = _older(source, where, values, before, size)
        looked += len(batch)
        for each in batch:
            before = PageCursor(time=each.record.time, id=each.record.id)
            if wanted.takes(each.record):
                finds.append(each)
                if len(finds) == limit:
                    return Page(finds=finds, older=before)
        if len(batch) < size:
            return Page(finds=finds)
    back_to = before.time if before else None
    return Page(finds=finds, older=before, looked_back_to=back_to)


def one(source: FigureSource, record_id: str) -> Find | None:
    """Return the record *record_id*."""
    found = _read(source.rows(f"{_select(source)} WHERE id = ?", (record_id,)))
    return found[0] if found else None


def beside(source: FigureSource, record: Record, *, newer: bool) -> str:
    """Return the id of the record of the same session just before *record*, or just after; or none."""
    sign, order = (">", "ASC") if newer else ("<", "DESC")
    sql = (
        f"SELECT id FROM {{p}}record WHERE session = ? AND (time, id) {sign} (?, ?) "  # noqa: S608
        f"ORDER BY time {order}, id {order} LIMIT 1"
    )
    rows = source.rows(sql, (record.session, record.time, record.id))
    return str(rows[0][0]) if rows else ""


def of_session(source: FigureSource, session: str, limit: int) -> list[Find]:
    """Return the records of *session*, oldest first, the newest *limit* of them."""
    sql = f"{_select(source)} WHERE session = ? ORDER BY time DESC, id DESC LIMIT ?"
    return _read(source.rows(sql, (session, limit)))[::-1]


def background_ends(source: FigureSource, record: Record) -> dict[str, Find]:
    """Return the records of the ends of the background hooks that *record* started, by their runs."""
    wanted = {run.run for run in record.hooks if run.background and run.run}
    if not wanted:
        return {}
    sql = f"{_select(source)} WHERE session = ? AND time >= ? AND event = ? ORDER BY time LIMIT ?"
    rows = source.rows(sql, (record.session, record.time, HOOK_ENDED, LOOKED_AT))
    return {
        run.run: found for found in _read(rows) for run in found.record.hooks if run.run in wanted
    }


def ids_since(source: FigureSource, moment: float, limit: int) -> list[str]:
    """Return the ids of the records since *moment*, the newest first."""
    sql = "SELECT id FROM {p}record WHERE time >= ? ORDER BY time DESC LIMIT ?"
    return [str(each) for (each,) in source.rows(sql, (moment, limit))]


def by_ids(source: FigureSource, ids: Sequence[str]) -> list[Find]:
    """Return the records *ids*, oldest first."""
    found: list[Find] = []
    for start in range(0, len(ids), CHUNK):
        some = ids[start : start + CHUNK]
        marks = ",".join("?" * len(some))
        found += _read(source.rows(f"{_select(source)} WHERE id IN ({marks})", some))
    return sorted(found, key=lambda each: (each.record.time, each.record.id))


def _indexed(wanted: Filter) -> tuple[str, list[object]]:
    """Return the part of *wanted* that a database finds quickly."""
    clauses, values = ["1 = 1"], list[object]()
    match wanted.verdict:
        case "":
            pass
        case "stopped":
            clauses.append("verdict IN (?, ?)")
            values += STOPPED
        case "said":
            clauses.append("verdict IS NOT NULL")
        case verdict:
            clauses.append("verdict = ?")
            values.append(verdict)
    for name in ("session", "machine"):
        if value := getattr(wanted, name):
            clauses.append(f"{name} = ?")
            values.append(value)
    return " AND ".join(clauses), values


def _sieved(wanted: Filter) -> bool:
    """Say whether some of *wanted* is left to us."""
    return bool(set(wanted.given) - {"verdict", "session", "machine"})


def _older(
    source: FigureSource,
    where: str,
    values: Sequence[object],
    before: PageCursor | None,
    limit: int,
) -> list[Find]:
    after = " AND (time, id) < (?, ?)" if before else ""
    place = (before.time, before.id) if before else ()
    sql = f"{_select(source)} WHERE {where}{after} ORDER BY time DESC, id DESC LIMIT ?"
    return _read(source.rows(sql, (*values, *place, limit)))


def _select(source: FigureSource) -> str:
    body = "body::text" if source.prefix else "body"
    return f"SELECT {source.machine}, {body} FROM {{p}}record"  # noqa: S608 - names are ours


def _read(rows: Rows | Iterable[tuple[str, bytes]]) -> list[Find]:
    return [Find(record=_decode(body), machine=machine) for machine, body in rows]
