"""Every permit on record: given, used, refused, revoked, run out.

what happened  ->  Record
"""

from collections.abc import Callable, Mapping
from time import time
from typing import TypeAlias

from snaphook.config import Settings, Surroundings
from snaphook.recording import new_id
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog import Record

from ..records import Records  # noqa: TID252 - the daemon's own

Settle: TypeAlias = Callable[[str, Mapping[str, str]], tuple[Settings | None, Surroundings]]
"""(cwd, environment)  ->  the settings in force there, and what surrounds it."""

MINTED, USED, REFUSED = "PermitGiven", "PermitUsed", "PermitRefused"
EXPIRED, REVOKED, SECRET_SET = "PermitExpired", "PermitRevoked", "PassphraseSet"


class Diary:
    """Writes beside what agents did what people allowed."""

    def __init__(self, records: Records, settle: Settle) -> None:
        self._records = records
        self._settle = settle

    def note(
        self,
        event: str,
        told: str,
        *,
        env: Mapping[str, str],
        command: str = "",
        cwd: str = "",
        project: str = "",
        session: str = "",
        tool: str = "",
    ) -> None:
        """Write down that *event* happened, in words, on disk before anybody hears of it."""

        def made(scrubber: Scrubber) -> Record:
            return Record(
                id=new_id(),
                time=time(),
                event=event,
                session=session,
                project=project or cwd,
                tool=tool,
                input={"command": scrubber.text(command[:4096])} if command else {},
                reason=scrubber.text(told),
                by="person" if event != REFUSED else "snaphook",
            )

        self._records.note(made, *self._settle(project or cwd or "/", env))
