"""Every override on record: granted, used, refused, revoked, expired.

what happened  ->  Record
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from snaphook.config import Environment, Settings
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog import Record
from snaphook.wiring.recording import override_record

from ..records import Records  # noqa: TID252 - the daemon's own

Settle: TypeAlias = Callable[[str, Mapping[str, str]], tuple[Settings | None, Environment]]
"""(cwd, environment)  ->  the settings in force there, and what surrounds it."""


class AuditWriter:
    """Writes what people allowed beside what agents did."""

    def __init__(self, records: Records, settle: Settle) -> None:
        self._records = records
        self._settle = settle

    def __call__(
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
        """Write that *event* happened, on disk before anything else happens."""

        def made(scrubber: Scrubber) -> Record:
            return override_record(
                event,
                text,
                scrubber,
                command=command[:4096],
                project=project or cwd,
                session=session,
                tool=tool,
            )

        self._records.note(made, *self._settle(project or cwd or "/", env))
