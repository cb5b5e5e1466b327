"""One writer at a time for a stream, and one at a time for whoever moves its segments.

path + patience  ->  Held, or a StoreError
"""

from pathlib import Path

from snaphook.errors import StoreError
from snaphook.storage.lock import Held, take


def lock_stream(path: Path, *, patience: float) -> Held:
    """Return the lock at *path*; a ``StoreError`` where another process keeps it."""
    held = take(path, patience=patience)
    if held is None:
        raise StoreError(
            where=str(path.parent),
            what="another process is writing this stream",
            fix="Wait for it, or write another stream.",
        )
    return held
