"""What a redaction takes out of a record, wherever that record lies.

deeds of the journal  ->  id, fields        body + fields  ->  what is left

Pure. The segments and every store take out the same fields, because they all ask here.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from .record import Record

JOURNAL = "audit"
"""The stream that says what auditors and administrators did."""
REDACTION = "AuditRedaction"
STAYS = frozenset(
    ["id", "time", "event", "session", "host", "verdict", "by", "duration_ms", "redacted"]
)
"""What is never taken out: which record it was, and what came of it."""
SENSITIVE = (
    *("input", "output", "reason", "answers", "hooks", "project", "agent", "tool", "transcript"),
)
"""What goes where nothing else is said."""
SALT = "salt"
"""Goes whatever else does: without it, nobody can guess back what is gone."""


class Taken(Struct, frozen=True, kw_only=True):
    """What a redaction took out of one record."""

    id: str
    fields: tuple[str, ...]


class _JournalEntry(Struct, frozen=True, kw_only=True):
    input: Taken


def taken_out(stream: str, records: Iterable[Record]) -> list[Taken]:
    """Return what *records* of *stream* say was redacted; only the journal may say so."""
    if stream != JOURNAL:
        return []
    return [msgspec.convert(each.input, Taken) for each in records if each.event == REDACTION]


def action_in(body: bytes) -> Taken:
    """Return what the deed with *body*, as a store has it, took out."""
    return msgspec.json.decode(body, type=_JournalEntry).input


class Left(NamedTuple):
    """A record before and after something was taken out, and its new body."""

    before: Record
    after: Record
    body: bytes


def left_of(body: bytes, fields: Sequence[str]) -> Left:
    """Return what is left of the record with *body*, as a store has it, once *fields* are gone."""
    whole = msgspec.json.decode(body)
    left = without(whole, fields)
    left["redacted"] = sorted({*left.get("redacted", ()), *fields})
    before, after = msgspec.convert(whole, Record), msgspec.convert(left, Record)
    return Left(before, after, msgspec.json.encode(left))


def without(whole: dict[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """Return *whole* without *fields*; a dot leads into a table."""
    for field in fields:
        whole = _dropped(whole, field.split("."))
    return whole


def _dropped(table: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    name, *rest = path
    if not rest:
        return {key: value for key, value in table.items() if key != name or key in STAYS}
    inner = table.get(name)
    return {**table, name: _dropped(inner, rest)} if isinstance(inner, dict) else table
