"""Everything a page may look at, opened once.

settings + environment + store  ->  Dashboard
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.config import Environment, Settings
from snaphook.providers.budget.settings import BudgetSettings
from snaphook.providers.guard.settings import GuardSettings
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.wiring.assembly import guard_settings, log_settings, section

from .source import POSTGRES, FigureSource, open_source

RECORDS = "records.sqlite"
BUDGET = "budget.sqlite"


class Dashboard(Struct, frozen=True, kw_only=True):
    """The sources of the dashboard, and what the settings here say."""

    records: FigureSource
    spending: FigureSource
    around: Environment
    settings: Settings
    log: LogSettings
    budget: BudgetSettings
    guard: GuardSettings
    folder: Path | None
    """The folder of this machine's record; ``None`` where another's is looked at."""
    daemon: Callable[[], Mapping[str, Any] | None] = lambda: None
    """Asks how this machine's daemon is; nothing where none answers."""
    clock: Callable[[], float] = time.time

    @property
    def fleet(self) -> bool:
        """Say whether many machines are looked at."""
        return bool(self.records.prefix)

    def close(self) -> None:
        """Let go of everything."""
        self.records.close()
        self.spending.close()


def open_desk(
    settings: Settings,
    around: Environment,
    *,
    store: str = "",
    daemon: Callable[[], Mapping[str, Any] | None] = lambda: None,
) -> Dashboard:
    """Return the desk for *store*: a URL, a file, or where empty what the settings say."""
    log = log_settings(settings)
    budget = section(settings, "budget", BudgetSettings)
    folder = log.place(around.data_dir)
    remote = store.startswith(POSTGRES) or (not store and log.store.startswith(POSTGRES))
    address: str | Path = store or (log.store if remote else folder / RECORDS)
    spending: str | Path = around.data_dir / BUDGET
    if remote:
        spending = budget.store if budget.store.startswith(POSTGRES) else str(address)
    return Dashboard(
        records=open_source(address),
        spending=open_source(spending),
        around=around,
        settings=settings,
        log=log,
        budget=budget,
        guard=guard_settings(settings),
        folder=None if store else folder,
        daemon=daemon,
    )
