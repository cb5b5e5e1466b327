"""Files by their content: the same bytes are kept once, whatever they were called.

bytes  ->  name  ->  bytes
"""

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from snaphook.storage.files import move, write_new
from snaphook.storage.folders import make_private, sync_folder


class Trash:
    """A folder of files that are named after what is in them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unsynced: set[Path] = set()

    def keep(self, raw: bytes) -> str:
        """Keep *raw* and return its name; a power cut cannot take it once ``sync`` has returned."""
        name = hashlib.sha256(raw).hexdigest()
        place = self._place(name)
        if place.exists():
            os.utime(place)
            return name
        make_private(place.parent)
        draft = place.with_name(f".{name}.{os.urandom(6).hex()}")
        try:
            write_new(draft, raw)
            move(draft, place, durable=False)
        finally:
            draft.unlink(missing_ok=True)
        self._unsynced.add(place.parent)
        return name

    def sync(self) -> None:
        """Return once the names of everything kept are on the disk: each folder once, not each file."""
        while self._unsynced:
            sync_folder(self._unsynced.pop())
        if self._folder.is_dir():
            sync_folder(self._folder)

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
