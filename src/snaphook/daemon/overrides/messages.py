"""What ``snaphook allow`` and the daemon send each other.

OverrideRequest  ->  socket  ->  OverrideReply

Two steps: ``prepare`` returns the terms with a challenge; ``grant`` returns them with a proof.
"""

from enum import StrEnum

from msgspec import Struct

from snaphook.stores.overrides.override import Duration, Level, Override
from snaphook.stores.overrides.proof import EnrolledKey, Proof

OVERRIDE = ":allow"
"""No host has a name that begins with a colon."""

SET_UP = (
    "Set up a method once, in your own terminal: snaphook allow --set-passphrase. "
    "Without one, 'allow' only answers what the guard would ask about."
)


class OverrideAction(StrEnum):
    """What may be requested."""

    LIST = "list"
    PREPARE = "prepare"
    GRANT = "grant"
    REVOKE = "revoke"
    END_PAUSE = "end-pause"
    ENROLL = "enroll"
    FORGET = "forget"


class OverrideRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody wants; what they say about themselves counts for nothing."""

    do: OverrideAction
    what: str = ""
    """The number of a blocked call, a command, or the name of an override or key; empty for a pause."""
    duration: Duration = "once"
    seconds: float = 0.0
    glob: bool = False
    tool: str = "Bash"
    anywhere: bool = False
    code: str = ""
    challenge: str = ""
    proof: Proof | None = None
    key: EnrolledKey | None = None


class RecentLine(Struct, frozen=True, kw_only=True):
    """A blocked call, to show."""

    number: int
    time: float
    project: str
    tool: str
    command: str
    reason: str
    rules: tuple[str, ...]
    level: Level = Level.DENY


class OverrideLine(Struct, frozen=True, kw_only=True):
    """An override, to show."""

    id: str
    what: str
    where: str
    rules: tuple[str, ...]
    left: float
    """Seconds; 0 for one without an end."""
    once: bool
    method: str


class KeyLine(Struct, frozen=True, kw_only=True):
    """An enrolled key, to show."""

    id: str
    method: str
    since: float
    anchored: bool


class OverrideReply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The daemon's answer."""

    done: bool = False
    text: str = ""
    fix: str = ""
    offer: Override | None = None
    """The terms to sign, if they need a proof."""
    recent: tuple[RecentLine, ...] = ()
    overrides: tuple[OverrideLine, ...] = ()
    keys: tuple[KeyLine, ...] = ()
    invalid: tuple[str, ...] = ()
    """Files that look like overrides and do not count."""
