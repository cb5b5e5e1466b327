"""No channel says more in a minute than it may, whichever process speaks.

channel + now  ->  0, or the seconds to wait
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from snaphook.errors import StoreError
from snaphook.storage import sqlite

MINUTE = 60.0


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE IF NOT EXISTS sent (channel TEXT NOT NULL, at REAL NOT NULL)")


def wait_for_turn(path: Path, channel: str, *, per_minute: int, now: float) -> float:
    """Return how long to wait before speaking; 0 is a turn, and it is taken."""
    try:
        with closing(sqlite.connect(path, patience=10, prepare=_prepare)) as db:
            db.execute("BEGIN IMMEDIATE")
            db.execute("DELETE FROM sent WHERE at <= ? OR at > ?", (now - MINUTE, now + MINUTE))
            times = db.execute(
                "SELECT at FROM sent WHERE channel = ? ORDER BY at DESC LIMIT ?",
                (channel, per_minute),
            ).fetchall()
            free = len(times) < per_minute
            if free:
                db.execute("INSERT INTO sent VALUES (?, ?)", (channel, now))
            db.execute("COMMIT")
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            where=str(path), what=f"cannot be used: {error}", fix="It may be removed at any time."
        ) from error
    return 0.0 if free else max(0.1, float(times[-1][0]) + MINUTE - now)
