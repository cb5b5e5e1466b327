"""What can be wrong with a record, by name.

Pure data.
"""

from enum import StrEnum

from msgspec import Struct


class Attack(StrEnum):
    """What was done to the record, as far as it can be told."""

    EDITED = "edited"
    INSERTED = "inserted"
    DELETED = "deleted"
    REORDERED = "reordered"
    CUT = "tail cut"
    FORKED = "forked"
    GONE = "file gone"
    CLOCK = "clock changed"
    CHECKPOINT_GONE = "checkpoint removed"
    CHECKPOINT_REPLACED = "checkpoint replaced"
    RESTARTED = "record replaced"
    REDACTED = "not redacted"


class AuditFinding(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, and where."""

    attack: Attack
    where: str
    what: str


class Redaction(Struct, frozen=True, kw_only=True):
    """One redaction: who took how much out of a stream, when and why."""

    by: str
    time: float
    why: str
    records: int
    fields: tuple[str, ...]


class Checked(Struct, frozen=True, kw_only=True):
    """What there is to say about one stream."""

    stream: str
    lines: int
    redacted: int = 0
    redactions: tuple[Redaction, ...] = ()
    """Who took out what, as the journal has it."""
    unfinished: int = 0
    """Lines that the journal says were redacted, and that are whole."""
    intact: bool
    """Every line that is here is as it was written, in its place."""
    complete_to: int | None = None
    """The number of the latest checkpoint up to which nothing is missing."""
    complete_at_ms: int | None = None
    signed_by: str = ""
    """The name of the key that vouches for that checkpoint; empty where none does."""
    elsewhere: bool = False
    """Whether that checkpoint was met in a second place, too."""
    findings: tuple[AuditFinding, ...] = ()
