"""The PostgreSQL store: what goes in, what comes out, what is really gone.

Memory, …  ->  one transaction  ->  rows

Writers of one project take turns, those of different projects do not wait for each other, readers
never wait. A process killed in the middle leaves nothing behind.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias
from zlib import crc32

from snaphook.stores.memory.joining import join, leave
from snaphook.stores.memory.recall import Embed
from snaphook.stores.memory.store import (
    FoundCandidates,
    MemoryCandidate,
    MemoryStats,
    Query,
    Stored,
    Which,
)
from snaphook.stores.memory.values import Memory

from . import find
from .connection import PostgresConnection
from .filters import filtered
from .repository import PostgresRepository, decode
from .vectors import Vectors

PATIENCE = 60.0
"""Seconds one statement may take, waiting for other writers included."""
PAGE = 1000
_EVERYONE, _PROJECT, _PAYING = 0x534E4D41, 0x534E4D50, 0x534E4D47
"""Advisory locks: all writers, those of one project, and whoever tells the graph."""
Tell: TypeAlias = Callable[[Sequence[Memory], Collection[str]], None]
"""Hears the memories that changed, and the ids of those that are gone."""
_COUNTED = """
SELECT count(*), count(*) FILTER (WHERE NOT superseded), min(created), max(seen),
    (SELECT count(*) FROM snaphook_memory.forgotten),
    (SELECT count(DISTINCT entity) FROM snaphook_memory.mention),
    pg_total_relation_size('snaphook_memory.memory')
