"""How far each stream of the record has come, and how far somebody vouches for it.

streams + seals + checkpoints  ->  Streams

As noted, without walking the chain: whether it holds is in ``proof``.
"""

from pathlib import Path

from msgspec import Struct

from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.checkpoint import checkpoints
from snaphook.stores.eventlog.segment import segments
from snaphook.stores.eventlog.trail.keys import key_id
from snaphook.stores.eventlog.trail.seal import seals

from .dashboard import Dashboard


class StreamState(Struct, frozen=True, kw_only=True):
    """One stream of the record."""

    name: str
    segments: int
    size: int
    """Bytes on disk."""
    written: float
    checkpoints: int
    checked: float | None
    """When its length was last noted."""
    sealed: int
    """Lines that a seal vouches for."""
    seals: int
    sealed_at: float | None
    signed_by: str


class Shipped(Struct, frozen=True, kw_only=True):
    """How far a stream has been copied."""

    machine: str
    stream: str
    segment: str
    at: int


def stream_states(folder: Path) -> list[StreamState]:
    """Return the streams below *folder*."""
    return [_state(stream) for stream in streams(folder)]


def shipped(dashboard: Dashboard) -> list[Shipped]:
    """Return how far the database has got with each stream."""
    rows = dashboard.records.rows(
        f"SELECT {dashboard.records.machine}, stream, segment, at FROM {{p}}cursor ORDER BY 1, 2"  # noqa: S608
    )
    return [
        Shipped(machine=str(machine), stream=str(stream), segment=str(segment), at=int(at))
        for machine, stream, segment, at in rows
    ]


def _state(stream: Path) -> StreamState:
    paths = segments(stream)
    points = checkpoints(stream)
    made = seals(stream)
    last = made[-1] if made else None
    stats = [path.stat() for path in paths]
    return StreamState(
        name=stream.name,
        segments=len(paths),
        size=sum(one.st_size for one in stats),
        written=max(one.st_mtime for one in stats),
        checkpoints=len(points),
        checked=points[-1].time if points else None,
        sealed=last.count if last else 0,
        seals=len(made),
        sealed_at=last.time_ms / 1000 if last else None,
        signed_by=key_id(last.public) if last and last.signature else "",
    )
