"""The small YAML files: read through an index, changed whole with their comments kept.

path  ->  plain values;  path + change  ->  a new version, a backup of the old one
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import disk, round_trip
from .backups import Backups
from .index import FileIndex
from .parse import has_anchors, parse


class YamlFiles:
    """Reads and changes small files; what was found in them is kept in *indexes*."""

    def __init__(self, *, indexes: Path, backups: Backups, max_mb: int) -> None:
        self._indexes = indexes
        self._backups = backups
        self._max_mb = max_mb

    def read(self, path: Path) -> Any:
        """Return what the file at *path* holds; ``None`` if there is none."""
        stamp = disk.stamp_of(path)
        if stamp is None:
            return None
        index: FileIndex[Any] = FileIndex(self._indexes / f"{path.name}.parsed", Any)
        kept = index.read()
        if kept is not None and kept.stamp == stamp:
            return kept.value
        text, stamp = disk.read(path, max_mb=self._max_mb)
        held = parse(text, where=path)
        if not has_anchors(text):
            index.keep(stamp, held)
        return held

    def edited(self, path: Path, empty: str, change: Callable[[Any], None]) -> str:
        """Return the text that the file at *path* gets by *change*; *empty* is where there is none yet."""
        text = disk.read(path, max_mb=self._max_mb)[0] if path.exists() else empty
        return round_trip.changed(text, change, where=path)

    def change(self, path: Path, empty: str, change: Callable[[Any], None]) -> None:
        """Make *change* to the file at *path*. The caller holds the lock."""
        after = self.edited(path, empty, change)
        self._backups.save(path)
        disk.write(path, after)
