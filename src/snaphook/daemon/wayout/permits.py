"""What people have allowed, and for how long.

Stop + agent + now  ->  Permit, used up        Pure: no clock, no process is looked at.

Held in memory only: there is no file that could be written, copied or put back. The daemon answers
one call after the other, so whoever uses a permit for one use has it alone.
"""

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from snaphook.providers.guard.way_out import Stop

from .person import Proof, Witness, descends, doubt
from .processes import Process

MOST = 256
"""Permits held at once."""
_PLAIN = re.compile(r"[^\"'\\\n<`$]*")
"""Commands in which one blank is as good as three."""
_STAR = r"[^;&|\n<>`$() \t]*"
"""What a ``*`` stands for: the rest of its word."""
_REST = r"[^;&|\n<>`$()]*"
"""What it stands for where it is a word of its own: further words, never another command."""


class Permit(Struct, frozen=True, kw_only=True):
    """One thing that a person allowed."""

    id: str
    command: str
    """Its text; nothing where everything is allowed for a while."""
    tool: str = ""
    glob: bool = False
    rules: frozenset[str] = frozenset()
    """What objected when it was allowed; nothing else is lifted."""
    project: str = ""
    """Where it counts; everywhere if empty."""
    session: str = ""
    once: bool = False
    until: float
    """By a clock that nobody sets."""
    made: float
    """The time of day, to show."""
    proof: Proof
    seen: Witness = Witness()
    known_since: float = 0.0
    """When the passphrase that proved it was set; the time of day."""
    known_by: Witness | None = None
    """Who set it, where that was in front of this daemon."""
    told_by: str = ""
    """Where the settings lie that said where its code is sent."""
    used_by: str = ""
    """The call that used it up; a host that asks twice about the same call hears the same."""

    @property
    def pauses(self) -> bool:
        """Whether it is for everything."""
        return not self.command

    def fits(self, stop: Stop) -> bool:
        """Say whether it is *stop* that was allowed."""
        if self.project and self.project != stop.project:
            return False
        if self.session and self.session != stop.session:
            return False
        if self.pauses:
            return True
        if self.tool != stop.tool or stop.fixed or not stop.rules <= self.rules:
            return False
        if self.glob:
            return matches(self.command, stop.command)
        return normal(stop.command) == self.command


def normal(command: str) -> str:
    """Return *command* with the blanks that mean nothing taken out."""
    stripped = command.strip()
    return re.sub(r"[ \t]+", " ", stripped) if _PLAIN.fullmatch(stripped) else stripped


def matches(glob: str, command: str) -> bool:
    """Say whether *glob* fits *command*."""
    words = (_REST if word == "*" else _word(word) for word in glob.split(" "))
    text = normal(command)
    climbs = text.count("..") > glob.count("..")  # "build/*" is not "build/../.."
    return not climbs and re.fullmatch(" ".join(words), text) is not None


def _word(glob: str) -> str:
    return _STAR.join(map(re.escape, glob.split("*")))


def void(permit: Permit, agent: Process | None, began: float, told_by: str = "") -> str:
    """Return why *permit* is not for *agent*, which *began* at that time of day; else nothing.

    Looked at again with each use: a daemon that was started anew knows no agent when it is asked
    for a permit, but it does when the permit is used. An agent can start one with settings of its
    own, which have a code sent to it; *told_by* are those of whoever calls now.
    """
    if permit.proof is Proof.CODE:
        same = permit.told_by == told_by
        return "" if same else f"its code was sent as settings in {permit.told_by} say"
    if agent is None:
        return "" if permit.proof is Proof.PASSPHRASE else "the agent that asks cannot be told"
    if descends(permit.seen, agent):
        return "the agent itself asked for it"
    if permit.proof is Proof.TERMINAL:
        return doubt(permit.seen, agent)
    if permit.known_since < began:
        return ""
    if permit.known_by is None or descends(permit.known_by, agent):
        return "the passphrase was set while the agent was at work"
    return doubt(permit.known_by, agent)


class Permits:
    """Every permit in force."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._held: dict[str, Permit] = {}
        self._made = 0

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Permit]:
        """Return those in force, the oldest first."""
        now = self._now()
        return iter([one for one in self._held.values() if one.until > now])

    def mint(self, permit: Permit) -> Permit:
        """Hold *permit* from now on, under a name of its own."""
        self._made += 1
        named = replace(permit, id=f"p{self._made}")
        if len(self._held) >= MOST:
            del self._held[next(iter(self._held))]
        self._held[named.id] = named
        return named

    def use(self, stop: Stop, voids: Callable[[Permit], str]) -> Permit | tuple[Permit, str] | None:
        """Return what allows *stop*, used up if it was for once; or what fits and why it is void."""
        refused: tuple[Permit, str] | None = None
        for permit in sorted(self, key=lambda one: (one.pauses, one.once)):
            if not permit.fits(stop) or not _is_free(permit, stop):
                continue
            if why := voids(permit):
                refused = permit, why
                continue
            if permit.once:
                self._spend(permit, stop)
            return permit
        return refused

    def revoke(self, name: str) -> Permit | None:
        """Let the permit *name* go."""
        return self._held.pop(name, None)

    def sweep(self) -> list[Permit]:
        """Let go of those that are over; return those that nobody used."""
        now = self._now()
        over = [one for one in self._held.values() if one.until <= now]
        for permit in over:
            del self._held[permit.id]
        return [one for one in over if not one.used_by]

    def _spend(self, permit: Permit, stop: Stop) -> None:
        if stop.call:
            self._held[permit.id] = replace(permit, used_by=f"{stop.session}\0{stop.call}")
        else:
            del self._held[permit.id]


def _is_free(permit: Permit, stop: Stop) -> bool:
    return not permit.used_by or permit.used_by == f"{stop.session}\0{stop.call}"
