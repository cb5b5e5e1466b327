"""The sandbox as the settings want it.

Settings  ->  Sandbox (who confines), SandboxFeedback (who tells what was refused)
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from snaphook.canon import AnyProvider
from snaphook.config import Environment, Settings
from snaphook.providers.guard.settings import GuardSettings
from snaphook.sandbox.calls import ConfinedCalls
from snaphook.sandbox.settings import SandboxSettings

if TYPE_CHECKING:
    from snaphook.providers.guard.sandboxing.confine import Confiner
    from snaphook.providers.guard.sandboxing.needs import Sandbox


def sandbox_settings(settings: Settings) -> SandboxSettings:
    """Return what ``[sandbox]`` says."""
    table = settings.sections.get("sandbox")
    return msgspec.convert(dict(table.values), SandboxSettings) if table else SandboxSettings()


def sandbox_of(settings: Settings, around: Environment) -> "Sandbox | None":
    """Return what confines commands, where the settings want it; made at the first that needs it."""
    wanted = sandbox_settings(settings)
    if wanted.mode == "off":
        return None
    from snaphook.providers.guard.sandboxing.needs import Sandbox

    calls = ConfinedCalls(around.shared_dir / "sandbox" / "calls")
    make = cache(lambda: confiner(settings, around))
    return Sandbox(make=make, always=wanted.mode == "always", calls=calls)


def confiner(settings: Settings, around: Environment) -> "Confiner":
    """Return who rewrites commands so that they run confined."""
    from snaphook.hosts.modify import asks_about_paths, can_modify
    from snaphook.providers.guard.sandboxing.confine import Confiner
    from snaphook.sandbox.store import PolicyStore

    store = PolicyStore(around.shared_dir / "sandbox", known=not around.tenant)
    guard = settings.sections.get("guard")
    return Confiner(
        sandbox_settings(settings),
        msgspec.convert(dict(guard.values), GuardSettings) if guard else GuardSettings(),
        store,
        can_modify=can_modify,
        asks_about_paths=asks_about_paths,
        calls=ConfinedCalls(store.folder / "calls"),
    )


def feedback_of(chosen: Iterable[AnyProvider], around: Environment) -> list[AnyProvider]:
    """Return who tells agents what the sandbox refused, for each guard that confines."""
    from snaphook.providers.guard.provider import GuardProvider

    guards = [one for one in chosen if isinstance(one, GuardProvider) and one.sandbox is not None]
    if not guards:
        return []
    from snaphook.providers.guard.sandboxing.feedback import SandboxFeedback

    kept = around.shared_dir / "sandbox" / "removed"
    return [
        SandboxFeedback(
            one.sandbox,
            world=one.world,
            kept=kept,
            overrides=one.overrides if one.settings.overrides else None,
        )
        for one in guards
        if one.sandbox
    ]
