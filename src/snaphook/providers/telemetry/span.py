"""A stretch of time, as traces tell it.

what a record says  ->  ids and attributes of its spans
"""

from hashlib import blake2b
from typing import TypeAlias

from msgspec import Struct, field

from snaphook.stores.eventlog.record import Record

Attributes: TypeAlias = dict[str, str | int | float | bool]


class TraceSpan(Struct, kw_only=True, omit_defaults=True):
    """A stretch of time; open until *end* is set."""

    trace: str
    id: str
    parent: str = ""
    name: str
    start: float
    end: float = 0.0
    attributes: Attributes = field(default_factory=dict)
    error: str = ""
    """Why it counts as failed."""


def span_id(*parts: str, size: int = 8) -> str:
    """Return an id of *size* bytes; never the zero that stands for none."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=size).hexdigest()


def set_only(attributes: Attributes) -> Attributes:
    """Return those of *attributes* that say something."""
    return {name: value for name, value in attributes.items() if value != ""}


def text_of(record: Record, name: str) -> str:
    """Return the text of the field *name* of *record*; empty where there is none."""
    value = record.input.get(name)
    return value if isinstance(value, str) else ""
