"""One engine for each project, as fresh as its settings.

(cwd, environment)  ->  Engine

Projects keep nothing of each other.
"""

import os
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from snaphook.config import Environment, Settings
from snaphook.config.settings_files import project_root
from snaphook.engine import Engine
from snaphook.errors import SnaphookError
from snaphook.providers.guard.overrides import Overrides
from snaphook.wiring.assembly import tenanted
from snaphook.wiring.project import ObserversFor, Project

Key: TypeAlias = tuple[str, ...]
LEADING = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "SNAPHOOK_TENANT")
"""The variables that decide which files count, and in whose name."""
ROOT_SECONDS = 1.0
"""How long a folder is taken to belong to the project it belonged to."""
MOST_BETWEEN = 16
"""Folders between a place and its project that are looked at on every call; deeper ones once in a second."""
KEPT = 64
"""Projects held at once; the one not heard of for longest goes first."""


class ProjectSeen:
    """The project that a folder belongs to, until a folder in between changes.

    A settings file or a repository that appears between the two makes the folder another project's; that
    changes the time of the folder it appears in.
    """

    def __init__(self, project: Project, cwd: str) -> None:
        self.project = project
        self._until = monotonic() + ROOT_SECONDS
        self._folders = list(_between(cwd, str(project.root)))
        self._stamps = [*map(_changed, self._folders)]

    def holds(self) -> bool:
        """Say whether nothing changed that matters."""
        return monotonic() < self._until and [*map(_changed, self._folders)] == self._stamps


def _between(cwd: str, root: str) -> Iterator[str]:
    """Yield the folders from *cwd* up to *root* in which a settings file may appear; of many, none."""
    if cwd.count("/") - root.count("/") > MOST_BETWEEN or not f"{cwd}/".startswith(f"{root}/"):
        return
    while len(cwd) >= len(root):
        yield from (cwd, f"{cwd}/.claude", f"{cwd}/.wave")
        cwd = cwd.rpartition("/")[0]


def _changed(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 - asked on every call
    except (OSError, ValueError):
        return 0


class Projects:
    """Every project the daemon has been asked about lately."""

    def __init__(
        self,
        observers_for: ObserversFor = lambda _settings, _around: (),
        *,
        overrides: Overrides | None = None,
    ) -> None:
        self._observers_for = observers_for
        self._overrides = overrides
        self._known: OrderedDict[Key, Project] = OrderedDict()
        self._seen_from: OrderedDict[Key, ProjectSeen] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def engine(self, cwd: str, env: Mapping[str, str]) -> Engine:
        """Return the engine for whoever works in *cwd* with the settings that *env* leads to."""
        view = (cwd, *[env.get(name, "") for name in LEADING])
        seen = self._seen_from.get(view)
        if seen is None or not seen.holds():
            seen = self._seen_from[view] = ProjectSeen(
                self._project(Environment.here(Path(cwd or "/"), env)), cwd
            )
            _forget(self._seen_from)
        return seen.project.engine()

    def settings(self, cwd: str, env: Mapping[str, str]) -> tuple[Settings | None, Environment]:
        """Return the settings for the same, where they can be read, and what surrounds it."""
        around = Environment.here(Path(cwd or "/"), env)
        try:
            return tenanted(self._project(around).settings(), around)
        except SnaphookError:
            return None, around

    def _project(self, around: Environment) -> Project:
        folders = (project_root(around), around.home, around.config_dir, around.data_dir)
        key = (*map(str, folders), around.env.get("SNAPHOOK_TENANT", ""))
        project = self._known.get(key)
        if project is None:
            project = self._known[key] = Project(
                around, self._observers_for, overrides=self._overrides
            )
            _forget(self._known)
        self._known.move_to_end(key)
        return project


def _forget(known: OrderedDict[Key, Any]) -> None:
    """Let the oldest go where there are too many."""
    if len(known) > KEPT:
        known.popitem(last=False)
