"""What kind of place a path leads to.

path + World  ->  Place
"""

from __future__ import annotations

from enum import Enum

from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.text import UNKNOWN, known_prefix, plain
from snaphook.providers.guard.world import World


class Place(Enum):
    """What a path means to whoever owns the machine."""

    ROOT = "the whole machine"
    SYSTEM = "the operating system"
    HOME = "a whole home directory"
    IN_HOME = "files in a home directory"
    PROJECT = "the whole project"
    IN_PROJECT = "files of the project"
    BUILD = "what can be built again"
    TEMP = "temporary files"
    DEVICE = "a device"
    OUTSIDE = "files outside the project"
    UNKNOWN = "a place only the run can tell"


class Places:
    """Tells places; remembers what it has told."""

    __slots__ = ("_known", "settings", "world")

    def __init__(self, world: World, settings: GuardSettings) -> None:
        self.world = world
        self.settings = settings
        self._known: dict[str, Place] = {}

    def of(self, path: str) -> Place:
        """Return what kind of place *path* leads to; globs count as what they may match."""
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = self._tell(path)
        return found

    def _tell(self, path: str) -> Place:
        path = plain(path)
        if path in ("/", "/*"):
            return Place.ROOT
        if path in (self.world.home, f"{self.world.home}/*"):
            return Place.HOME
        if known_prefix(path) == "" or path[0] == UNKNOWN:
            return Place.UNKNOWN
        return Place.IN_PROJECT
