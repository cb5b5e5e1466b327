"""One engine for each project, as fresh as its settings.

(cwd, environment)  ->  Engine

Projects keep nothing of each other.
"""

from collections import OrderedDict
from collections.abc import Mapping
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
KEPT = 64
"""Projects held at once; the one not heard of for longest goes first."""


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
        self._seen_from: OrderedDict[Key, tuple[Project, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def engine(self, cwd: str, env: Mapping[str, str]) -> Engine:
        """Return the engine for whoever works in *cwd* with the settings that *env* leads to."""
        view = (cwd, *[env.get(name, "") for name in LEADING])
        project, until = self._seen_from.get(view, (None, 0.0))
        now = monotonic()
        if project is None or now > until:
            project = self._project(Environment.here(Path(cwd or "/"), env))
            self._seen_from[view] = (project, now + ROOT_SECONDS)
            _forget(self._seen_from)
        return project.engine()

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
