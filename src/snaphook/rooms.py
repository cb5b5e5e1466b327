"""Every table of ``snaphook.toml``, and the room that understands it.

name of a table  ->  its settings' Struct, its provider's maker

Names only: what is not asked for is not imported.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from msgspec import Struct


class Room(Struct, frozen=True, kw_only=True):
    """A table of ``snaphook.toml``: who understands it, and the provider that it switches on."""

    settings: str
    """``module:Struct``; imported when the table is met."""
    provider: str = ""
    """``module:maker``, called with the table's settings and the surroundings."""
    reads_calls: bool = False
    """Whether the maker also takes ``reader``, who says what a tool call does."""
    answers: bool = True
    """Whether answering a hook needs it; what does not is checked, and read by its own command."""


ROOMS: Mapping[str, Room] = {
    "tenants": Room(
        settings="snaphook.providers.tenants.settings:TenantsSettings",
        provider="snaphook.providers.tenants:make",
    ),
    "audit": Room(settings="snaphook.stores.eventlog.trail.settings:AuditSettings"),
    "agent": Room(settings="snaphook.agent.settings:AgentSettings", answers=False),
    "budget": Room(
        settings="snaphook.providers.budget.settings:BudgetSettings",
        provider="snaphook.providers.budget:make",
    ),
    "builder": Room(settings="snaphook.builder.settings:BuilderSettings", answers=False),
    "context": Room(
        settings="snaphook.providers.context.settings:ContextSettings",
        provider="snaphook.providers.context:make",
    ),
    "daemon": Room(settings="snaphook.daemon.settings:DaemonSettings", answers=False),
    "essentials": Room(
        settings="snaphook.providers.essentials.settings:EssentialsSettings",
        provider="snaphook.providers.essentials:make",
        reads_calls=True,
    ),
    "guard": Room(settings="snaphook.providers.guard.settings:GuardSettings"),
    "log": Room(settings="snaphook.stores.eventlog.settings:LogSettings"),
    "memory": Room(
        settings="snaphook.providers.memory.settings:MemorySettings",
        provider="snaphook.providers.memory:make",
    ),
    "resilience": Room(
        settings="snaphook.providers.resilience.settings:ResilienceSettings",
        provider="snaphook.providers.resilience:make",
    ),
    "telemetry": Room(
        settings="snaphook.providers.telemetry.settings:TelemetrySettings", answers=False
    ),
    "notify": Room(settings="snaphook.notify.settings:NotifySettings", answers=False),
    "workspace": Room(settings="snaphook.stores.workspace.settings:WorkspaceSettings"),
}
"""Every table that a room above the settings understands, in the order in which they are asked."""


class Sections(Mapping[str, type[Struct]]):
    """The Struct of each table of *rooms*, imported when somebody wants it."""

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms

    def __getitem__(self, name: str) -> type[Struct]:
        kind: type[Struct] = imported(self._rooms[name].settings)
        return kind

    def __contains__(self, name: object) -> bool:
        return name in self._rooms

    def __iter__(self) -> Iterator[str]:
        return iter(self._rooms)

    def __len__(self) -> int:
        return len(self._rooms)


SECTIONS = Sections({name: room for name, room in ROOMS.items() if room.answers})
"""The tables that answering a hook needs."""


def every_section() -> Mapping[str, type[Struct]]:
    """Return those, and the tables of rooms that answering a hook does not need."""
    return Sections(ROOMS)


def imported(name: str) -> Any:
    """Return what ``module:attribute`` names, of our own rooms."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
