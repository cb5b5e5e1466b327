"""What is kept of a session: one entry for each text read, file written from it, and call judged.

Entry  ->  bytes in the session's file

No entry holds text that a session read. Names of tools, addresses and the values that a verdict was
about are kept in the clear: they are what ``snaphook trace`` shows.
"""

from enum import StrEnum

from msgspec import Struct


class Trust(StrEnum):
    """How far a text is trusted to name hosts, packages, recipients and commands."""

    PERSON = "person"
    """A prompt: what it names is what the person wants."""
    PROJECT = "project"
    """A tracked file of the project."""
    LOCAL = "local"
    """Made on this machine: test output, listings. It vouches for nothing and taints nothing."""
    OUTSIDE = "outside"
    """Written by somebody else: web pages, MCP results, downloads, packages."""


class Source(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="source"):
    """One text that the session read."""

    number: int
    """The tool call it came from, counted from the session's start; 0 for a prompt."""
    trust: Trust
    tool: str = ""
    address: str = ""
    call: str = ""
    """The host's own id of the call, where it has one."""
    time: float = 0.0
    pointed: bool = False
    """The person named this address: they asked for this very text to be read."""
    addressed: bool = False
    """It holds text that addresses the agent."""
    agent: str = ""
    prints: bytes = b""
    """Fingerprints of its values, sealed on disk."""
    told: bytes = b""
    """Fingerprints of the passages in it that tell the reader to do something, sealed on disk."""


class Secret(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="secret"):
    """A secret that the session has read: a keyed digest and the length, never the text."""

    digest: bytes
    length: int
    kind: str
    number: int
    tool: str = ""
    address: str = ""


class Written(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="written"):
    """A file or folder whose contents came from a source."""

    path: str
    number: int
    folder: bool = False
    """A clone or an unpacked archive: everything below it has the same origin."""
    named: bool = False
    """The person or the project named the address it was downloaded from."""
    gone: bool = False
    """It was rewritten from something else: the origin no longer holds."""


class Finding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value at a sink, and where it came from."""

    kind: str
    value: str
    number: int
    trust: Trust = Trust.OUTSIDE
    tool: str = ""
    address: str = ""
    told: bool = False


class Judged(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="judged"):
    """A call that carried values from outside, and what was said about it."""

    number: int
    tool: str
    what: str
    rule: str
    verdict: str
    time: float = 0.0
    call: str = ""
    findings: tuple[Finding, ...] = ()


class Approved(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="approved"):
    """Values that a person let through: they count as named from now on."""

    prints: bytes
    number: int = 0


Entry = Source | Secret | Written | Judged | Approved
