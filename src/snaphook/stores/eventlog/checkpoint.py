"""How far a stream had come at a moment, noted apart from it.

segment, bytes, head, time  ->  a line of checkpoints.jsonl

A chain alone cannot tell a record whose end was cut off from a shorter one. A checkpoint can, and
the further away a copy of it is kept, the better.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.storage.files import append_line, replace

FILE = "checkpoints.jsonl"


class Checkpoint(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """After *size* bytes of *segment*, unpacked, the chain's head was *head*."""

    segment: str
    size: int
    head: str
    time: float
    retired: bool = False
    """Everything up to here was removed on purpose, its time being over."""


def note(stream: Path, point: Checkpoint) -> None:
    """Keep *point* beside the stream, unless it says what the last one said."""
    known = checkpoints(stream)
    if known and known[-1].head == point.head:
        return
    append_line(stream / FILE, msgspec.json.encode(point))


def rewrite(stream: Path, points: Iterable[Checkpoint]) -> None:
    """Keep *points* and no other, at once."""
    replace(stream / FILE, b"".join(msgspec.json.encode(point) + b"\n" for point in points))


def checkpoints(stream: Path) -> list[Checkpoint]:
    """Return what was noted about *stream*, oldest first; a torn last line counts for nothing."""
    try:
        raw = (stream / FILE).read_bytes()
    except FileNotFoundError:
        return []
    decode = msgspec.json.Decoder(Checkpoint).decode
    whole = raw[: raw.rfind(b"\n") + 1]
    return [decode(line) for line in whole.splitlines() if line]
