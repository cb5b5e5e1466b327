"""What the files held before we wrote into them.

path  ->  InstalledFile(before, after)

One small JSON file per settings file, in the user's data folder, readable for the user alone: a
settings file may hold keys.
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.config.write import write_atomically


class InstalledFile(Struct, frozen=True, kw_only=True):
    """One file: what it held before the first change of ours, and after the last."""

    path: str
    before: str | None
    after: str
    folders: tuple[str, ...] = ()
    """The folders that had to be made for it, the innermost first."""


def known_folders(entry: InstalledFile | None) -> tuple[str, ...]:
    """Return the folders that were made for a file, as far as it is known."""
    return entry.folders if entry else ()


class InstallLedger:
    """The entries under *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def recall(self, path: Path) -> InstalledFile | None:
        """Return what is known about *path*; something unreadable counts as nothing."""
        try:
            return msgspec.json.decode(self._place(path).read_bytes(), type=InstalledFile)
        except (OSError, ValueError):
            return None

    def note(
        self, path: Path, *, before: str | None, after: str, folders: tuple[str, ...] = ()
    ) -> None:
        """Remember what *path* held; a second change by us keeps the first ``before``.

        Unless somebody else changed the file in between: then what they left is what comes back.
        """
        known = self.recall(path)
        if known is not None and known.after == before:
            before = known.before
        self.keep(path, before=before, after=after, folders=folders or known_folders(known))

    def keep(
        self, path: Path, *, before: str | None, after: str, folders: tuple[str, ...] = ()
    ) -> None:
        """Write the entry of *path* as it is given."""
        entry = InstalledFile(path=str(path), before=before, after=after, folders=folders)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(self._place(path), msgspec.json.encode(entry), mode=0o600)

    def forget(self, path: Path) -> None:
        """Drop what is known about *path*."""
        self._place(path).unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _place(self, path: Path) -> Path:
        return self.folder / f"{hashlib.sha256(str(path).encode()).hexdigest()[:16]}.json"
