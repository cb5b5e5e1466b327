"""The SQLite store: what goes in, what comes out, what is really gone.

Memory, …  ->  one transaction  ->  rows and words

Readers never wait. Writers take turns, and a process killed in the middle leaves nothing behind.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace as with_

from snaphook.errors import StoreError
from snaphook.stores.memory.store import (
    FoundCandidates,
    MemoryCandidate,
    MemoryStats,
    Query,
    Stored,
    Which,
)
from snaphook.stores.memory.values import Memory
from snaphook.stores.memory.weave import Question, gathered, settled, weave

from .filters import filtered
from .find import SearchLimits, SqliteFinder
from .rows import MemoryRows
from .schema import BUSY, connect

CHUNK = 500
"""So many ids go into one statement."""


INDEX_NOW = 20_000
"""Up to so many memories the index is rewritten as soon as something is forgotten, in some 60 ms."""
QUICK = 0.05
"""Seconds that forgetting waits for readers; the rest is finished later."""
PATIENT = 10.0
REMAINS = {
    "index": "the index of words",
    "journal": "the write-ahead log, as long as another process reads the store",
}
"""Where words of what was forgotten may still stand, and in which words that is said."""


class SqliteMemory:
    """Keeps memories in the file at *path*."""

    name = "sqlite"

    def __init__(
        self, path: Path, *, limits: SearchLimits | None = None, index_now: int = INDEX_NOW
    ) -> None:
        self._path = path
        self._index_now = index_now
        self._db = connect(path)
        self._rows = MemoryRows(self._db)
        self._finder = SqliteFinder(self._db, self._rows.names, limits)
        self._decode = msgspec.json.Decoder(Memory).decode

    def put(self, memories: Iterable[Memory], *, revive: bool = False) -> Stored:
        """Store *memories*; see :class:`MemoryStore`."""
        wanted = list(memories)
        with self._writing():
            allowed = self._revived(wanted) if revive else self._unforgotten(wanted)
            known = gathered(allowed, by_id=self._by_id, by_question=self._by_question)
            woven = weave(known, allowed)
            self._write(woven.changed)
        left_out = len({memory.id for memory in wanted} - {memory.id for memory in allowed})
        return with_(woven.stored, forgotten=left_out)

    def replace(self, memories: Iterable[Memory], *, gone: Collection[str] = ()) -> None:
        """Store *memories* exactly as they are; remove those whose ids are *gone*."""
        with self._writing():
            self._rows.remove(self._numbers(gone))
            self._write(list(memories))

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return the memories with *ids*, in that order; a unique beginning will do."""
        with self._reading():
            whole = {memory.id: memory for memory in self._by_id(ids)}
            return [
                memory
                for wanted in ids
                for memory in ([whole[wanted]] if wanted in whole else self._one(wanted))
            ]

    def search(self, query: Query) -> FoundCandidates:
        """Return candidates for *query*."""
        with self._reading():
            return self._finder.search(query)

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places*."""
        with self._reading():
            return self._finder.beside(places, reach=reach)

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return the entities most often mentioned together with *entities*."""
        with self._reading():
            return self._finder.related(entities, limit=limit)

    def newest(self, which: Which, *, limit: int = 50, offset: int = 0) -> list[Memory]:
        """Return the memories meant, the last said first."""
        with self._reading():
            where, values = filtered(which, self._rows.names)
            query = f"SELECT body FROM memory WHERE {where} ORDER BY seen DESC, row DESC LIMIT ? OFFSET ?"  # noqa: S608
            rows = self._db.execute(query, [*values, limit, offset])
            return [self._decode(body) for (body,) in rows]

    def every(self, which: Which | None = None) -> Iterator[Memory]:
        """Yield all memories, oldest first."""
        with self._reading():
            where, values = filtered(which or Which(superseded=True), self._rows.names)
            query = f"SELECT body FROM memory WHERE {where} ORDER BY seen, row"  # noqa: S608
            for (body,) in self._db.execute(query, values):
                yield self._decode(body)

    def forget(self, ids: Collection[str]) -> int:
        """Remove the memories with *ids* for good, from every table, the index and the journal."""
        with self._writing():
            gone = {memory.id: memory for memory in self._by_id(ids)}
            if not gone:
                return 0
            rivals = gathered(gone.values(), by_id=self._by_id, by_question=self._by_question)
            self._rows.remove(self._numbers(gone))
            left = {key: memory for key, memory in rivals.items() if key not in gone}
            self._write([each for key, each in settled(left).items() if each != left[key]])
            self._bury(gone)
            self._db.execute("INSERT OR IGNORE INTO pending VALUES ('index'), ('journal')")
        if self._total() <= self._index_now:
            self.finish_forgetting(patience=QUICK)
        else:
            self._reading_done(QUICK)
        return len(gone)

    def remaining(self) -> tuple[str, ...]:
        """Return where words of what was forgotten may still stand."""
        with self._reading():
            found = {what for (what,) in self._db.execute("SELECT what FROM pending")}
            return tuple(why for what, why in REMAINS.items() if what in found)

    def finish_forgetting(self, *, patience: float = PATIENT) -> tuple[str, ...]:
        """Take the last words of what was forgotten off the disk; return where some remain.

        The index is rewritten without them, which takes seconds for a million memories. The journal can
        be emptied only while nobody reads: whoever began to read before must still find the old pages.
        """
        if REMAINS["index"] in self.remaining():
            with self._writing():
                self._db.execute("INSERT INTO word(word) VALUES ('optimize')")
                self._db.execute("DELETE FROM pending WHERE what = 'index'")
                self._db.execute("INSERT OR IGNORE INTO pending VALUES ('journal')")
        self._reading_done(patience)
        return self.remaining()

    def _reading_done(self, patience: float) -> None:
        """Empty the journal, if no reader needs it within *patience* seconds."""
        with self._reading():
            self._db.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")
            try:
                [busy, *_] = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    self._db.execute("DELETE FROM pending WHERE what = 'journal'")
            finally:
                self._db.execute(f"PRAGMA busy_timeout = {int(BUSY * 1000)}")

    def _total(self) -> int:
        with self._reading():
            [total] = self._db.execute("SELECT sum(memories) FROM tally").fetchone()
            return total or 0

    def bury(self, ids: Collection[str]) -> None:
        """Keep *ids* out from now on."""
        with self._writing():
            self._bury(ids)

    def forgotten(self) -> Collection[str]:
        """Return the ids of what somebody asked to forget."""
        with self._reading():
            return {key for (key,) in self._db.execute("SELECT id FROM forgotten")}

    def stats(self) -> MemoryStats:
        """Return how much there is."""
        with self._reading():
            return self._counted()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _counted(self) -> MemoryStats:
        one = self._db.execute
        [total, current, oldest, newest] = one(
            "SELECT count(*), count(*) FILTER (WHERE NOT superseded), min(created), max(seen) "
            "FROM memory"
        ).fetchone()
        projects = one(
            "SELECT name.text, count(*) FROM memory JOIN name ON name.id = project GROUP BY project"
        )
        return MemoryStats(
            memories=total,
            current=current,
            kinds=dict(one("SELECT kind, count(*) FROM memory GROUP BY kind")),
            projects=dict(projects),
            entities=one("SELECT count(DISTINCT entity) FROM mention").fetchone()[0],
            forgotten=one("SELECT count(*) FROM forgotten").fetchone()[0],
            oldest=oldest,
            newest=newest,
            bytes=self._path.stat().st_size,
        )

    def _bury(self, ids: Iterable[str]) -> None:
        rows = [(key,) for key in ids]
        self._db.executemany("INSERT OR IGNORE INTO forgotten VALUES (?)", rows)

    def _write(self, memories: Sequence[Memory]) -> None:
        known = self._numbers([memory.id for memory in memories])
        self._rows.remove(known)
        self._rows.add(memories)

    def _one(self, wanted: str) -> list[Memory]:
        query = "SELECT body FROM memory WHERE id >= ? AND id < ? LIMIT 2"
        found = self._db.execute(query, (wanted, wanted + "g")).fetchall()
        return [self._decode(found[0][0])] if len(found) == 1 and len(wanted) >= 4 else []

    def _by_id(self, ids: Collection[str]) -> Iterator[Memory]:
        for marks, some in _chunks(ids):
            query = f"SELECT body FROM memory WHERE id IN ({marks})"  # noqa: S608
            yield from [self._decode(body) for (body,) in self._db.execute(query, some)]

    def _numbers(self, ids: Collection[str]) -> list[int]:
        return [
            row
            for marks, some in _chunks(ids)
            for (row,) in self._db.execute(f"SELECT row FROM memory WHERE id IN ({marks})", some)  # noqa: S608
        ]

    def _by_question(self, questions: Collection[Question]) -> Iterator[Memory]:
        names = self._rows.names
        for project, question in questions:
            rows = self._db.execute(
                "SELECT body FROM settled JOIN memory ON memory.row = settled.memory "
                "WHERE settled.question = ? AND settled.project = ?",
                (names.find(f"?{question}"), names.find(project)),
            )
            yield from [self._decode(body) for (body,) in rows.fetchall()]

    def _unforgotten(self, memories: Sequence[Memory]) -> list[Memory]:
        gone = {
            key
            for marks, some in _chunks({memory.id for memory in memories})
            for (key,) in self._db.execute(f"SELECT id FROM forgotten WHERE id IN ({marks})", some)  # noqa: S608
        }
        return [memory for memory in memories if memory.id not in gone]

    def _revived(self, memories: Sequence[Memory]) -> list[Memory]:
        ids = [(memory.id,) for memory in memories]
        self._db.executemany("DELETE FROM forgotten WHERE id = ?", ids)
        return [*memories]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._failed("read", error) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._rows.names.refresh()
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._rows.names.distrust()
            if isinstance(error, sqlite3.Error):
                raise self._failed("written", error) from error
            raise

    def _failed(self, done: str, error: sqlite3.Error) -> StoreError:
        return StoreError(
            where=str(self._path),
            what=f"the memories cannot be {done}: {error}",
            fix=(
                "Free disk space, stop the process that holds the file, or move it away and "
                "import an export."
            ),
        )


def _chunks(ids: Collection[str]) -> Iterator[tuple[str, Sequence[str]]]:
    every = [*ids]
    for start in range(0, len(every), CHUNK):
        some = every[start : start + CHUNK]
        yield ",".join("?" * len(some)), some
