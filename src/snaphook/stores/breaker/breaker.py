"""The breaker: whether to try again what keeps failing, agreed on by every process of this machine.

allow()  ->  the call  ->  success() | failure()

The state is a row of one SQLite file, changed in one transaction. Nothing is written before the
first failure, and a file that cannot be read any more is moved aside: a breaker that forgot is
closed, and learns again.
"""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import astuple

from snaphook.errors import StoreError

from .circuit import UNTROUBLED, Circuit, CircuitLimits, CircuitState, failed, settled, tried

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds to wait for another process's turn."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS circuit (
    name TEXT PRIMARY KEY, failures INTEGER NOT NULL, failed_at REAL NOT NULL,
    opened_at REAL, probed_at REAL
) WITHOUT ROWID
"""


class Breaker:
    """One named circuit in the file at *path*.

    It opens after *threshold* failures in a row, none more than *window* seconds after the one
    before, and lets one caller try again once *cooldown* seconds have passed.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str,
        threshold: int = 5,
        cooldown: float = 60.0,
        window: float = 600.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = path
        self._name = name
        self._limits = CircuitLimits(threshold=threshold, cooldown=cooldown, window=window)
        self._clock = clock

    def allow(self) -> bool:
        """Say whether to try; in a half-open circuit only one caller hears yes."""
        if not self._path.exists():
            return True
        return self._change(lambda circuit, now: tried(circuit, now, self._limits))

    def success(self) -> bool:
        """Note that a call went through; say whether that closed an open circuit.

        Whoever reports it: an answer is an answer.
        """
        if not self._path.exists():
            return False
        return self._change(lambda circuit, _now: (UNTROUBLED, circuit.opened_at is not None))

    def failure(self) -> bool:
        """Note that a call failed; say whether that opened a closed circuit.

        Only one process hears yes, so that one alert is sent.
        """

        def change(circuit: Circuit, now: float) -> tuple[Circuit, bool]:
            after = failed(circuit, now, self._limits)
            return after, circuit.opened_at is None and after.opened_at is not None

        return self._change(change)

    def state(self) -> CircuitState:
        """Return whether calls go through, without trying."""
        if not self._path.exists():
            return CircuitState.CLOSED
        return self._change(lambda circuit, now: (circuit, circuit.state(now, self._limits)))

    def _change(self, change: Callable[[Circuit, float], tuple[Circuit, T]]) -> T:
        """Let *change* have the circuit, keep what it makes of it, and return what it says."""
        import sqlite3

        try:
            with closing(self._open()) as db:
                return self._turn(db, change)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                where=str(self._path),
                what=f"the state of {self._name!r} cannot be saved: {error}",
                fix="Make the folder writable; the file itself may be removed at any time.",
            ) from error

    def _turn(
        self, db: "sqlite3.Connection", change: Callable[[Circuit, float], tuple[Circuit, T]]
    ) -> T:
        db.execute("BEGIN IMMEDIATE")
        row = db.execute(
            "SELECT failures, failed_at, opened_at, probed_at FROM circuit WHERE name = ?",
            (self._name,),
        ).fetchone()
        before = Circuit(**dict(zip(Circuit.__struct_fields__, row, strict=True))) if row else None
        now = self._clock()
        after, said = change(settled(before or UNTROUBLED, now), now)
        if after == UNTROUBLED:
            db.execute("DELETE FROM circuit WHERE name = ?", (self._name,))
        elif after != before:
            values = (self._name, *astuple(after))
            db.execute("INSERT OR REPLACE INTO circuit VALUES (?,?,?,?,?)", values)
        db.execute("COMMIT")
        return said

    def _open(self) -> "sqlite3.Connection":
        """Return the file, opened; one that is not a database is moved aside first."""
        import sqlite3

        from snaphook.storage import sqlite

        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if not sqlite.is_damaged(error):
                raise
            sqlite.set_aside(self._path, patience=PATIENCE, check=_prepare)
            return self._connect()

    def _connect(self) -> "sqlite3.Connection":
        from snaphook.storage import sqlite

        # A count lost with the power is no loss, and a hook waits for this.
        return sqlite.connect(self._path, patience=PATIENCE, sync="OFF", prepare=_prepare)


def _prepare(db: "sqlite3.Connection") -> None:
    db.execute(_SCHEMA)
    db.execute("SELECT * FROM circuit LIMIT 1").fetchall()  # reads a page: damage shows here
