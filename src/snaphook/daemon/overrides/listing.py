"""Overrides, blocked calls and keys as text.

Override  ->  what a person reads        Pure, but for the clock.
"""

from snaphook.process.ancestry import now
from snaphook.stores.overrides.active import ActiveOverride
from snaphook.stores.overrides.keys import KnownKey
from snaphook.stores.overrides.override import Level, Override
from snaphook.stores.overrides.recent import RecentCall
from snaphook.stores.overrides.standing import Standing

from .messages import KeyLine, OverrideLine, RecentLine


def terms(override: Override) -> str:
    """Return how long *override* counts, and where."""
    where = f"in {override.project}" if override.project else "everywhere"
    left = override.seconds
    span = f"{left / 60:.0f} min" if left >= 60 else f"{left:.0f} s"
    if override.pauses:
        which = "every rule only warns" if override.level is Level.DENY else "rules that ask warn"
        return f"{which} for {span}, {where}"
    how = {"once": f"once, within {span}", "session": "in this session", "always": "always"}.get(
        override.duration, f"for {span}"
    )
    return f"{how}, {where}"


def granted(override: Override) -> str:
    """Return what the person is told once *override* is granted."""
    if override.pauses:
        text = f"Paused ({override.id}): {terms(override)}."
        if override.level is Level.ASK:
            text += " What the guard denies stays denied: no method is set up to override it."
        return text
    return f"Allowed ({override.id}): {override.command}\n{terms(override)}."


def recent_line(kept: RecentCall) -> RecentLine:
    """Return a blocked call, to show."""
    call = kept.call
    return RecentLine(
        number=kept.number,
        time=kept.time,
        project=call.project,
        tool=call.tool,
        command=call.command,
        reason=call.reason,
        rules=tuple(sorted(call.rules)),
        level=call.level,
    )


def override_line(active: ActiveOverride) -> OverrideLine:
    """Return an override in force, to show."""
    override = active.override
    return OverrideLine(
        id=override.id,
        what=override.command or "(pause: rules only warn)",
        where=override.project,
        rules=tuple(sorted(override.rules)),
        left=max(0.0, active.until - now()),
        once=override.once and not override.pauses,
        method=active.method,
    )


def standing_line(standing: Standing) -> OverrideLine:
    """Return an override without an end, to show."""
    override = standing.override
    return OverrideLine(
        id=override.id,
        what=override.command,
        where=override.project,
        rules=tuple(sorted(override.rules)),
        left=0.0,
        once=False,
        method=standing.proof.method,
    )


def key_line(known: KnownKey) -> KeyLine:
    """Return a key, to show."""
    return KeyLine(
        id=known.key.id, method=known.key.method, since=known.since, anchored=known.anchored
    )
