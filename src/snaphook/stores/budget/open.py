"""The meter that a setting names.

"sqlite" | "postgresql://…"  ->  Meter
"""

from collections.abc import Callable
from pathlib import Path
from time import time

from .database import SqliteDatabase
from .meter import Meter

FILE, AWAY = "budget.sqlite", "budget-away.sqlite"


def open_meter(
    store: str, data_dir: Path, *, clock: Callable[[], float] = time, strict: bool = True
) -> Meter:
    """Return the meter in *data_dir*, or the one a fleet shares; opened when first asked.

    *strict* says whether a fleet's meter that is away fails, or answers from what is known here.
    """
    if not store.startswith(("postgres://", "postgresql://")):
        return Meter(SqliteDatabase(data_dir / FILE), clock=clock)
    from .fleet import FleetMeter
    from .postgres import PostgresDatabase

    near = SqliteDatabase(data_dir / AWAY)
    return FleetMeter(PostgresDatabase(store), near, clock=clock, strict=strict)
