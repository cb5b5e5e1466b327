"""The Neo4j store: what goes in, what comes out, what is really gone.

Memory, …  ->  one transaction  ->  nodes and relations

Writers take turns, readers never wait. A process killed in the middle leaves nothing behind.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

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

from .connection import Neo4jConnection
from .filters import filtered
from .find import Neo4jFinder
from .repository import Neo4jRepository, decode
from .schema import Abilities, Run, prepare

T = TypeVar("T")
PAGE = 1000


class Neo4jMemory:
    """Keeps memories in the graph at *url*; with *embed* vectors too, where the server indexes them."""

    name = "neo4j"

    def __init__(self, url: str, *, embed: Embed | None = None) -> None:
        self._server = Neo4jConnection(url, on_open=self._look_around)
        self._embed = embed
        self._can = Abilities(full_text=False, vectors=False)

    def put(self, memories: Iterable[Memory], *, revive: bool = False) -> Stored:
        """Store *memories*; see :class:`MemoryStore`."""
        wanted = list(memories)
        return self._writing(lambda repository: join(repository, wanted, revive=revive))

    def replace(self, memories: Iterable[Memory], *, gone: Collection[str] = ()) -> None:
        """Store *memories* exactly as they are; remove those whose ids are *gone*."""
        wanted = list(memories)

        def exchange(repository: Neo4jRepository) -> None:
            repository.remove(gone)
            repository.write(wanted)

        self._writing(exchange)

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return the memories with *ids*, in that order; a unique beginning will do."""
        query = (
            "UNWIND range(0, size($starts) - 1) AS n MATCH (m:Memory) "
            "WHERE m.id STARTS WITH $starts[n] AND size($starts[n]) >= 4 "
            "WITH n, collect(m.body) AS found WHERE size(found) = 1 RETURN n, found[0] ORDER BY n"
        )
        with self._server.reading() as run:
            return [decode(body) for _, body in run(query, starts=[*ids])]

    def search(self, query: Query) -> FoundCandidates:
        """Return candidates for *query*."""
        with self._finding() as finder:
            return finder.search(query)

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places*."""
        with self._finding() as finder:
            return finder.beside(places, reach=reach)

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return the entities most often mentioned together with *entities*."""
        with self._finding() as finder:
            return finder.related(entities, limit=limit)

    def newest(self, which: Which, *, limit: int = 50, offset: int = 0) -> list[Memory]:
        """Return the memories meant, the last said first."""
        condition, values = filtered(which)
        query = (
            f"MATCH (m:Memory) WHERE {condition} RETURN m.body "
            "ORDER BY m.seen DESC, m.id DESC SKIP $offset LIMIT $limit"
        )
        with self._server.reading() as run:
            rows = run(query, limit=limit, offset=offset, **values)
            return [decode(body) for (body,) in rows]

    def every(self, which: Which | None = None) -> Iterator[Memory]:
        """Yield all memories, oldest first, a page at a time."""
        condition, values = filtered(which or Which(superseded=True))
        query = (
            f"MATCH (m:Memory) WHERE {condition} "
            "AND (m.seen > $seen OR (m.seen = $seen AND m.id > $id)) "
            "RETURN m.seen, m.id, m.body ORDER BY m.seen, m.id LIMIT $page"
        )
        at: tuple[float, str] | None = (float("-inf"), "")
        while at is not None:
            with self._server.reading() as run:
                rows = run(query, seen=at[0], id=at[1], page=PAGE, **values)
            yield from (decode(row[2]) for row in rows)
            at = (rows[-1][0], rows[-1][1]) if len(rows) == PAGE else None

    def forget(self, ids: Collection[str]) -> int:
        """Remove the memories with *ids* for good, and what only they were tied to."""
        return self._writing(lambda repository: leave(repository, ids))

    def remaining(self) -> tuple[str, ...]:
        """Return nothing: the server reuses the space of what was removed when it likes."""
        return ()

    def finish_forgetting(self) -> tuple[str, ...]:
        """Do nothing: see :meth:`remaining`."""
        return ()

    def forgotten(self) -> Collection[str]:
        """Return the ids of what somebody asked to forget."""
        with self._server.reading() as run:
            return {key for (key,) in run("MATCH (f:Forgotten) RETURN f.id")}

    def bury(self, ids: Collection[str]) -> None:
        """Note that *ids* are to stay out, as another store was told."""
        self._writing(lambda repository: repository.bury(ids))

    def stats(self) -> MemoryStats:
        """Return how much there is."""
        with self._server.reading() as run:
            [[total, current, oldest, newest]] = run(
                "MATCH (m:Memory) RETURN count(m), "
                "sum(CASE WHEN m.superseded THEN 0 ELSE 1 END), min(m.created), max(m.seen)"
            )
            return MemoryStats(
                memories=total,
                current=current,
                kinds=dict(run("MATCH (m:Memory) RETURN m.kind, count(m)")),
                projects=dict(run("MATCH (m:Memory) RETURN m.project, count(m)")),
                entities=run("MATCH (e:Entity) RETURN count(e)")[0][0],
                forgotten=run("MATCH (f:Forgotten) RETURN count(f)")[0][0],
                oldest=oldest,
                newest=newest,
            )

    def close(self) -> None:
        """Hang up."""
        self._server.close()

    @contextmanager
    def _finding(self) -> Iterator[Neo4jFinder]:
        with self._server.reading() as run:
            yield Neo4jFinder(run, can=self._can, embed=self._embed)

    def _writing(self, work: Callable[[Neo4jRepository], T]) -> T:
        def turn(run: Run) -> T:
            repository = Neo4jRepository(run, can=self._can, embed=self._embed)
            repository.take_turn()
            return work(repository)

        return self._server.writing(turn)

    def _look_around(self, run: Run) -> None:
        """Prepare the database, and note what this server can do."""
        dimensions = len(self._embed(["dimensions"])[0]) if self._embed else 0
        self._can = prepare(run, dimensions=dimensions)
