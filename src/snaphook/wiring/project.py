"""One project's engine, as fresh as its settings.

Environment  ->  LiveSettings  ->  Engine

For whoever lives longer than one event. Looking whether a settings file changed is a few ``stat``
calls; an engine is built again only when one did.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from snaphook.canon import AnyProvider
from snaphook.config import Dialect, Environment, LiveSettings, Settings
from snaphook.engine import Engine, Observer
from snaphook.providers.guard.overrides import Overrides
from snaphook.wiring.assembly import NATIVE, build_engine, tenanted
from snaphook.wiring.sections import SECTIONS

ObserversFor: TypeAlias = Callable[[Settings, Environment], Sequence[Observer]]
"""Who sees the outcomes of a project, as its settings say."""


class Project:
    """The settings of one project, followed, and the engine they describe.

    *providers* are asked after those of the settings.
    """

    def __init__(
        self,
        around: Environment,
        observers_for: ObserversFor,
        *,
        overrides: Overrides | None = None,
        providers: Sequence[AnyProvider] = (),
        dialects: Iterable[Dialect] = NATIVE,
    ) -> None:
        self._around = around
        self._observers_for = observers_for
        self._overrides = overrides
        self._providers = tuple(providers)
        self._live = LiveSettings(around, sections=SECTIONS, dialects=dialects)
        self._built_from: Settings | None = None
        self._engine: Engine | None = None

    def engine(self) -> Engine:
        """Return the engine of the settings in force."""
        # Looked at on every call: a rule that was written counts for the next call, and an approved
        # script that was changed does not run.
        settings = self._live.current()
        if self._engine is None or settings is not self._built_from:
            own, around = tenanted(settings, self._around)
            self._engine = build_engine(
                around,
                settings=own,
                providers=self._providers,
                observers=self._observers_for(own, around),
                overrides=self._overrides,
            )
            self._built_from = settings
        return self._engine

    @property
    def root(self) -> Path:
        """Return the folder of the project."""
        return self._live.root

    def settings(self) -> Settings:
        """Return the settings in force."""
        return self._live.current()
