"""Every table of ``snaphook.toml``, and the package that understands it.

name of a table  ->  its settings' Struct, its provider's maker

Names only: what is not asked for is not imported.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from msgspec import Struct


class SectionSpec(Struct, frozen=True, kw_only=True):
    """A table of ``snaphook.toml``: who understands it, and the provider that it switches on."""

    settings: str
    """``module:Struct``; imported when the table is met."""
    provider: str = ""
    """``module:maker``, called with the table's settings and the environment."""
    reads_calls: bool = False
    """Whether the maker also takes ``reader``, who says what a tool call does."""
    answers: bool = True
    """Whether answering a hook needs it; what does not is checked, and read by its own command."""


SECTION_SPECS: Mapping[str, SectionSpec] = {
    "tenants": SectionSpec(
        settings="snaphook.providers.tenants.settings:TenantsSettings",
        provider="snaphook.providers.tenants:make",
    ),
    "audit": SectionSpec(settings="snaphook.stores.eventlog.trail.settings:AuditSettings"),
    "approve": SectionSpec(settings="snaphook.providers.guard.approval.settings:ApproveSettings"),
    "agent": SectionSpec(settings="snaphook.agent.settings:AgentSettings", answers=False),
    "budget": SectionSpec(
        settings="snaphook.providers.budget.settings:BudgetSettings",
        provider="snaphook.providers.budget:make",
    ),
    "builder": SectionSpec(settings="snaphook.builder.settings:BuilderSettings", answers=False),
    "context": SectionSpec(
        settings="snaphook.providers.context.settings:ContextSettings",
        provider="snaphook.providers.context:make",
    ),
    "daemon": SectionSpec(settings="snaphook.daemon.settings:DaemonSettings", answers=False),
    "essentials": SectionSpec(
        settings="snaphook.providers.essentials.settings:EssentialsSettings",
        provider="snaphook.providers.essentials:make",
        reads_calls=True,
    ),
    "guard": SectionSpec(settings="snaphook.providers.guard.settings:GuardSettings"),
    "log": SectionSpec(settings="snaphook.stores.eventlog.settings:LogSettings"),
    "memory": SectionSpec(
        settings="snaphook.providers.memory.settings:MemorySettings",
        provider="snaphook.providers.memory:make",
    ),
    "provenance": SectionSpec(settings="snaphook.providers.provenance.settings:ProvenanceSettings"),
    "resilience": SectionSpec(
        settings="snaphook.providers.resilience.settings:ResilienceSettings",
        provider="snaphook.providers.resilience:make",
    ),
    "sandbox": SectionSpec(settings="snaphook.sandbox.settings:SandboxSettings"),
    "telemetry": SectionSpec(
        settings="snaphook.providers.telemetry.settings:TelemetrySettings", answers=False
    ),
    "notify": SectionSpec(settings="snaphook.notify.settings:NotifySettings", answers=False),
    "workspace": SectionSpec(settings="snaphook.stores.workspace.settings:WorkspaceSettings"),
}
"""Every table that a package above the settings understands, in the order in which they are asked."""


class Sections(Mapping[str, type[Struct]]):
    """The Struct of each table of *specs*, imported when somebody wants it."""

    def __init__(self, specs: Mapping[str, SectionSpec]) -> None:
        self._specs = specs

    def __getitem__(self, name: str) -> type[Struct]:
        kind: type[Struct] = imported(self._specs[name].settings)
        return kind

    def __contains__(self, name: object) -> bool:
        return name in self._specs

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)


SECTIONS = Sections({name: spec for name, spec in SECTION_SPECS.items() if spec.answers})
"""The tables that answering a hook needs."""


def every_section() -> Mapping[str, type[Struct]]:
    """Return those, and the tables of packages that answering a hook does not need."""
    return Sections(SECTION_SPECS)


def imported(name: str) -> Any:
    """Return what ``module:attribute`` names, of our own packages."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
