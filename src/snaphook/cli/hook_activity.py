"""Which hooks fired, in which agent, when last; and which are wired and never did.

the record + what is wired  ->  rows

Used by ``snaphook telemetry fired`` and by ``snaphook doctor``.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.config.environment import Environment
from snaphook.config.settings_files import project_root
from snaphook.hosts import host_named
from snaphook.hosts.checkup import SESSION, called_for
from snaphook.stores.eventlog.host_activity import HostActivity, host_activity

from .init import NAMES

NEVER = HostActivity()


class HookActivity(Struct, frozen=True, kw_only=True):
    """One event of one agent."""

    host: str
    event: str
    wired: bool
    count: int
    stopped: int
    last: float | None

    @property
    def dead(self) -> bool:
        """Say whether we asked to be told of it and never were."""
        return self.wired and not self.count


def fired(
    folder: Path, wired: Mapping[str, Iterable[str]], *, since: float = 0.0
) -> list[HookActivity]:
    """Return a row for each event that came, and for each that a host is *wired* to tell us of."""
    came = host_activity(folder, since=since, but=(SESSION,))
    asked = {(host, event) for host, events in wired.items() for event in events}
    return [_row(key, came, asked) for key in sorted({*came, *asked})]


def wired_here(around: Environment, hosts: Iterable[str] = NAMES) -> dict[str, frozenset[str]]:
    """Return the events that each of *hosts* is wired to tell us of here."""
    root = project_root(around)
    found = {name: called_for(host_named(name), around, root) for name in hosts}
    return {name: events for name, events in found.items() if events}


def _row(
    key: tuple[str, str], came: Mapping[tuple[str, str], HostActivity], asked: set[tuple[str, str]]
) -> HookActivity:
    found = came.get(key, NEVER)
    return HookActivity(
        host=key[0],
        event=key[1],
        wired=key in asked,
        count=found.count,
        stopped=found.stopped,
        last=found.last or None,
    )


def ago(last: float | None, now: float) -> str:
    """Return how long ago *last* was, in words."""
    if last is None:
        return "never"
    seconds = max(0, int(now - last))
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return f"{seconds} s ago"
