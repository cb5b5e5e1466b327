"""Automatic approval as the settings want it.

Settings + the providers before it  ->  ApprovalProvider, or nobody
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from snaphook.canon import AnyProvider, HookContext, PermissionRequest, ToolEvent
from snaphook.config import Environment, Settings
from snaphook.providers.guard.approval.settings import ApproveSettings
from snaphook.wiring.sandbox import sandbox_settings

if TYPE_CHECKING:
    from snaphook.providers.guard.approval.provider import Objector
    from snaphook.providers.guard.provider import GuardProvider
    from snaphook.providers.provenance.provider import ProvenanceProvider

ANSWERS_PROMPTS = frozenset({"codex", "qwen-code"})
"""Hosts whose prompt is answered at PermissionRequest, because they ignore an allow before it.

Elsewhere an approved call gets no prompt at all. If one comes there, the person's own rule or another
hook wants it, and it is theirs to answer.
"""


def approve_settings(settings: Settings) -> ApproveSettings:
    """Return what ``[approve]`` says."""
    table = settings.sections.get("approve")
    return msgspec.convert(dict(table.values), ApproveSettings) if table else ApproveSettings()


def approval_of(
    settings: Settings, around: Environment, chosen: Iterable[AnyProvider]
) -> Iterator[AnyProvider]:
    """Yield who approves, where the settings want it and a guard judges."""
    wanted = approve_settings(settings)
    if wanted.level == "off":
        return
    from snaphook.providers.guard.approval.provider import ApprovalProvider
    from snaphook.providers.guard.provider import GuardProvider
    from snaphook.providers.provenance.provider import ProvenanceProvider

    providers = list(chosen)
    guard = next((one for one in providers if isinstance(one, GuardProvider)), None)
    if guard is None:
        return
    origins = next((one for one in providers if isinstance(one, ProvenanceProvider)), None)
    yield ApprovalProvider(
        wanted,
        guard,
        untrusted=_untrusted(origins) if origins else None,
        host_rules=_host_rules(guard, around),
        may_send=sandbox_settings(settings).network == "open",
    )


def _untrusted(origins: "ProvenanceProvider") -> "Objector":
    def untrusted(event: ToolEvent, context: HookContext) -> str:
        """Say what is wrong with the origins of the call; before a call they say it themselves."""
        asked = isinstance(event, PermissionRequest) or origins.settings.mode == "audit"
        return origins.objection(event, context) if asked else ""

    return untrusted


def _host_rules(guard: "GuardProvider", around: Environment) -> "Objector":
    def wants_to_ask(event: ToolEvent, context: HookContext) -> str:
        if context.host not in ANSWERS_PROMPTS:
            return "the host asks because a rule or another hook wants it"
        from snaphook.wiring.host_rules import asks_about

        return asks_about(event, context, guard, around)

    return wants_to_ask
