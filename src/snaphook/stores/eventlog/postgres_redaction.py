"""Redactions, carried out in PostgreSQL.

deeds of the journal  ->  the same rows, without those fields

A deed is shipped like every record, so the table itself says what is still to be done: whoever was
cut off, or not allowed to, before it was done leaves nothing that the next one does not find.
"""

import logging
from collections.abc import Sequence
from typing import Any, TypeAlias

import psycopg

from .record import Record
from .redaction import Taken, action_in, left_of
from .tally_tables import redacting

log = logging.getLogger("snaphook.log")

INDEX = """
CREATE INDEX IF NOT EXISTS snaphook_record_redaction
    ON snaphook_record ((body #>> '{input,id}')) WHERE event = 'AuditRedaction'
"""
_OF_THESE = """
SELECT body::text FROM snaphook_record WHERE event = 'AuditRedaction' AND host = ''
    AND right(machine, length(%(mark)s)) = %(mark)s
    AND body #>> '{input,id}' = ANY(%(ids)s) ORDER BY time
"""
_WAITING = """
SELECT deed.body::text FROM snaphook_record deed JOIN snaphook_record r
    ON r.id = deed.body #>> '{input,id}'
WHERE deed.event = 'AuditRedaction' AND deed.host = ''
    AND right(deed.machine, length(%(mark)s)) = %(mark)s
    AND right(r.machine, length(%(mark)s)) = %(mark)s
    AND NOT coalesce(r.body -> 'redacted', '[]') @> (deed.body #> '{input,fields}')
ORDER BY deed.time
"""
_FOUND = """
SELECT machine, body::text FROM snaphook_record
WHERE id = %(id)s AND right(machine, length(%(mark)s)) = %(mark)s
"""
_TAKE_OUT = """
UPDATE snaphook_record SET agent = %s, project = %s, tool = %s, reason = %s, body = %s
WHERE id = %s
"""
GRANT = (
    "GRANT UPDATE (agent, project, tool, reason, body) ON snaphook_record TO {role}; "
    "GRANT DELETE ON snaphook_tally TO {role};"
)
PREFIX = "snaphook_"

Rows: TypeAlias = "psycopg.Cursor[tuple[Any, ...]]"


class Redactor:
    """Takes contents out of the rows of one *machine*, and of no other.

    A machine may be renamed; the mark behind the last slash is the record's own, and stays.
    """

    def __init__(self, db: "psycopg.Connection[tuple[Any, ...]]", machine: str) -> None:
        self._db = db
        _, slash, own = machine.rpartition("/")
        self._mark = slash + own
        self._refused = False

    def of_these(self, batch: Rows, records: Sequence[Record]) -> list[Taken]:
        """Return what was redacted of *records* while they were on their way here."""
        ids = [record.id for record in records]
        batch.execute(_OF_THESE, {"mark": self._mark, "ids": ids})
        return [action_in(body.encode()) for (body,) in batch]

    def waiting(self) -> list[Taken]:
        """Return what was to be taken out and is still there."""
        rows = self._db.execute(_WAITING, {"mark": self._mark}).fetchall()
        return [action_in(body.encode()) for (body,) in rows]

    def take_out(self, taken: Sequence[Taken]) -> None:
        """Take *taken* out, all or none; a role that may not is told of, and what to grant it."""
        if not taken:
            return
        if self._refused:
            taken = self.waiting()
        try:
            with self._db.transaction(), self._db.cursor() as batch:
                for each in taken:
                    self._take_one(batch, each)
            self._refused = False
        except psycopg.errors.InsufficientPrivilege:
            self._refused = True
            said = "the event log's database: %d redactions wait, '%s' may not make them. Run: %s"
            role = self._db.info.user
            log.warning(said, len(taken), role, GRANT.format(role=role))

    def _take_one(self, batch: Rows, taken: Taken) -> None:
        batch.execute(_FOUND, {"id": taken.id, "mark": self._mark})
        for machine, text in batch.fetchall():
            before, after, body = left_of(text.encode(), taken.fields)
            told = (after.agent, after.project, after.tool, after.reason, body.decode())
            batch.execute(_TAKE_OUT, (*told, taken.id))
            for statement, rows in redacting(before, after, prefix=PREFIX, machine=machine):
                batch.executemany(statement.replace("?", "%s").encode(), rows)
