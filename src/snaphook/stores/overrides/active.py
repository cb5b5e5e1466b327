"""The overrides in force, and whether one counts for the agent that calls.

BlockedCall + agent + now  ->  ActiveOverride, used up        Pure: no clock, no process is read.

Held in memory: no file could be written, copied or put back. The daemon answers one call after the
other, so only one call can use an override that counts once.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from snaphook.process.ancestry import Process

from .override import BlockedCall, Method, Override
from .person import Witness, descends, doubt

MOST = 256
"""Overrides held at once."""
SETTLED = 24 * 3600.0
"""Seconds after which a key counts for an agent whose start is not known (one that calls by HTTP)."""


class Caller(Struct, frozen=True, kw_only=True):
    """Who calls a hook: what an override is checked against when it is used."""

    agent: Process | None = None
    """The agent's process, where the kernel shows it."""
    began: float = 0.0
    """When it was started; the time of day."""
    by_hand: bool = False
    """The hook was run from the shell of a terminal: the answer reaches no agent."""
    settings: str = ""
    """The folder of the settings that its environment leads to."""
    time: float = 0.0


class ActiveOverride(Struct, frozen=True, kw_only=True):
    """An override that was granted, and what is known about who proved it."""

    override: Override
    method: Method
    until: float
    """By a clock that nobody sets."""
    made: float
    """The time of day, to show."""
    seen: Witness = Witness()
    since: float = 0.0
    """When the key, or the channel of the code, was set up; the time of day."""
    anchored: bool = False
    """Whether root has confirmed the key."""
    enrolled_by: Witness | None = None
    """Who set up the key, where that was in front of this daemon."""
    settings: str = ""
    """The folder of the settings that say where its code was sent, or whose keys proved it."""
    used_by: str = ""
    """The call that used it up; a host that asks twice about one call gets the same answer."""

    @property
    def id(self) -> str:
        """Its name."""
        return self.override.id


def void(active: ActiveOverride, caller: Caller) -> str:
    """Return why *active* does not count for *caller*; nothing if it does.

    Checked at each use: a daemon that was restarted knows no agent when it is asked for an override,
    but it does when the override is used.
    """
    if active.method is Method.ROOT:
        return ""
    if active.settings != caller.settings:
        return f"it was granted with the settings in {active.settings}"
    if active.anchored:
        return ""
    if active.method is Method.TERMINAL:
        return _terminal(active, caller)
    return _fresh(active, caller)


def _terminal(active: ActiveOverride, caller: Caller) -> str:
    if caller.agent is None:
        return "" if caller.by_hand else "the calling agent cannot be identified"
    if descends(active.seen, caller.agent):
        return "the agent itself requested it"
    return doubt(active.seen, caller.agent)


def _fresh(active: ActiveOverride, caller: Caller) -> str:
    """Return why the agent could have set up the key or the channel itself; nothing if it could not."""
    what = "notification settings were" if active.method is Method.CODE else f"{active.method} was"
    if caller.agent is None:
        if caller.by_hand or active.since + SETTLED < caller.time:
            return ""
        return f"the {what} set up less than 24 hours ago, and the agent's start time is not known"
    if active.since < caller.began:
        return ""
    by = active.enrolled_by
    if by is not None and not descends(by, caller.agent) and not doubt(by, caller.agent):
        return ""
    return f"the {what} set up after this agent ({caller.agent.name}) was started"


class ActiveOverrides:
    """Every override in force."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._held: dict[str, ActiveOverride] = {}
        self._made = 0

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[ActiveOverride]:
        """Return those in force, the oldest first."""
        now = self._now()
        return iter([one for one in self._held.values() if one.until > now])

    def next_id(self) -> str:
        """Return a name that no other override of this daemon has."""
        self._made += 1
        return f"p{self._made}"

    def add(self, active: ActiveOverride) -> None:
        """Hold *active* from now on."""
        if len(self._held) >= MOST:
            del self._held[next(iter(self._held))]
        self._held[active.id] = active

    def use(
        self, call: BlockedCall, voids: Callable[[ActiveOverride], str]
    ) -> ActiveOverride | tuple[ActiveOverride, str] | None:
        """Return what allows *call*, used up if it was for once; or what fits and why it is void."""
        refused: tuple[ActiveOverride, str] | None = None
        for active in sorted(self, key=lambda one: (one.override.pauses, one.override.once)):
            if not active.override.fits(call) or not _is_free(active, call):
                continue
            if why := voids(active):
                refused = active, why
                continue
            if active.override.once and not active.override.pauses:
                self._spend(active, call)
            return active
        return refused

    def revoke(self, name: str) -> ActiveOverride | None:
        """Drop the override *name*."""
        return self._held.pop(name, None)

    def clear(self) -> None:
        """Drop every override."""
        self._held.clear()

    def sweep(self) -> list[ActiveOverride]:
        """Drop those that have expired; return those that nobody used."""
        now = self._now()
        over = [one for one in self._held.values() if one.until <= now]
        for active in over:
            del self._held[active.id]
        return [one for one in over if not one.used_by]

    def _spend(self, active: ActiveOverride, call: BlockedCall) -> None:
        if call.call:
            self._held[active.id] = replace(active, used_by=f"{call.session}\0{call.call}")
        else:
            del self._held[active.id]


def _is_free(active: ActiveOverride, call: BlockedCall) -> bool:
    return not active.used_by or active.used_by == f"{call.session}\0{call.call}"
