"""The guard's lookup: the override that allows a call, or how a person could allow it.

BlockedCall  ->  OverrideMatch, or the command that a person would run
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from time import time
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from snaphook.config import Environment
from snaphook.config.caller import environment
from snaphook.config.probes import is_probe
from snaphook.config.settings_files import project_root
from snaphook.process.ancestry import Process, callers, is_alive, now, wall

from .active import ActiveOverride, ActiveOverrides, Caller, void
from .codes import Codes
from .keys import KeyStore, KnownKey
from .override import BlockedCall, Level
from .person import Witness, agent_of, by_hand
from .recent import RecentCall, RecentCalls
from .standing import Standing, StandingOverrides
from .unserved import take_over

AGENTS_KEPT = 256
PLACES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""What is believed of our own environment where codes are sent; see ``void`` for why that is safe."""
GRANTED, USED, REFUSED = "OverrideGranted", "OverrideUsed", "OverrideRefused"
EXPIRED, REVOKED = "OverrideExpired", "OverrideRevoked"
KEY_ENROLLED, KEY_CHANGED = "OverrideKeyEnrolled", "OverrideKeyChanged"


class OverrideMatch(Struct, frozen=True, kw_only=True):
    """An override that allows a call."""

    note: str
    pauses: bool = False
    """Rules up to *level* only warn; else this call alone goes on."""
    level: Level = Level.DENY


class Audit(Protocol):
    """Whoever writes down what happened to an override."""

    def __call__(
        self,
        event: str,
        text: str,
        *,
        env: Mapping[str, str],
        command: str = "",
        cwd: str = "",
        project: str = "",
        session: str = "",
        tool: str = "",
    ) -> None:
        """Write that *event* happened, on disk before anything else happens."""


class Notify(Protocol):
    """Whoever sends a blocked call and its code to the person's other channels."""

    def __call__(self, recent: RecentCall, around: Environment) -> None:
        """Send *recent*; never wait for it."""


