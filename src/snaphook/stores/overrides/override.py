"""The values of an override: the call that was stopped, the terms, and the signed bytes.

BlockedCall + terms  ->  Override  ->  the bytes that a person signs        Pure.
"""

import re
from enum import IntEnum, StrEnum
from typing import Literal

import msgspec
from msgspec import Struct

Duration = Literal["once", "for", "session", "always"]
_PREFIX = b"snaphook override 1\0"
"""Separates these signatures from any other use of the same key."""
OFFER_SECONDS = 300.0
"""How long a person may take to prove that they agree to an offer; a prompt waits no longer."""
_PLAIN = re.compile(r"[^\"'\\\n<`$]*")
"""Commands in which one blank is as good as three."""
_STAR = r"[^;&|\n<>`$() \t]*"
"""What a ``*`` stands for: the rest of its word."""
_REST = r"[^;&|\n<>`$()]*"
"""What it stands for where it is a word of its own: further words, never another command."""


class Level(IntEnum):
    """What an override may lift; the larger includes the smaller."""

    ASK = 1
    """A call about which the guard would ask."""
    DENY = 2
    """A call that the guard would deny."""


class Method(StrEnum):
    """How the person proved that they are one."""

    TERMINAL = "terminal"
    """Where the request came from. An agent can imitate it, so it only answers an *ask*."""
    PASSPHRASE = "passphrase"  # noqa: S105 - the name of a method
    SECURITY_KEY = "security-key"
    ROOT = "root"
    CODE = "code"

    @property
    def level(self) -> Level:
        """The most that this method may lift."""
        return Level.ASK if self is Method.TERMINAL else Level.DENY


class BlockedCall(Struct, frozen=True, kw_only=True):
    """A call that rules would stop, as a person would have to allow it."""

    command: str
    tool: str
    rules: frozenset[str]
    """The ordinary rules that stop it."""
    fixed: bool
    """Something stops it as well that no override lifts."""
    reason: str
    project: str
    cwd: str
    session: str
    call: str = ""
    """The host's identifier of this very call, where it has one."""
    level: Level = Level.DENY
    """What an override must be able to lift."""


class Override(Struct, frozen=True, kw_only=True):
    """One thing that a person allowed."""

    id: str
    command: str
    """Its text; empty for a pause, which covers every command."""
    tool: str = ""
    glob: bool = False
    rules: frozenset[str] = frozenset()
    """The rules that stopped it when it was allowed; no other rule is lifted."""
    project: str = ""
    """Where it counts; everywhere if empty."""
    session: str = ""
    duration: Duration = "once"
    seconds: float = 0.0
    """How long it counts from the moment it is granted; 0 for "always"."""
    level: Level = Level.ASK
    challenge: str = ""
    """Chosen by the daemon for this one request, so that no signature counts twice."""

    @property
    def pauses(self) -> bool:
        """Whether it covers every command."""
        return not self.command

    @property
    def once(self) -> bool:
        """Whether its first use ends it."""
        return self.duration == "once"

    def fits(self, call: BlockedCall) -> bool:
        """Return whether *call* is what was allowed."""
        if self.project and self.project != call.project:
            return False
        if self.session and self.session != call.session:
            return False
        if call.level > self.level:
            return False
        if self.pauses:
            return True
        if self.tool != call.tool or call.fixed or not call.rules <= self.rules:
            return False
        if self.glob:
            return matches(self.command, call.command)
        return normal(call.command) == self.command


def signed_bytes(override: Override) -> bytes:
    """Return what a person signs: every term of *override*, in one order."""
    return _PREFIX + msgspec.json.encode(override, order="deterministic")


def normal(command: str) -> str:
    """Return *command* without the blanks that mean nothing."""
    stripped = command.strip()
    return re.sub(r"[ \t]+", " ", stripped) if _PLAIN.fullmatch(stripped) else stripped


def matches(glob: str, command: str) -> bool:
    """Return whether *glob* fits *command*."""
    words = (_REST if word == "*" else _word(word) for word in glob.split(" "))
    text = normal(command)
    climbs = text.count("..") > glob.count("..")  # "build/*" is not "build/../.."
    return not climbs and re.fullmatch(" ".join(words), text) is not None


def _word(glob: str) -> str:
    return _STAR.join(map(re.escape, glob.split("*")))
