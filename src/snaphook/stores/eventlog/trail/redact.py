"""Take contents out of the record and leave the chain as it is.

records + fields  ->  the same lines, of the same length, without those fields

A line's digest was made of its whole, salted body, and stays: the chain, the seals and every proof
still hold, and nobody can guess back what is gone. What is left of the body is vouched for by the
journal, which is written first and names the old digest and the hash of the new body. A redaction
that the journal does not know is an attack, and 'verify' says so. One that was cut off after the
journal was written is finished by the next one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.storage.files import replace as replace_file
from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.chain import REDACTED, ChainLine, take_apart, whole
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.redaction import SALT, SENSITIVE, STAYS, without
from snaphook.stores.eventlog.segment import lines, segments
from snaphook.stores.eventlog.upkeep import upkeep

from .finding import Redaction
from .hold import holds, is_held
from .journal import REDACTION, STREAM, actions, write_down
from .rewrite import ByteChange, rewrite, wipe_torn

DONE = ".redacted"
"""How many deeds of the journal have been carried out, in a file beside it."""


class Redacted(Struct, frozen=True, kw_only=True):
    """One line that lost something."""

    id: str
    stream: str
    line: int
    fields: tuple[str, ...]


class _Planned(Struct, frozen=True, kw_only=True):
    """One line to be rewritten."""

    change: ByteChange
    digest: str
    told: Redacted
    why: str

    @property
    def action(self) -> dict[str, Any]:
        """Return it for the journal."""
        told = self.told
        return {
            "id": told.id,
            "stream": told.stream,
            "digest": self.digest,
            "body": sha256(self.change.body).hexdigest(),
            "fields": list(told.fields),
            "why": self.why,
        }


def redact(
    folder: Path,
    wanted: Callable[[Record], bool],
    *,
    fields: Sequence[str] = SENSITIVE,
    why: str,
    now: float,
) -> tuple[list[Redacted], list[Record]]:
    """Take *fields* out of every record that is *wanted*; return what went, and what was held.

    What a legal hold keeps is left alone; what has none of *fields* left is not touched again.
    """
    names = [*dict.fromkeys([*fields, SALT])]
    with upkeep(folder):
        _finish(folder, now=now)
        in_force = holds(folder)
        found = [
            (plan, record)
            for stream, path, number, start, line in _lines(folder)
            if (record := _record_in(line.body)) is not None and wanted(record)
            if (plan := _plan(stream, path, number, start, line, names, why)) is not None
        ]
        held = [record for _, record in found if is_held(record, in_force)]
        plans = [plan for plan, record in found if not is_held(record, in_force)]
        if plans:
            write_down(folder, [(REDACTION, plan.action) for plan in plans], now=now)
        _carry_out(folder, plans)
        wipe_torn(folder, lambda record: wanted(record) and not is_held(record, in_force))
    return [plan.told for plan in plans], held


def finish(folder: Path, *, now: float) -> int:
    """Carry out what the journal says and was cut off before it was done; return how much."""
    if not (folder / STREAM).is_dir():
        return 0
    with upkeep(folder):
        return _finish(folder, now=now)


def _finish(folder: Path, *, now: float) -> int:
    every = list(actions(folder, REDACTION))
    latest = {str(action.input["digest"]): action.input for action in every[_done(folder) :]}
    if not latest:
        return 0
    plans = []
    for stream, path, number, start, line in _lines(folder):
        said = latest.get(line.digest.decode())
        if said and sha256(line.body).hexdigest() != said["body"]:
            plan = _plan(stream, path, number, start, line, said["fields"], str(said["why"]))
            plans += [plan] if plan is not None else []
    anew = [plan for plan in plans if plan.action["body"] != latest[plan.digest]["body"]]
    if anew:  # an earlier version would have left another body
        write_down(folder, [(REDACTION, plan.action) for plan in anew], now=now)
    _carry_out(folder, plans)
    return len(plans)


def _carry_out(folder: Path, plans: Sequence[_Planned]) -> None:
    for path in dict.fromkeys(plan.change.path for plan in plans):
        rewrite(path, [plan.change for plan in plans if plan.change.path == path])
    if (folder / STREAM).is_dir():
        total = sum(1 for _ in actions(folder, REDACTION))
        if total != _done(folder):
            replace_file(folder / STREAM / DONE, str(total).encode())


def _done(folder: Path) -> int:
    try:
        return int((folder / STREAM / DONE).read_text())
    except (FileNotFoundError, ValueError):
        return 0  # everything is looked at again, which changes nothing


def _lines(folder: Path) -> Iterator[tuple[str, Path, int, int, ChainLine]]:
    """Yield every line that may be redacted: stream, file, number, where it starts, its parts."""
    for stream in streams(folder):
        if stream.name == STREAM:
            continue  # what was done to the record is not for redaction
        for path in segments(stream):
            start = 0
            for number, raw in enumerate(lines(path), start=1):
                line = take_apart(raw[:-1]) if raw.endswith(b"\n") else None
                if line is not None:
                    yield stream.name, path, number, start, line
                start += len(raw)


def _plan(
    stream: str,
    path: Path,
    number: int,
    start: int,
    line: ChainLine,
    fields: Sequence[str],
    why: str,
) -> _Planned | None:
    """Return what becomes of *line*; ``None`` where it has nothing of *fields* any more."""
    before = _table(line.body)
    left = without(before, fields)
    if left == before and not whole(line):
        return None
    body = _marked(left, fields, why, len(line.body))
    return _Planned(
        change=ByteChange(path=path, start=start + 130, body=body),
        digest=line.digest.decode(),
        told=Redacted(
            id=str(before.get("id", "")), stream=stream, line=number, fields=tuple(fields)
        ),
        why=why,
    )


def _marked(left: dict[str, Any], fields: Sequence[str], why: str, size: int) -> bytes:
    """Return the new body, of *size* bytes as the old one: offsets elsewhere count on it."""
    marks: list[dict[str, Any]] = [
        {"redacted": list(fields), "why": why, "record": left},
        {"redacted": 1, "record": left},  # which fields, the journal knows
        {"redacted": 1, "record": {key: left[key] for key in sorted(STAYS) if key in left}},
        {"redacted": 1, "record": {"id": left.get("id", "")}},
        {"redacted": 1},
    ]
    for mark in marks:
        raw = msgspec.json.encode(mark)
        if len(raw) <= size:
            return raw.ljust(size)
    raise AssertionError("a record is always longer than the mark in its place")


def _table(body: bytes) -> dict[str, Any]:
    """Return the record's own table: the body, or what a redaction left of it."""
    found: dict[str, Any] = msgspec.json.decode(body)
    left: dict[str, Any] = found.get("record", {}) if is_redacted(body) else found
    return left


def _record_in(body: bytes) -> Record | None:
    """Return the record that *body* is, or is what is left of."""
    try:
        return msgspec.convert(_table(body), Record)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None  # about the segment itself, or too little was left


def is_redacted(body: bytes) -> bool:
    """Say whether *body* says of itself that something was taken out."""
    return body.startswith(REDACTED)


def summed(done: Sequence[Record]) -> tuple[Redaction, ...]:
    """Return *done*, deeds of the journal, as people did them: one act for all its records."""
    acts = Counter(
        (action.agent, action.time, str(action.input["why"]), _named(action)) for action in done
    )
    return tuple(
        Redaction(by=by, time=time, why=why, records=count, fields=fields)
        for (by, time, why, fields), count in acts.items()
    )


def _named(action: Record) -> tuple[str, ...]:
    return tuple(str(field) for field in action.input["fields"] if field != SALT)
