"""Snapshots as the guard takes them: quickly, and never in the way.

a call about to run  ->  a snapshot, and a note that its end is awaited
"""

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from snaphook.errors import SnaphookError
from snaphook.later import logger

if TYPE_CHECKING:
    from .shelf import Shelf

_log = logger("snaphook.snapshots")


class SnapshotNet:
    """Keeps what is at stake on the shelf in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._awaited = folder / "awaited"

    def catch(
        self, root: str, paths: tuple[str, ...], *, command: str, session: str, call: str
    ) -> str | None:
        """Return the name of the snapshot, or ``None`` where none could be taken."""
        from snaphook.storage.files import replace
        from snaphook.storage.folders import make_private

        from .take import Risk

        try:
            shelf = self._shelf()
            shelf.tidy()
            kept = shelf.keep(Path(root), Risk(paths=paths), command=command, session=session)
            make_private(self._awaited)
            replace(self._note(call), kept.id.encode())
        except (SnaphookError, OSError) as why:
            _log.warning("no snapshot: %s", why)
            return None
        return kept.id

    def landed(self, call: str) -> None:
        """Remember how the files stand now that *call* has run, if a snapshot awaits it."""
        if not os.path.isdir(self._awaited):  # noqa: PTH112 - asked after every call
            return
        note = self._note(call)
        if not note.exists():
            return
        with contextlib.suppress(SnaphookError, OSError):
            shelf = self._shelf()
            shelf.settle(shelf.find(note.read_text()))
        note.unlink(missing_ok=True)

    def _note(self, call: str) -> Path:
        import hashlib

        return self._awaited / hashlib.sha256(call.encode(errors="replace")).hexdigest()[:32]

    def _shelf(self) -> "Shelf":
        from .shelf import Shelf

        return Shelf(self._folder)
