"""One engine for each project, as fresh as its settings.

(cwd, environment)  ->  Engine

Looking whether a settings file changed is a few ``stat`` calls; an engine is built again only when
one did. Projects keep nothing of each other.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from snaphook.config import LiveSettings, Settings, Surroundings
from snaphook.config.places import project_root
from snaphook.engine import Engine, Observer
from snaphook.wiring import NATIVE, SECTIONS, build_engine

ObserversFor: TypeAlias = Callable[[Settings, Surroundings], Sequence[Observer]]
"""Who sees the outcomes of a project, as its settings say."""
KEPT = 64
"""Projects held at once; the one not heard of for longest goes first."""


class Project:
    """The settings of one project, followed, and the engine they describe."""

    def __init__(self, around: Surroundings, observers_for: ObserversFor) -> None:
        self._around = around
        self._observers_for = observers_for
        self._live = LiveSettings(around, sections=SECTIONS, dialects=NATIVE)
        self._built_from: Settings | None = None
        self._engine: Engine | None = None

    def engine(self) -> Engine:
        """Return the engine of the settings in force."""
        settings = self._live.current()
        if self._engine is None or settings is not self._built_from:
            self._engine = build_engine(
                self._around,
                settings=settings,
                observers=self._observers_for(settings, self._around),
            )
            self._built_from = settings
        return self._engine


class Projects:
    """Every project the daemon has been asked about lately."""

    def __init__(self, observers_for: ObserversFor = lambda _settings, _around: ()) -> None:
        self._observers_for = observers_for
        self._known: OrderedDict[tuple[str, ...], Project] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def engine(self, cwd: str, env: Mapping[str, str]) -> Engine:
        """Return the engine for whoever works in *cwd* with the settings that *env* leads to."""
        around = Surroundings.here(Path(cwd or "/"), env)
        key = (str(project_root(around)), *_leading_to_settings(around))
        project = self._known.get(key)
        if project is None:
            project = self._known[key] = Project(around, self._observers_for)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return project.engine()


def _leading_to_settings(around: Surroundings) -> tuple[str, ...]:
    """Return what of the surroundings decides which files count."""
    return str(around.home), str(around.config_dir), str(around.data_dir)