FROM snaphook_memory.memory
"""


class PostgresMemory:
    """Keeps memories in the database at *url*.

    With *embed* it keeps vectors too, where the server has pgvector. *owing* notes each change for a
    graph that is told later; see ``pair``.
    """

    name = "postgresql"

    def __init__(
        self,
        url: str,
        *,
        embed: Embed | None = None,
        owing: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        self._server = PostgresConnection(url, patience=patience)
        self._embed = embed
        self._owing = owing
        self._vectors: Vectors | None = None

    def put(self, memories: Iterable[Memory], *, revive: bool = False) -> Stored:
        """Store *memories*; see :class:`MemoryStore`."""
        wanted = list(memories)
        with self._writing(projects={memory.project for memory in wanted}) as repository:
            return join(repository, wanted, revive=revive)

    def replace(self, memories: Iterable[Memory], *, gone: Collection[str] = ()) -> None:
        """Store *memories* exactly as they are; remove those whose ids are *gone*."""
        with self._writing() as repository:
            repository.remove(gone)
            repository.write(list(memories))

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return the memories with *ids*, in that order; a unique beginning will do."""
        with self._reading() as db:
            whole = {memory.id: memory for memory in PostgresRepository(db).by_id(ids)}
            return [
                memory
                for wanted in ids
                for memory in ([whole[wanted]] if wanted in whole else _begun(db, wanted))
            ]

    def search(self, query: Query) -> FoundCandidates:
        """Return candidates for *query*."""
        with self._reading() as db:
            return find.search(db, query, vectors=self._vectors)

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places*."""
        with self._reading() as db:
            return find.beside(db, places, reach=reach)

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return the entities most often mentioned together with *entities*."""
        with self._reading() as db:
            return find.related(db, entities, limit=limit)

    def newest(self, which: Which, *, limit: int = 50, offset: int = 0) -> list[Memory]:
        """Return the memories meant, the last said first."""
        condition, values = filtered(which)
        query = (
            f"SELECT body::text FROM snaphook_memory.memory m WHERE {condition} "  # noqa: S608
            "ORDER BY seen DESC, id DESC LIMIT %(limit)s OFFSET %(offset)s"
        )
        with self._reading() as db:
            rows = db.execute(query, {**values, "limit": limit, "offset": offset})
            return [decode(body) for (body,) in rows]

    def every(self, which: Which | None = None) -> Iterator[Memory]:
        """Yield all memories, oldest first, a page at a time: whoever reads slowly blocks nobody."""
        condition, values = filtered(which or Which(superseded=True))
        query = (
            f"SELECT seen, id, body::text FROM snaphook_memory.memory m WHERE {condition} "  # noqa: S608
            "AND (seen, id) > (%(seen)s, %(id)s) ORDER BY seen, id LIMIT %(page)s"
        )
        at: tuple[float, str] | None = (float("-inf"), "")
        while at is not None:
            asked = {**values, "seen": at[0], "id": at[1], "page": PAGE}
            with self._reading() as db:
                rows = db.execute(query, asked).fetchall()
            yield from (decode(row[2]) for row in rows)
            at = (rows[-1][0], rows[-1][1]) if len(rows) == PAGE else None

    def forget(self, ids: Collection[str]) -> int:
        """Remove the memories with *ids* for good."""
        with self._writing() as repository:
            return leave(repository, ids)

    def remaining(self) -> tuple[str, ...]:
        """Return nothing: the server removes dead rows by itself (autovacuum)."""
        return ()

    def finish_forgetting(self) -> tuple[str, ...]:
        """Do nothing: see :meth:`remaining`."""
        return ()

    def forgotten(self) -> Collection[str]:
        """Return the ids of what somebody asked to forget."""
        with self._reading() as db:
            return {key for (key,) in db.execute("SELECT id FROM snaphook_memory.forgotten")}

    def bury(self, ids: Collection[str]) -> None:
        """Note that *ids* are to stay out, as another store was told."""
        with self._writing() as repository:
            repository.bury(ids)

    def pay(self, tell: Tell, *, most: int = PAGE) -> int:
        """Have *tell* hear what changed and is still owed to a graph; return how many were told.

        What *tell* does not hear to its end is owed as before. One pays at a time: whoever comes
        second is told 0.
        """
        with self._server.writing() as db:
            [[free]] = db.execute("SELECT pg_try_advisory_xact_lock(%s)", (_PAYING,)).fetchall()
            query = "SELECT turn, id FROM snaphook_memory.owed ORDER BY turn LIMIT %s"
            owed = db.execute(query, (most,)).fetchall() if free else []
            if not owed:
                return 0
            ids = {key for _, key in owed}
            memories = list(PostgresRepository(db).by_id(ids))
            tell(memories, ids - {memory.id for memory in memories})
            turns = [turn for turn, _ in owed]
            db.execute("DELETE FROM snaphook_memory.owed WHERE turn = ANY(%s)", (turns,))
            return len(ids)

    def owed(self) -> int:
        """Return how many changes a graph was not told yet."""
        with self._server.reading() as db:
            [[count]] = db.execute("SELECT count(*) FROM snaphook_memory.owed").fetchall()
            return int(count)

    def stats(self) -> MemoryStats:
        """Return how much there is."""
        with self._reading() as db:
            [total, current, oldest, newest, forgotten, entities, size] = db.execute(
                _COUNTED
            ).fetchone()
            kinds = "SELECT kind, count(*) FROM snaphook_memory.memory GROUP BY kind"
            projects = "SELECT project, memories FROM snaphook_memory.tally WHERE memories > 0"
            return MemoryStats(
                memories=total,
                current=current,
                kinds=dict(db.execute(kinds).fetchall()),
                projects=dict(db.execute(projects).fetchall()),
                entities=entities,
                forgotten=forgotten,
                oldest=oldest,
                newest=newest,
                bytes=size,
            )

    def close(self) -> None:
        """Hang up."""
        self._server.close()

    @contextmanager
    def _reading(self) -> Iterator[Any]:
        with self._server.reading() as db:
            self._see_to_vectors(db)
            yield db

    @contextmanager
    def _writing(self, *, projects: Collection[str] | None = None) -> Iterator[PostgresRepository]:
        """Yield a repository that other writers of *projects* keep off; of all, where none are named."""
        with self._server.reading() as db:
            self._see_to_vectors(db)
        with self._server.writing() as db:
            kind = "" if projects is None else "_shared"
            db.execute(f"SELECT pg_advisory_xact_lock{kind}(%s)", (_EVERYONE,))
            for key in sorted(crc32(project.encode()) for project in projects or ()):
                db.execute("SELECT pg_advisory_xact_lock(%s, %s)", (_PROJECT, key - 2**31))
            yield PostgresRepository(db, vectors=self._vectors, owing=self._owing)

    def _see_to_vectors(self, db: Any) -> None:
        """Find out, once, whether this server keeps vectors for us."""
        if self._embed is not None and self._vectors is None:
            vectors = Vectors(self._embed)
            if vectors.prepare(db):
                self._vectors = vectors
            self._embed = None


def _begun(db: Any, start: str) -> list[Memory]:
    """Return the one memory whose id begins with *start*; nothing where that is ambiguous."""
    if len(start) < 4 or not start.isalnum():
        return []
    query = "SELECT body::text FROM snaphook_memory.memory WHERE id ~>=~ %s AND id ~<~ %s LIMIT 2"
    found = db.execute(query, (start, start + "g")).fetchall()
    return [decode(found[0][0])] if len(found) == 1 else []
