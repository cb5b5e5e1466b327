"""One at a time for whoever moves or rewrites segments: packing, retiring, redacting.

folder  ->  a block in which nobody else does

A segment that is packed while its lines are redacted would keep what was to go.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .lock import Lock

FILE = ".upkeep"
PATIENCE = 60.0
"""Seconds; packing a segment takes one or two."""


@contextmanager
def upkeep(folder: Path, *, patience: float = PATIENCE) -> Iterator[None]:
    """Keep everybody else's hands off the segments of *folder* for as long as the block lasts."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = Lock(folder / FILE, patience=patience)
    try:
        yield
    finally:
        lock.release()
