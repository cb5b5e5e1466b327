"""The guard, made as the settings want it.

Settings + Environment  ->  GuardProvider
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from snaphook.canon import AnyProvider, HookContext, ToolEvent
from snaphook.config import Environment, Settings
from snaphook.config.caller import environment
from snaphook.providers.guard.settings import GuardSettings
from snaphook.wiring.roles import roles_of
from snaphook.wiring.sandbox import sandbox_of

if TYPE_CHECKING:
    from snaphook.providers.guard.memory import Sessions
    from snaphook.providers.guard.overrides import Overrides
    from snaphook.providers.guard.provider import GuardProvider
    from snaphook.stores.snapshots.snapshotter import ProjectSnapshotter


def guard_settings(settings: Settings) -> GuardSettings:
    """Return what ``[guard]`` says."""
    table = settings.sections.get("guard")
    return msgspec.convert(dict(table.values), GuardSettings) if table else GuardSettings()


def guard_of(
    settings: Settings,
    around: Environment,
    overrides: "Overrides | None" = None,
    *,
    confines: bool = True,
    sessions: "Sessions | None" = None,
) -> "GuardProvider":
    """Return the guard; without *overrides*, as it answers but for what a person allowed."""
    from snaphook.providers.guard.provider import RememberingGuard
    from snaphook.shell.live import LiveWorld

    def seen(_event: ToolEvent, context: HookContext) -> LiveWorld:
        where = context.cwd or context.team_root or settings.root
        return LiveWorld(where, env=environment(), project=context.team_root or settings.root)

    wanted = guard_settings(settings)
    snapshotter = _snapshotter(wanted, around)
    roles = roles_of(settings, around)
    sandbox = sandbox_of(settings, around) if confines else None

    def on_disk() -> "Sessions":
        from snaphook.providers.guard.sessions import SessionNotes

        return SessionNotes(around.data_dir / "guard" / "sessions")

    return RememberingGuard(
        wanted,
        sessions=on_disk if sessions is None else lambda: sessions,
        world=seen,
        snapshotter=snapshotter,
        overrides=overrides,
        roles=roles,
        sandbox=sandbox,
    )


def _snapshotter(wanted: GuardSettings, around: Environment) -> "ProjectSnapshotter | None":
    """Return who keeps what a command would destroy, where the settings want it."""
    if not wanted.safety_net:
        return None
    from snaphook.stores.snapshots.snapshotter import ProjectSnapshotter

    return ProjectSnapshotter(around.data_dir / "undo")


def snapshot_finalizer(settings: Settings, around: Environment) -> Iterator[AnyProvider]:
    """Yield who hears that a call has run, for the net."""
    if snapshotter := _snapshotter(guard_settings(settings), around):
        from snaphook.providers.guard.snapshot_finalizer import SnapshotFinalizer

        yield SnapshotFinalizer(snapshotter)
