"""Keep the record small: closed segments are packed, old ones go when their time is over.

stream + limits  ->  fewer bytes on disk, and a checkpoint for whatever was removed
"""

import gzip
import logging
import os
import shutil
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from snaphook.storage.files import move, sync_file

from .audit import streams
from .checkpoint import Checkpoint, checkpoints, rewrite
from .segment import lines, segments
from .settings import LogSettings
from .upkeep import upkeep

log = logging.getLogger("snaphook.log")

DAY = 86_400.0
PIECE = 1 << 16
"""Bytes packed at once: small, for what a thread once held the daemon keeps."""


def tidy(folder: Path, settings: LogSettings, *, now: float) -> None:
    """Pack and retire the segments of every stream below *folder*; the newest is left alone."""
    with upkeep(folder):
        for stream in streams(folder):
            for path in segments(stream)[:-1]:
                if path.suffix == ".log":
                    pack(path)
            retire(stream, settings, now=now)


def pack(path: Path) -> Path:
    """Compress the closed segment at *path*; at every moment one whole copy is there."""
    target = path.with_name(f"{path.name}.gz")
    draft = path.with_name(f".{path.name}.packing")
    with path.open("rb") as plain, gzip.open(draft, "wb", compresslevel=6) as packed:
        shutil.copyfileobj(plain, packed, PIECE)
    sync_file(draft)
    stamp = path.stat()
    os.utime(draft, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # retention goes by its age
    move(draft, target)
    path.unlink()
    return target


def retire(
    stream: Path,
    settings: LogSettings,
    *,
    now: float,
    may_go: Callable[[Path], bool] = lambda _segment: True,
) -> list[Path]:
    """Remove the segments of *stream* that are too old or too many; return which.

    None goes that may not, nor any after it: the chain has one beginning.
    """
    closed = segments(stream)[:-1]
    old = [path for path in closed if now - path.stat().st_mtime > settings.keep_days * DAY]
    going = closed[: max(len(old), _too_many(stream, closed, settings.max_mb << 20))]
    going = list(takewhile(may_go, going))
    if going:
        _note_retired(stream, going[-1], now)
        for path in going:
            log.info("event log: deleting %s, as [log] says", path)
            path.unlink()
    return going


def _too_many(stream: Path, closed: Sequence[Path], most: int) -> int:
    """Return how many of the oldest segments must go for the rest to fit."""
    total = sum(path.stat().st_size for path in segments(stream))
    for count, path in enumerate(closed):
        if total <= most:
            return count
        total -= path.stat().st_size
    return len(closed)


def _note_retired(stream: Path, last: Path, now: float) -> None:
    """Keep the head that the first segment left goes on from, and forget the points before it."""
    size, head = 0, b""
    for line in lines(last):
        size, head = size + len(line), line[:64]
    number = last.name[:8]
    kept = [point for point in checkpoints(stream) if point.segment > number]
    gone = Checkpoint(segment=number, size=size, head=head.decode(), time=now, retired=True)
    rewrite(stream, [gone, *kept])
