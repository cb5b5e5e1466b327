"""What the daemon says to the process beside it, a line each.

{"folder": …, "config": …}  maintain it like this         {"folder": …}  there is something new
{"folder": …, "over": true}  no longer
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from snaphook.stores.eventlog.settings import LogSettings
from snaphook.stores.eventlog.trail.settings import AuditSettings

if TYPE_CHECKING:
    from snaphook.stores.eventlog.trail.trail import Trail


class WorkerConfig(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a folder of the record is looked after."""

    log: LogSettings
    audit: AuditSettings | None = None
    key_folder: str = ""
    tenant: str = ""
    env: Mapping[str, str] = {}
    """The variable that holds the endpoint's token, where there is one."""

    @classmethod
    def of(cls, log: LogSettings, trail: "Trail | None") -> "WorkerConfig":
        """Return what *log* asks for, and *trail* beyond that."""
        if trail is None:
            return cls(log=log)
        token = trail.settings.token_env
        return cls(
            log=log,
            audit=trail.settings,
            key_folder=str(trail.key_folder),
            tenant=trail.tenant,
            env={token: trail.env[token]} if trail.env and token in trail.env else {},
        )

    def trail(self, folder: Path) -> "Trail | None":
        """Return what maintains *folder* beyond shipping it, where settings ask for that."""
        if self.audit is None:
            return None
        from snaphook.stores.eventlog.trail.trail import Trail

        return Trail(
            folder,
            self.log,
            self.audit,
            key_folder=Path(self.key_folder),
            tenant=self.tenant,
            env=self.env,
        )


class WorkerMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line."""

    folder: str
    config: WorkerConfig | None = None
    over: bool = False
