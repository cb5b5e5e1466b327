"""What ``snaphook allow`` and the daemon say to each other.

Plea  ->  socket  ->  Word
"""

from enum import StrEnum
from typing import Literal

from msgspec import Struct

PLEA = ":allow"
"""No host has a name that begins with a colon."""


class Deed(StrEnum):
    """What somebody may want."""

    ALLOW = "allow"
    PAUSE = "pause"
    END_PAUSE = "end-pause"
    LIST = "list"
    REVOKE = "revoke"
    SET_PASSPHRASE = "set-passphrase"  # noqa: S105 - a word, not one


How = Literal["once", "for", "session", "always"]


class Plea(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody wants; who they are is for the kernel to say."""

    do: Deed
    what: str = ""
    """The number of a stop, a command, or the name of a permit."""
    how: How = "once"
    seconds: float = 0.0
    glob: bool = False
    tool: str = "Bash"
    anywhere: bool = False
    passphrase: str = ""
    new_passphrase: str = ""
    code: str = ""


class StopLine(Struct, frozen=True, kw_only=True):
    """A stop, to show."""

    number: int
    time: float
    project: str
    tool: str
    command: str
    reason: str
    rules: tuple[str, ...]


class PermitLine(Struct, frozen=True, kw_only=True):
    """A permit, to show."""

    id: str
    what: str
    where: str
    rules: tuple[str, ...]
    left: float
    """Seconds."""
    once: bool
    proof: str


class Word(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The daemon's answer."""

    done: bool = False
    says: str = ""
    fix: str = ""
    asks: Literal["", "passphrase"] = ""
    """What has to be said as well."""
    stops: tuple[StopLine, ...] = ()
    permits: tuple[PermitLine, ...] = ()
