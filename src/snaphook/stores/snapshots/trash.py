"""Files by their content: the same bytes are kept once, whatever they were called.

bytes  ->  name  ->  bytes
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from snaphook.disk import write_whole


class Trash:
    """A folder of files that are named after what is in them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, raw: bytes) -> str:
        """Keep *raw* and return its name; it is on disk then."""
        name = hashlib.sha256(raw).hexdigest()
        place = self._place(name)
        if place.exists():
            os.utime(place)
            return name
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(place, raw)
        return name

    def read(self, name: str) -> bytes:
        """Return the bytes called *name*."""
        return self._place(name).read_bytes()

    def holds(self, name: str) -> bool:
        """Say whether the bytes called *name* are still here."""
        return self._place(name).exists()

    def drop_all_but(self, wanted: Iterable[str], *, before: float) -> int:
        """Drop what nobody of *wanted* names and was kept *before*; return how many bytes went."""
        keep = frozenset(wanted)
        gone = 0
        for place in self._folder.glob("??/*"):
            with contextlib.suppress(OSError):
                found = place.stat()
                if place.name not in keep and found.st_mtime < before:
                    place.unlink()
                    gone += found.st_size
        return gone

    def size(self) -> int:
        """Return the bytes of all that is kept."""
        return sum(place.stat().st_size for place in self._folder.glob("??/*"))

    def _place(self, name: str) -> Path:
        return self._folder / name[:2] / name
