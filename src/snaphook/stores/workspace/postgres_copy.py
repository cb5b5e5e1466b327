"""What synchronising asks of the database: whole rows, as they are.

PostgresWorkspace  +  items, entries, signs of life taken and put
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from . import sql
from .moments import instant
from .postgres import PostgresWorkspace
from .records import Heartbeat


class SharedWorkspace(PostgresWorkspace):
    """A workspace in the database that can be copied to and from."""

    def all_items(self) -> list[dict[str, Any]]:
        """Return everything that is kept of each task."""
        return [body for (body,) in self._rows(sql.TASKS, project=self.project, status=None)]

    def put(self, body: Mapping[str, Any]) -> None:
        """Put a task in, or in the place of the one with its id, as it is."""
        self._rows(sql.PUT, **self._columns(body))

    def put_beat(self, agent: str, beat: Heartbeat) -> None:
        """Put a sign of life in, as it is."""
        body = msgspec.json.encode(beat).decode()
        self._rows(sql.BEAT, project=self.project, id=agent, body=body)

    def add_entry(self, row: Mapping[str, Any], origin: str) -> None:
        """Add a row of the log that comes from *origin*."""
        at, body = instant(str(row.get("timestamp", ""))) or self.now(), msgspec.json.encode(row)
        self._rows(
            sql.ADD_ENTRY,
            project=self.project,
            at=at,
            body=body.decode(),
            origin=origin,
        )

    def entries_after(self, seq: int, origin: str) -> tuple[list[dict[str, Any]], int]:
        """Return the rows after *seq* that did not come from *origin*, and how far that was.

        Until the end of the change nobody else adds any.
        """
        self._rows(sql.HOLD_ENTRIES)
        rows = self._rows(sql.ENTRIES_AFTER, project=self.project, seq=seq)
        return [body for _, came, body in rows if came != origin], rows[-1][0] if rows else seq
