"""The meter that a setting names.

"sqlite" | "postgresql://…"  ->  Meter
"""

from collections.abc import Callable
from pathlib import Path
from time import time

from .database import Database, PostgresDatabase, SqliteDatabase
from .meter import Meter

FILE = "budget.sqlite"


def open_meter(store: str, data_dir: Path, *, clock: Callable[[], float] = time) -> Meter:
    """Return the meter in *data_dir*, or the one a fleet shares; opened when first asked."""
    database: Database
    if store.startswith(("postgres://", "postgresql://")):
        database = PostgresDatabase(store)
    else:
        database = SqliteDatabase(data_dir / FILE)
    return Meter(database, clock=clock)
