"""What every host is: an agent that calls us, seen from our side.

wire bytes  ->  decode  ->  Event          Event + Output  ->  encode  ->  Reply

A host is a module that has these names. Pure: what it needs of the machine comes in a ``HostCall``.
"""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct, field

from snaphook.canon import Event, Output, Stance, Verdict

from .placement import Placement
from .tools import ToolNames

Verdicts = tuple[Verdict, ...]


class HostCall(Struct, frozen=True, kw_only=True):
    """How the host called us: the words on the command line, its environment, where and when."""

    event: str = ""
    """The host's own name of the event, as our entry in its settings spells it."""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    now: float = 0.0
    """Seconds since the epoch, UTC."""


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the host hears: two streams, an exit code, and perhaps lines for a file it named."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int = 0
    append_to: str = ""
    """A file the host set aside for us, such as ``$CLAUDE_ENV_FILE``."""
    append: bytes = b""


class Can(Struct, frozen=True):
    """One event of a host: what it is in our words, and what the host lets us do about it."""

    event: type[Event]
    say: Verdicts = ()
    """The verdicts it really honours; a verdict it knows but ignores is not among them."""
    unattended: Verdicts | None = None
    """The same when no user is available, where that differs."""
    unasked: frozenset[str] = frozenset()
    """Permission modes of the host in which it answers our question itself, with yes."""
    context: bool = False
    """Text for the model arrives."""
    replace: bool = False
    """A result can be replaced (tools), or a text rewritten (prompts)."""
    crash: Stance = Stance.OPEN
    """What the host does when our program fails, wired as ``snaphook init`` wires it."""
    timeout: Stance = Stance.OPEN
    """What the host does when our program does not answer in time, wired likewise."""


MARGIN = 0.8
"""The part of a host's own time limit after which we answer, before it goes on without us."""


class Host(Protocol):
    """An agent's wire on one side, our words on the other."""

    NAME: str
    """As ``snaphook hook NAME`` and ``--host NAME`` spell it."""
    TITLE: str
    """As its makers spell it."""
    CAN: Mapping[str, Can]
    """By the host's own name of the event. What is not in here is recorded, never answered."""
    SILENCE: Reply
    """What "no opinion" looks like."""
    TOOLS: ToolNames

    @property
    def PLACEMENT(self) -> Placement | None:  # noqa: N802 - a constant; as a property, None is optional
        """Say where its settings live and how we write ourselves into them."""

    def decode(self, wire: bytes, call: HostCall) -> Event:
        """Return what *wire* tells; a host event we have no word for becomes a ``HostEvent``.

        A message that cannot be read raises ``WireError``.
        """

    def encode(self, event: Event, output: Output) -> Reply:
        """Return what this host should hear: stricter than decided if need be, never milder."""


def time_limit(host: Host, call: HostCall) -> float:
    """Return after how many seconds we answer for ourselves, well before *host* gives up."""
    wired = host.PLACEMENT.wired if host.PLACEMENT else ()
    seconds = next((entry.timeout for entry in wired if entry.event == call.event), 60)
    return seconds * MARGIN