class OverrideRegistry:
    """What people allowed, what was blocked, and which agents were seen."""

    def __init__(self, audit: Audit, notify: Notify | None = None) -> None:
        self.active = ActiveOverrides(now)
        self.recent = RecentCalls()
        self.codes = Codes(now)
        self.audit = audit
        self.notify = notify
        self.enrolled_by: dict[str, Witness] = {}
        """Who set up a key in front of us."""
        self._roots: dict[Path, frozenset[str]] = {}
        self._agents: OrderedDict[tuple[int, float], Process] = OrderedDict()

    @property
    def agents(self) -> tuple[Process, ...]:
        """The agents that were stopped since the daemon started and still run."""
        for key, agent in tuple(self._agents.items()):
            if not is_alive(agent):
                del self._agents[key]
        return tuple(self._agents.values())

    def find(self, call: BlockedCall) -> OverrideMatch | None:
        """Return what allows *call*; the calling agent is remembered."""
        env = environment()
        caller = self._caller(env)
        around = Environment.here(Path("/"), env)
        self.watch(around)
        self.sweep(env)
        call = placed(call, env)
        return self._active(call, caller) or self._standing(call, caller, around)

    def report(self, call: BlockedCall) -> str:
        """Remember that *call* was blocked; return how a person could allow it.

        The caller, or whoever started the daemon, may have chosen the environment and the project;
        neither names a channel for codes, or its token and address.
        """
        if is_probe(call.command, call.session, environment()):
            return "This is a probe of 'snaphook doctor'."
        call = placed(call, environment())
        self.take_over_unserved()
        kept, new = self.recent.add(call, time())
        if new and self.notify is not None:
            own = Environment.here(Path("/"), {name: os.environ.get(name, "") for name in PLACES})
            self.notify(kept, own)
        return (
            "To override this, the user can run in their own terminal: snaphook allow "
            f"{kept.number} --once"
        )

    def take_over_unserved(self) -> None:
        """Keep what was denied before we ran, under the numbers that people were told."""
        own = Environment.here(Path("/"), {name: os.environ.get(name, "") for name in PLACES})
        take_over(own.shared_dir, self.recent, time())

    def watch(self, around: Environment) -> None:
        """Drop every override if the keys were exchanged behind our back, and report it."""
        store = KeyStore.of(around)
        if not store.folder.is_dir() and store.folder not in self._roots:
            return
        roots = frozenset(one.root for one in store.current())
        before = self._roots.get(store.folder)
        if before is not None and not before <= roots:
            self.active.clear()
            gone = ", ".join(sorted(before - roots))
            self.audit(
                KEY_CHANGED,
                f"{store.folder}: override key {gone} was removed or replaced outside of "
                "'snaphook allow'. All overrides are void. If you did not do this, look for what did.",
                env=around.env,
            )
        self._roots[store.folder] = roots

    def forget_roots(self, around: Environment) -> None:
        """Accept the keys as they are now: a person changed them through us."""
        self._roots.pop(KeyStore.of(around).folder, None)

    def sweep(self, env: Mapping[str, str]) -> None:
        """Drop what has expired, on record."""
        for active in self.active.sweep():
            text = f"{active.id} expired unused"
            override = active.override
            self.audit(EXPIRED, text, env=env, command=override.command, project=override.project)

    def _active(self, call: BlockedCall, caller: Caller) -> OverrideMatch | None:
        match self.active.use(call, lambda active: void(active, caller)):
            case ActiveOverride(override=override) as active:
                self._note(USED, f"{active.id} let it through", call)
                return OverrideMatch(
                    note=_note(active.id, pauses=override.pauses),
                    pauses=override.pauses,
                    level=override.level,
                )
            case (active, why):
                self._note(REFUSED, f"{active.id} does not count for this agent: {why}", call)
        return None

    def _standing(
        self, call: BlockedCall, caller: Caller, around: Environment
    ) -> OverrideMatch | None:
        for standing, known in StandingOverrides.of(around).fitting(call):
            if why := void(self._as_active(standing, known, caller), caller):
                text = f"{standing.override.id} does not count for this agent: {why}"
                self._note(REFUSED, text, call)
                continue
            self._note(USED, f"{standing.override.id} (always) let it through", call)
            return OverrideMatch(note=_note(standing.override.id, pauses=False))
        return None

    def _as_active(self, standing: Standing, known: KnownKey, caller: Caller) -> ActiveOverride:
        return ActiveOverride(
            override=standing.override,
            method=known.key.method,
            until=0.0,
            made=standing.made,
            since=known.since,
            anchored=known.anchored,
            enrolled_by=self.enrolled_by.get(known.root),
            settings=caller.settings,
        )

    def _caller(self, env: Mapping[str, str]) -> Caller:
        """Return who calls, and remember its agent."""
        chain = callers()
        agent = agent_of(chain)
        if agent is not None:
            self._agents[agent.key] = agent
            self._agents.move_to_end(agent.key)
            if len(self._agents) > AGENTS_KEPT:
                self._agents.popitem(last=False)
        return Caller(
            agent=agent,
            began=wall(agent.start) if agent else 0.0,
            by_hand=by_hand(chain),
            settings=settings_folder(env),
            time=time(),
        )

    def _note(self, event: str, text: str, call: BlockedCall) -> None:
        self.audit(
            event,
            text,
            env=environment(),
            command=call.command,
            cwd=call.cwd,
            project=call.project,
            session=call.session,
            tool=call.tool,
        )


def settings_folder(env: Mapping[str, str] | None = None) -> str:
    """Return the folders of settings and keys that *env* leads to; our own without it."""
    around = Environment.here(Path("/"), env)
    return f"{around.config_dir}, {around.shared_dir}"


def placed(call: BlockedCall, env: Mapping[str, str]) -> BlockedCall:
    """Return *call* with its project as ``snaphook allow`` finds it from the same folder."""
    if not Path(call.cwd).is_absolute():
        return call
    return replace(call, project=str(project_root(Environment.here(Path(call.cwd), env))))


def _note(name: str, *, pauses: bool) -> str:
    if pauses:
        return "[Snaphook Guard: paused by a person; rules only warn]"
    return f"[Snaphook Guard: a person allowed this ({name})]"
