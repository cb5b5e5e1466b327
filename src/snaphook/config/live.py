"""Settings that follow their files.

stat of each file, on demand  ->  load again where one changed  ->  Settings

A file that has become unreadable or wrong changes nothing but ``problem``: the last good settings
stay in force.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from snaphook.errors import ConfigError

from .environment import Environment
from .load import load
from .settings import Dialect, Settings
from .settings_files import SettingsFile, candidates, project_root
from .trust import TrustStore

if TYPE_CHECKING:
    from .fragments import Sections

Stamp = tuple[int, ...] | None
RACY = 100_000_000
"""Nanoseconds within which two changes may bear the same time: file systems count in ticks."""


class LiveSettings:
    """The current settings; looking is a few ``stat`` calls, loading happens on change."""

    def __init__(
        self,
        around: Environment,
        *,
        root: Path | None = None,
        sections: "Sections | None" = None,
        dialects: Iterable[Dialect] = tuple(Dialect),
    ) -> None:
        self.around = around
        self.root = root or project_root(around)
        self.sections = sections
        self.dialects = tuple(dialects)
        self.problem: ConfigError | None = None
        """Why the newest files are not in force, while they are not."""
        places = [p for p in candidates(around, self.root) if p.dialect in self.dialects]
        files = dict.fromkeys([*(str(one.path) for one in places), str(TrustStore.of(around).path)])
        self._watched = [
            *files,
            *(one for one in dict.fromkeys(_folders(places)) if one not in files),
        ]
        self._files = len(files)
        self._stamps = _stamps(self._watched)
        self._settings = self._load()
        self._scripts = _stamps(self._settings.scripts)

    def current(self, *, on_problem: Callable[[ConfigError], None] | None = None) -> Settings:
        """Return the settings in force; *on_problem* hears of new files that cannot be used."""
        stamps = _stamps(self._watched)
        scripts = _stamps(self._settings.scripts)
        racy = _is_racy((*stamps[: self._files], *scripts))
        if stamps == self._stamps and scripts == self._scripts and not racy:
            return self._settings
        again = stamps == self._stamps  # read once more only because a change might not show
        self._stamps = stamps
        try:
            fresh = self._load()
            self._settings = self._settings if again and fresh == self._settings else fresh
            self.problem = None
        except ConfigError as problem:
            if not again or self.problem is None or str(problem) != str(self.problem):
                self.problem = problem
                if on_problem:
                    on_problem(problem)
        self._scripts = _stamps(self._settings.scripts)
        return self._settings

    def _load(self) -> Settings:
        return load(self.around, root=self.root, sections=self.sections, dialects=self.dialects)


def _folders(places: Iterable[SettingsFile]) -> Iterator[str]:
    """Yield the folders in which a file may appear; those around the project change all the time."""
    return (str(place.path.parent) for place in places if not place.outer)


def _stamps(paths: Iterable[str]) -> list[Stamp]:
    return [_stamp(path) for path in paths]


def _stamp(path: str) -> Stamp:
    try:
        seen = os.stat(path)  # noqa: PTH116 - a Path costs more than the call, and this is per event
    except (OSError, ValueError):
        return None
    # The change time is the kernel's: who restores size and modification time cannot restore it.
    return seen.st_mtime_ns, seen.st_size, seen.st_ino, seen.st_ctime_ns


def _is_racy(stamps: Iterable[Stamp]) -> bool:
    """Return whether a file changed so lately that another change would not show."""
    late = time.time_ns() - RACY
    return any(stamp is not None and stamp[3] > late for stamp in stamps)
