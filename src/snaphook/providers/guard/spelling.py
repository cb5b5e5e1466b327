"""What a command touches, under the names that the disk has for it.

effects + files, as the command spells them  ->  the same, as the disk does
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Effect
from snaphook.shell.text import UNKNOWN, has_glob
from snaphook.shell.world import World


def as_spelled(
    effects: Iterable[Effect], files: Mapping[str, str], world: World
) -> tuple[Iterable[Effect], Mapping[str, str]]:
    """Return both under the disk's names, where it does not tell upper from lower case.

    A glob is left alone from there on: shells compare it with the names as they are.
    """
    effects = tuple(effects)
    if not any(effect.path[:1] == "/" and world.folds(effect.path) for effect in effects):
        return effects, files
    renamed = tuple(_renamed(effect, world) for effect in effects)
    return renamed, {_spelled(path, world): text for path, text in files.items()}


def _renamed(effect: Effect, world: World) -> Effect:
    path = _spelled(effect.path, world)
    return effect if path == effect.path else replace(effect, path=path)


def _spelled(path: str, world: World) -> str:
    if path[:1] != "/" or not world.folds(path):
        return path
    parts = path.split("/")
    known = next(
        (place for place, part in enumerate(parts) if UNKNOWN in part or has_glob(part)), len(parts)
    )
    return "/".join((world.spelled("/".join(parts[:known])), *parts[known:])) if known > 1 else path
