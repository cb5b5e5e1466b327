"""Texts that many rows share, each kept once.

text  <->  number
"""

import sqlite3
from collections.abc import Collection, Iterable

MOST = 50_000
"""So many are remembered between calls."""
_USES = (
    ("memory", "project"),
    ("memory", "thread"),
    ("mention", "entity"),
    ("said", "who"),
    ("settled", "question"),
)


class Names:
    """Numbers for texts, with the last used ones at hand."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._known: dict[str, int] = {}
        self._version = -1

    def number(self, text: str) -> int:
        """Return the number of *text*, given one if it has none. Only inside a transaction."""
        known = self._known.get(text)
        if known is not None:
            return known
        found = self.find(text)
        if found is None:
            found = self._db.execute("INSERT INTO name (text) VALUES (?)", (text,)).lastrowid
        assert found is not None
        return self._keep(text, found)

    def find(self, text: str) -> int | None:
        """Return the number of *text*, if it has one."""
        row = self._db.execute("SELECT id FROM name WHERE text = ?", (text,)).fetchone()
        return int(row[0]) if row else None

    def among(self, texts: Iterable[str]) -> dict[str, int]:
        """Return the numbers of those *texts* that have one."""
        wanted = [*texts]
        marks = ",".join("?" * len(wanted))
        return dict(
            self._db.execute(f"SELECT text, id FROM name WHERE text IN ({marks})", wanted)  # noqa: S608
        )

    def texts(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the texts of *numbers*."""
        marks = ",".join("?" * len(numbers))
        rows = self._db.execute(f"SELECT id, text FROM name WHERE id IN ({marks})", [*numbers])  # noqa: S608
        return dict(rows)

    def drop_unused(self, numbers: Collection[int]) -> None:
        """Remove those of *numbers* that no row refers to any more."""
        self.distrust()
        for number in numbers:
            if not any(self._used(number, table, column) for table, column in _USES):
                self._db.execute("DELETE FROM name WHERE id = ?", (number,))

    def distrust(self) -> None:
        """Look everything up again: a transaction was undone, or names were removed."""
        self._known.clear()

    def refresh(self) -> None:
        """Look everything up again if another process has written meanwhile."""
        [version] = self._db.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self.distrust()

    def _used(self, number: int, table: str, column: str) -> bool:
        query = f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1"  # noqa: S608 - our own table
        return self._db.execute(query, (number,)).fetchone() is not None

    def _keep(self, text: str, number: int) -> int:
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[text] = number
        return number
