"""The last few versions of each file, from before each change.

path  ->  .workspace/backups/<name>/<time>-<n>
"""

import itertools
import os
import shutil
import time
from pathlib import Path

_number = itertools.count()


class Backups:
    """Keeps the last *keep* versions of each file in *folder*."""

    def __init__(self, folder: Path, *, keep: int) -> None:
        self._folder = folder
        self._keep = keep

    def save(self, path: Path) -> Path | None:
        """Keep the present version of *path*: by a hard link, since a new version is a new file."""
        if not path.exists():
            return None
        versions = self._folder / path.name
        versions.mkdir(parents=True, exist_ok=True)
        kept = versions / f"{time.time_ns():020d}-{os.getpid()}-{next(_number)}"
        try:
            os.link(path, kept)
        except OSError:
            shutil.copy2(path, kept)
        for old in self.versions(path)[: -self._keep]:
            old.unlink(missing_ok=True)
        return kept

    def versions(self, path: Path) -> list[Path]:
        """Return the versions of *path* that are kept, the oldest first."""
        versions = self._folder / path.name
        return sorted(versions.iterdir()) if versions.is_dir() else []
