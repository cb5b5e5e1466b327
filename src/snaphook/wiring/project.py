"""One project's engine, as fresh as its settings.

Environment  ->  LiveSettings  ->  Engine

For whoever lives longer than one event. Looking whether a settings file changed is a few ``stat``
calls; an engine is built again only when one did.
"""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import TypeAlias

from snaphook.canon import AnyProvider
from snaphook.config import Dialect, Environment, LiveSettings, Settings
from snaphook.engine import Engine, Observer
from snaphook.providers.guard.overrides import Overrides
from snaphook.wiring.assembly import NATIVE, build_engine, tenanted
from snaphook.wiring.sections import SECTIONS

ObserversFor: TypeAlias = Callable[[Settings, Environment], Sequence[Observer]]
"""Who sees the outcomes of a project, as its settings say."""
LOOK_SECONDS = 0.02
"""How long settings are taken to be as they were before their files are looked at again."""


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
        self._look_at = 0.0
        self._built_from: Settings | None = None
        self._engine: Engine | None = None

    def engine(self) -> Engine:
        """Return the engine of the settings in force."""
        now = monotonic()
        # An approved script may change between two calls; a changed one must not run.
        watched = self._built_from is not None and self._built_from.scripts
        if self._engine is not None and now < self._look_at and not watched:
            return self._engine
        self._look_at = now + LOOK_SECONDS
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

    def settings(self) -> Settings:
        """Return the settings in force."""
        return self._live.current()
