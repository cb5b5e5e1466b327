"""What the commands about settings share: where we are, and how a person is shown a place."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from snaphook.config import Environment, Settings
from snaphook.errors import UsageError

if TYPE_CHECKING:
    from snaphook.stores.eventlog.trail.trail import Trail


def environment(folder: Path | None = None) -> Environment:
    """Return the environment of this process, or of *folder*."""
    return Environment.here(folder)


def here(folder: Path | None = None) -> tuple[Settings, Environment]:
    """Return the settings in force, and where we stand, in the name of the tenant we act for."""
    from snaphook.wiring.assembly import read_settings, tenanted

    around = environment(folder)
    return tenanted(read_settings(around), around)


def the_trail(settings: Settings, around: Environment) -> "Trail":
    """Return the record here as a trail for auditors."""
    from snaphook.wiring.assembly import trail

    found = trail(settings, around, always=True)
    assert found is not None, "asked for always"
    return found


def short(file: str) -> str:
    """Return *file* as seen from here, where that is shorter."""
    if not file.startswith(os.sep):
        return file
    near = os.path.relpath(file)
    return near if len(near) < len(file) else file


def one_line(text: str, *, most: int = 100) -> str:
    """Return *text* on one line, cut where it would not fit."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def existing(path: Path, command: str) -> Path:
    """Return *path*, absolute; a UsageError where nothing is there."""
    if not os.path.lexists(path):
        raise UsageError(where=command, what=f"no such file or folder: {path}", fix="Look again.")
    return path.absolute()
