"""Take contents out of the record and leave the chain as it is.

records + fields  ->  the same lines, of the same length, without those fields

A line's digest was made of its whole, salted body, and stays: the chain, the seals and every proof
still hold, and nobody can guess back what is gone. What is left of the body is vouched for by the
journal, which is written first and names the old digest and the hash of the new body. A redaction
that the journal does not know is an attack, and 'verify' says so.
"""

import gzip
import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.chain import REDACTED, take_apart
from snaphook.stores.eventlog.read import decoded
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.segment import lines, segments

from .hold import holds, is_held
from .journal import REDACTION, STREAM, write_down

STAYS = frozenset(["id", "time", "event", "session"])
"""What is never taken out: which record it was."""
SENSITIVE = ("input", "output", "reason", "answers", "project", "agent", "tool", "salt")
"""What goes where nothing else is said; the salt goes last of all, and always."""


class Redacted(Struct, frozen=True, kw_only=True):
    """One line that lost something."""

    id: str
    stream: str
    line: int
    fields: tuple[str, ...]


class _Change(Struct, frozen=True, kw_only=True):
    """One line to be rewritten."""

    path: Path
    start: int
    digest: str
    body: bytes
    told: Redacted


def redact(
    folder: Path,
    wanted: Callable[[Record], bool],
    *,
    fields: Sequence[str] = SENSITIVE,
    why: str,
    now: float,
) -> tuple[list[Redacted], list[Record]]:
    """Take *fields* out of every record that is *wanted*; return what went, and what was held.

    What a legal hold keeps is left alone.
    """
    in_force = holds(folder)
    changes: list[_Change] = []
    held: list[Record] = []
    for change, record in _changes(folder, wanted, [*dict.fromkeys([*fields, "salt"])], why):
        if is_held(record, in_force):
            held.append(record)
        else:
            changes.append(change)
    if changes:
        write_down(folder, [(REDACTION, _deed(change, why)) for change in changes], now=now)
        for path in dict.fromkeys(change.path for change in changes):
            _rewrite(path, [change for change in changes if change.path == path])
    return [change.told for change in changes], held


def _changes(
    folder: Path, wanted: Callable[[Record], bool], fields: Sequence[str], why: str
) -> Iterator[tuple[_Change, Record]]:
    for stream in streams(folder):
        if stream.name == STREAM:
            continue  # what was done to the record is not for redaction
        for path in segments(stream):
            start = 0
            for number, raw in enumerate(lines(path), start=1):
                for record in decoded([raw]):
                    if wanted(record):
                        line = take_apart(raw[:-1])
                        assert line is not None, "what was decoded has the shape of a line"
                        told = Redacted(
                            id=record.id, stream=stream.name, line=number, fields=tuple(fields)
                        )
                        yield (
                            _Change(
                                path=path,
                                start=start + 130,
                                digest=line.digest.decode(),
                                body=_without(line.body, fields, why),
                                told=told,
                            ),
                            record,
                        )
                start += len(raw)


def _without(body: bytes, fields: Sequence[str], why: str) -> bytes:
    """Return *body* without *fields*, of the same length: offsets elsewhere count on it."""
    whole: dict[str, Any] = msgspec.json.decode(body)
    for field in fields:
        _drop(whole, field.split("."))
    marks: list[dict[str, Any]] = [
        {"redacted": list(fields), "why": why, "record": whole},
        {"redacted": 1, "record": whole},  # which fields, the journal knows
        {"redacted": 1, "record": {key: whole[key] for key in STAYS if key in whole}},
        {"redacted": 1},
    ]
    for mark in marks:
        raw = msgspec.json.encode(mark)
        if len(raw) <= len(body):
            return raw.ljust(len(body))
    raise AssertionError("a record is always longer than the mark in its place")


def _drop(table: dict[str, Any], path: list[str]) -> None:
    name, *rest = path
    if name in STAYS and not rest:
        return
    if not rest:
        table.pop(name, None)
    elif isinstance(inner := table.get(name), dict):
        _drop(inner, rest)


def _deed(change: _Change, why: str) -> dict[str, Any]:
    told = change.told
    return {
        "id": told.id,
        "stream": told.stream,
        "digest": change.digest,
        "body": sha256(change.body).hexdigest(),
        "fields": list(told.fields),
        "why": why,
    }


def _rewrite(path: Path, changes: Sequence[_Change]) -> None:
    """Put the new bodies in place; a packed segment is packed again, beside the old one first."""
    if path.suffix != ".gz":
        with path.open("r+b") as file:
            for change in changes:
                os.pwrite(file.fileno(), change.body, change.start)
            os.fsync(file.fileno())
        return
    with gzip.open(path, "rb") as packed:
        raw = bytearray(packed.read())
    for change in changes:
        raw[change.start : change.start + len(change.body)] = change.body
    draft = path.with_name(f".{path.name}.redacting")
    draft.write_bytes(gzip.compress(bytes(raw), compresslevel=6))
    stamp = path.stat()
    os.utime(draft, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    draft.replace(path)


def is_redacted(body: bytes) -> bool:
    """Say whether *body* says of itself that something was taken out."""
    return body.startswith(REDACTED)
