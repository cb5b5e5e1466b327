"""Overrides as seen by a process that answers one call without the daemon.

BlockedCall  ->  an override without an end that covers it, or how a person could make one

Those of ``--always`` lie on disk with their proofs, so they need no daemon; the others are in its memory.
Whether one counts for the calling agent is decided as in the daemon, by the same code.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from snaphook.stores.eventlog.settings import LogSettings

if TYPE_CHECKING:
    from snaphook.stores.overrides.override import BlockedCall
    from snaphook.stores.overrides.registry import OverrideMatch, OverrideRegistry

CLIENT = "snaphook-hook"


class DirectOverrides:
    """Finds what a person allowed for good; its use is recorded as *log* says, below *data_dir*."""

    def __init__(self, log: LogSettings, data_dir: Path) -> None:
        self._log = log
        self._data_dir = data_dir

    def find(self, call: "BlockedCall") -> "OverrideMatch | None":
        """Return what allows *call* for good."""
        if not (self._shared() / "overrides" / "always").is_dir():
            return None
        from snaphook.process.ancestry import peer

        token = peer.set((_caller(), time.monotonic()))
        try:
            return self._registry().find(call)
        finally:
            peer.reset(token)

    def report(self, call: "BlockedCall") -> str:
        """Return how a person could allow *call*: by the number that a daemon will know it by."""
        return (
            "To override this, the user can run in their own terminal: snaphook allow "
            f"{self._number(call) or 'COMMAND'} --once"
        )

    def _number(self, call: "BlockedCall") -> int:
        """Return the number of a denial, 0 where it cannot be written down."""
        from snaphook.config.probes import is_probe
        from snaphook.scrub import Scrubber
        from snaphook.stores.overrides.unserved import note_unserved

        if is_probe(call.command, call.session, os.environ):
            return 0
        if Scrubber(personal=False).scrub(call.command) != call.command:
            return 0  # a secret is not written down
        try:
            return note_unserved(self._shared(), call, time.time())
        except OSError:
            return 0

    def _shared(self) -> Path:
        from snaphook.config import Environment

        return Environment.here().shared_dir

    def _registry(self) -> "OverrideRegistry":
        from snaphook.stores.overrides.registry import OverrideRegistry

        return OverrideRegistry(self._audit)

    def _audit(
        self,
        event: str,
        text: str,
        *,
        env: Mapping[str, str],
        command: str = "",
        cwd: str = "",
        project: str = "",
        session: str = "",
        tool: str = "",
    ) -> None:
        """Write that *event* happened to the stream of those who answer without a daemon."""
        if not self._log.enabled:
            return
        from .recording import keep_records, override_record, scrubber

        made = override_record(
            event,
            text,
            scrubber(self._data_dir),
            command=command,
            project=project or cwd,
            session=session,
            tool=tool,
        )
        keep_records([made], self._log, self._data_dir)


def _caller() -> int:
    """Return whom a daemon would take for the caller: the native client, or this process in its place."""
    from snaphook.process.ancestry import find

    parent = find(os.getppid())
    return os.getppid() if parent is not None and parent.name == CLIENT else os.getpid()
