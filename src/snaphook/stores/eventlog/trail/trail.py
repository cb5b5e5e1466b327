"""The record of one folder, looked after as ``[audit]`` asks.

Trail.seal        what there is, signed, noted in the journal, copied elsewhere
Trail.send        to the endpoint
Trail.retain      what is over its time goes, what is held stays
"""

import logging
import platform
from collections.abc import Mapping
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.stores.eventlog.ship import ship

from .copy import TAKEN, command_copy, copies, copy_seals, folder_copy
from .journal import CHECKPOINT, STREAM, write_down
from .keys import PUBLIC, load_key
from .redact import Redacted
from .retention import retain
from .seal import Seal, seal
from .settings import AuditSettings

log = logging.getLogger("snaphook.log")


class Trail:
    """One folder of the record, its key and its copies."""

    def __init__(
        self,
        folder: Path,
        log_settings: LogSettings,
        settings: AuditSettings,
        *,
        key_folder: Path,
        tenant: str = "",
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.key_folder = key_folder
        self.machine = platform.node() or "machine"
        if tenant:
            self.machine += f"-{tenant}"
        self._log = log_settings
        self.tenant = tenant
        self.env = env

    def seal(self, *, now: float) -> list[Seal]:
        """Seal every stream, the journal last; a copy that cannot be made now is made later."""
        signer = load_key(self.key_folder)
        made: list[Seal] = []
        for stream in streams(self.folder):
            if stream.name != STREAM:
                made += seal(stream, signer, now=now)
        actions = [
            (CHECKPOINT, {"stream": each.stream, "number": each.number, "digest": each.digest})
            for each in made
        ]
        if actions:
            write_down(self.folder, list(actions), now=now)
        journal = self.folder / STREAM
        if journal.is_dir():
            made += seal(journal, signer, now=now)
        return made

    def copy(self) -> int:
        """Take the seals that are new to the second place; return how many those are."""
        takers = {}
        if self.settings.copy_to:
            place = Path(self.settings.copy_to).expanduser()
            takers["folder"] = folder_copy(place, self.machine)
        if self.settings.copy_command:
            takers["command"] = command_copy(self.settings.copy_command)
        return sum(
            copy_seals(stream, take, name)
            for name, take in takers.items()
            for stream in streams(self.folder)
        )

    def elsewhere(self) -> dict[str, list[Seal]]:
        """Return the seals of this machine in the second place, where that can be read."""
        if not self.settings.copy_to:
            return {}
        place = Path(self.settings.copy_to).expanduser()
        if not place.is_dir() and not self._was_copied():
            return {}
        if not place.is_dir():
            raise StoreError(
                where=str(place),
                what="the second location for checkpoints does not exist",
                fix="Mount it, or set another in [audit].",
            )
        return copies(place, self.machine)

    def _was_copied(self) -> bool:
        return any(path for path in self.folder.glob(f"*/{TAKEN}-folder"))

    def keys(self) -> list[str]:
        """Return the public keys that may sign here."""
        file = self.key_folder / PUBLIC
        return file.read_text().split() if file.exists() else []

    def send(self) -> int:
        """Send the endpoint what it has not got; return how many records that was."""
        if not self.settings.endpoint or not self.folder.is_dir():
            return 0
        from .ingest import Ingest  # TLS and HTTP are loaded by those who have an endpoint

        ingest = Ingest(
            self.settings, self.folder, machine=self.machine, tenant=self.tenant, env=self.env
        )
        return ship(self.folder, ingest)

    def retain(self, *, now: float) -> list[Redacted]:
        """Let go of what is over its time."""
        return retain(self.folder, self._log, self.settings, now=now)

    def look_after(self, *, now: float) -> None:
        """Seal, copy and retain; what fails is told, and the rest is done all the same."""
        for name, work in (
            ("sealed", lambda: self.seal(now=now)),
            ("copied", self.copy),
            ("retained", lambda: self.retain(now=now)),
        ):
            try:
                work()
            except (OSError, StoreError) as problem:
                log.warning("the record could not be %s: %s", name, problem)
