"""The way out as the guard meets it: what was allowed is let through, what was stopped is kept in mind.

Stop  ->  Lifted, or how a person could allow it
"""

import os
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from time import time

from msgspec.structs import replace

from snaphook.config import Surroundings
from snaphook.config.places import project_root
from snaphook.providers.guard.way_out import Lifted, Stop
from snaphook.wiring import environment

from .diary import EXPIRED, REFUSED, USED, Diary
from .permits import Permit, Permits, void
from .person import agent_of
from .processes import Process, callers, now, wall
from .secrets import Codes
from .stops import Stops
from .tell import Teller

AGENTS_KEPT = 256
PLACES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""What is believed of our own environment where codes are sent; see ``void`` for why that is safe."""


class Desk:
    """What people allowed, what was stopped, and which agents were met."""

    def __init__(self, diary: Diary) -> None:
        self.permits = Permits(now)
        self.stops = Stops()
        self.codes = Codes(now)
        self.diary = diary
        self._agents: OrderedDict[tuple[int, float], Process] = OrderedDict()
        self._teller = Teller()

    @property
    def agents(self) -> tuple[Process, ...]:
        """The agents that were stopped since we began, living or not."""
        return tuple(self._agents.values())

    def lifted(self, stop: Stop) -> Lifted | None:
        """Return what allows *stop*; an agent that is stopped is remembered."""
        agent = self._meet()
        if not self.permits:
            return None
        self.sweep(environment())
        stop = placed(stop, environment())
        began = wall(agent.start) if agent else 0.0
        told_by = settings_folder(environment())
        match self.permits.use(stop, lambda permit: void(permit, agent, began, told_by)):
            case Permit() as permit:
                self._note(USED, _used(permit), stop)
                return Lifted(note=_told(permit), warns=permit.pauses)
            case (permit, why):
                self._note(REFUSED, f"{permit.id} is not for this agent: {why}", stop)
        return None

    def stopped(self, stop: Stop) -> str:
        """Keep *stop* in mind; tell the person's other channels where their own settings say so.

        Whoever asks, or started us, may have chosen the environment and the project; neither names a
        channel, or the token and the address of one.
        """
        stop = placed(stop, environment())
        kept, new = self.stops.note(stop, time())
        if new:
            own = Surroundings.here(Path("/"), {name: os.environ.get(name, "") for name in PLACES})
            self._teller.tell(kept, own, lambda: self.codes.make(kept.number))
        return (
            "A person can allow it, in a terminal of their own: "
            f"snaphook allow {kept.number} --once"
        )

    def sweep(self, env: Mapping[str, str]) -> None:
        """Let go of what is over, on record."""
        for permit in self.permits.sweep():
            told = f"{permit.id} ran out unused"
            self.diary.note(EXPIRED, told, env=env, command=permit.command, project=permit.project)

    def _meet(self) -> Process | None:
        """Return the agent that is asking, and remember it."""
        agent = agent_of(callers())
        if agent is not None:
            self._agents[agent.key] = agent
            self._agents.move_to_end(agent.key)
            if len(self._agents) > AGENTS_KEPT:
                self._agents.popitem(last=False)
        return agent

    def _note(self, event: str, told: str, stop: Stop) -> None:
        self.diary.note(
            event,
            told,
            env=environment(),
            command=stop.command,
            cwd=stop.cwd,
            project=stop.project,
            session=stop.session,
            tool=stop.tool,
        )


def settings_folder(env: Mapping[str, str] | None = None) -> str:
    """Return where the settings lie that *env* leads to; our own without it."""
    return str(Surroundings.here(Path("/"), env).config_dir)


def placed(stop: Stop, env: Mapping[str, str]) -> Stop:
    """Return *stop* with its project as ``snaphook allow`` finds it from the same folder."""
    if not Path(stop.cwd).is_absolute():
        return stop
    return replace(stop, project=str(project_root(Surroundings.here(Path(stop.cwd), env))))


def _used(permit: Permit) -> str:
    return f"{permit.id} let it through" + (" with a warning" if permit.pauses else "")


def _told(permit: Permit) -> str:
    if permit.pauses:
        return "[Snaphook Guard: paused by a person; rules only warn]"
    return f"[Snaphook Guard: a person allowed this ({permit.id})]"
