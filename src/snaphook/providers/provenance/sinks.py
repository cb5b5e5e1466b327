"""A place where a value takes effect.

a call  ->  Sinks: what happens there, with which values, carrying which texts
"""

from enum import StrEnum

from msgspec import Struct

from .values import Value


class SinkKind(StrEnum):
    """What happens to a value; also the last part of the rule's name."""

    SEND = "send"
    FETCH = "fetch"
    INSTALL = "install"
    RUN = "run"
    REMOTE = "remote"
    CONFIGURE = "configure"
    OBEY = "obey"
    PERMIT = "permit"
    PAY = "pay"
    CHANGE = "change"


class Sink(Struct, frozen=True, kw_only=True):
    """One thing that a call does with values."""

    kind: SinkKind
    what: str
    """The call, for people."""
    values: tuple[Value, ...] = ()
    texts: tuple[str, ...] = ()
    """Everything that leaves the machine with it, for secrets."""
    paths: tuple[str, ...] = ()
    """Files that are sent, run, or written."""
    commits: str = ""
    """The repository whose commits leave the machine with it."""
    content: str = ""
    """What is written, where that is known."""
    tool: str = ""
    """The tool's name where its own words say what it does: MCP servers and agent frameworks."""
