"""Snapshots as the guard takes them: quickly, and never in the way.

a call about to run  ->  a snapshot, and a note that its end is awaited
"""

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from snaphook.errors import SnaphookError
from snaphook.lazy import logger

if TYPE_CHECKING:
    from .store import SnapshotStore

_log = logger("snaphook.snapshots")


class ProjectSnapshotter:
    """Keeps what is at stake in the store in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._awaited = folder / "awaited"

    def take_snapshot(
        self, root: str, paths: tuple[str, ...], *, command: str, session: str, call: str
    ) -> str | None:
        """Return the name of the snapshot, or ``None`` where none could be taken."""
        from snaphook.storage.files import replace
        from snaphook.storage.folders import make_private

        from .take import Risk

        try:
            store = self._store()
            store.tidy()
            kept = store.keep(Path(root), Risk(paths=paths), command=command, session=session)
            make_private(self._awaited)
            replace(self._note(call), kept.id.encode())
        except (SnaphookError, OSError) as why:
            _log.warning("no snapshot: %s", why)
            return None
        return kept.id

    def finalize(self, call: str) -> None:
        """Remember how the files stand now that *call* has run, if a snapshot awaits it."""
        if not os.path.isdir(self._awaited):  # noqa: PTH112 - asked after every call
            return
        note = self._note(call)
        if not note.exists():
            return
        with contextlib.suppress(SnaphookError, OSError):
            store = self._store()
            store.settle(store.find(note.read_text()))
        note.unlink(missing_ok=True)

    def _note(self, call: str) -> Path:
        import hashlib

        return self._awaited / hashlib.sha256(call.encode(errors="replace")).hexdigest()[:32]

    def _store(self) -> "SnapshotStore":
        from .store import SnapshotStore

        return SnapshotStore(self._folder)
