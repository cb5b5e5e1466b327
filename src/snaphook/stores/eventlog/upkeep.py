"""One at a time for whoever moves or rewrites segments: packing, retiring, redacting.

folder  ->  a block in which nobody else does

A segment that is packed while its lines are redacted would keep what was to go.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .lock import lock_stream

FILE = ".upkeep"
PATIENCE = 60.0
"""Seconds; packing a segment takes one or two."""


@contextmanager
def upkeep(folder: Path, *, patience: float = PATIENCE) -> Iterator[None]:
    """Keep everybody else's hands off the segments of *folder* for as long as the block lasts."""
    with lock_stream(folder / FILE, patience=patience):
        yield
