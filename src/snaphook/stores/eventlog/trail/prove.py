"""That one record was in the sealed record, provable to somebody who has nothing else.

record id  ->  InclusionProof: the line, the way up the tree, the seal at its top

A third party checks it with ``check_proof.py``, which needs neither Snaphook nor the record.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import UsageError
from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.chain import REDACTED, take_apart, whole
from snaphook.stores.eventlog.segment import lines, segments

from .merkle import Tree, path
from .seal import Seal, seals

VERSION = 1


class InclusionProof(Struct, frozen=True, kw_only=True):
    """Everything a stranger needs."""

    version: int = VERSION
    id: str
    body: str | None
    """The line's body, byte for byte; none where it was redacted."""
    digest: str
    index: int
    """The line's number in its stream, from 0."""
    path: tuple[str, ...]
    seal: Seal


def prove(folder: Path, record_id: str) -> InclusionProof:
    """Return the proof for the record *record_id*; it must be sealed already."""
    for stream in streams(folder):
        found = _find(stream, record_id)
        if found is not None:
            return found
    raise UsageError(
        where=f"record '{record_id}'",
        what="unknown record id",
        fix="'snaphook log --json' shows the ids.",
    )


def _find(stream: Path, record_id: str) -> InclusionProof | None:
    made = seals(stream)
    gone = _gone(stream, made)
    digests: list[bytes] = []
    found: tuple[int, str | None] | None = None
    for segment in segments(stream):
        for raw in lines(segment):
            line = take_apart(raw[:-1])
            if line is None or not raw.endswith(b"\n"):
                break
            if found is None and _id_of(line.body) == record_id:
                shown = line.body.decode() if whole(line) else None
                if shown is not None or line.body.startswith(REDACTED):
                    found = gone.count + len(digests), shown
            digests.append(line.digest)
    if found is None:
        return None
    index, body = found
    seal = next((each for each in made if each.count > index), None)
    if seal is None:
        raise UsageError(
            where=f"record '{record_id}'",
            what="no checkpoint covers it yet",
            fix="Run: snaphook audit checkpoint",
        )
    steps = path(index, seal.count, lambda at: digests[at - gone.count], gone)
    return InclusionProof(
        id=record_id,
        body=body,
        digest=digests[index - gone.count].decode(),
        index=index,
        path=tuple(step.hex() for step in steps),
        seal=seal,
    )


def _id_of(body: bytes) -> str | None:
    """Return the id of the record that *body* is, or is what is left of."""
    if not body.startswith((b'{"id":', REDACTED)):
        return None
    try:
        told = msgspec.json.decode(body, type=_ProofParts)
    except msgspec.DecodeError:
        return None
    return told.id or told.record.get("id")


class _ProofParts(Struct, frozen=True, kw_only=True):
    """What a body tells of whose it is."""

    id: str | None = None
    record: dict[str, Any] = {}


def _gone(stream: Path, made: list[Seal]) -> Tree:
    """Return the tree of the lines that were retired."""
    first = segments(stream)[0].name[:8]
    ends = [each for each in made if each.segment < first]
    return ends[-1].tree if ends else Tree()
