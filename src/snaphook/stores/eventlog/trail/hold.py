"""Legal hold: what must not go, whatever its time.

Hold + journal  ->  in force until it is released

Holds are not a list that could be edited: they are what the journal says was placed and not
released.
"""

import os
from collections.abc import Collection
from pathlib import Path

from msgspec import Struct, convert, to_builtins

from snaphook.errors import UsageError
from snaphook.stores.eventlog.record import Record

from .journal import HOLD, RELEASE, actions, write_down


class Hold(Struct, frozen=True, kw_only=True):
    """What is held: a session's records, a project's, or everything."""

    name: str
    why: str
    session: str = ""
    project: str = ""
    placed: float = 0.0
    by: str = ""

    def holds(self, record: Record) -> bool:
        """Say whether *record* must stay."""
        inside = not self.project or within(record.project, self.project)
        return inside and (not self.session or record.session == self.session)


def place(folder: Path, hold: Hold, *, now: float) -> None:
    """Put *hold* in force; it is in the journal before this returns."""
    if any(known.name == hold.name for known in holds(folder)):
        raise UsageError(
            where=f"hold '{hold.name}'",
            what="a hold with this name exists already",
            fix="Choose another name, or release it first.",
        )
    fields = to_builtins(hold)
    write_down(
        folder, [(HOLD, {k: fields[k] for k in ("name", "why", "session", "project")})], now=now
    )


def release(folder: Path, name: str, why: str, *, now: float) -> None:
    """Let go of the hold *name*."""
    if not any(known.name == name for known in holds(folder)):
        raise UsageError(
            where=f"hold '{name}'",
            what="unknown hold",
            fix="'snaphook audit hold list' shows them.",
        )
    write_down(folder, [(RELEASE, {"name": name, "why": why})], now=now)


def holds(folder: Path) -> list[Hold]:
    """Return the holds in force, oldest first."""
    found: dict[str, Hold] = {}
    for record in actions(folder, HOLD, RELEASE):
        if record.event == RELEASE:
            found.pop(str(record.input.get("name")), None)
        else:
            said = {**record.input, "placed": record.time, "by": record.agent}
            held = convert(said, Hold)
            found[held.name] = held
    return list(found.values())


def is_held(record: Record, in_force: Collection[Hold]) -> bool:
    """Say whether any hold *in_force* keeps *record*."""
    return any(hold.holds(record) for hold in in_force)


def within(path: str, folder: str) -> bool:
    """Say whether *path* is *folder* or below it, links resolved."""
    if not path:
        return False
    real, root = os.path.realpath(path), os.path.realpath(os.path.expanduser(folder))  # noqa: PTH111 - texts
    return real == root or real.startswith(f"{root.rstrip(os.sep)}{os.sep}")
