"""Which calls were rewritten, until their results come.

call  ->  ConfinedCall: its command, and the protected names that were free before it

On disk, since the process that hears of a result is not the one that rewrote the call where no daemon runs;
and some hosts tell of a result with the words of the old call.
"""

import contextlib
import os
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from snaphook.storage.files import replace
from snaphook.storage.folders import make_private

_DAY = 86_400
"""Seconds after which nobody will tell of a call's result any more."""


class ConfinedCall(Struct, frozen=True, kw_only=True):
    """What is known of a call that was rewritten."""

    command: str
    """As the agent wrote it."""
    absent: tuple[str, ...] = ()
    """Protected names that did not exist before it."""


class ConfinedCalls:
    """The calls in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, call: str, confined: ConfinedCall) -> None:
        """Remember that *call* was rewritten."""
        make_private(self._folder)
        replace(self._note(call), msgspec.json.encode(confined), durable=False)
        self._forget_old()

    def take(self, call: str) -> ConfinedCall | None:
        """Return what was noted of *call*, once; nothing where it was not rewritten."""
        if not os.path.isdir(self._folder):  # noqa: PTH112 - asked after every call
            return None
        note = self._note(call)
        try:
            confined = msgspec.json.decode(note.read_bytes(), type=ConfinedCall)
        except (OSError, msgspec.DecodeError):
            return None
        note.unlink(missing_ok=True)
        return confined

    def _note(self, call: str) -> Path:
        import hashlib

        return self._folder / hashlib.sha256(call.encode(errors="replace")).hexdigest()[:32]

    def _forget_old(self) -> None:
        cut = time.time() - _DAY
        with contextlib.suppress(OSError), os.scandir(self._folder) as found:
            for entry in found:
                if entry.stat().st_mtime < cut:
                    Path(entry.path).unlink(missing_ok=True)
