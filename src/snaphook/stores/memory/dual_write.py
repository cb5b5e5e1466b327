"""Two stores as one: rows in PostgreSQL, the graph in Neo4j.

put  ->  rows, and in the same transaction a note of what changed  ->  the graph is told

The rows are the truth. A note is crossed out when the graph has heard it, so that after a crash
anywhere, or while the graph is away, nothing is missing but told late: by the next write, or by the
job that every write leaves behind first.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Protocol

from snaphook.errors import StoreError

from .store import FoundCandidates, MemoryCandidate, MemoryStats, MemoryStore, Query, Stored, Which
from .values import Memory


class RowStore(MemoryStore, Protocol):
    """A store that notes each change until somebody was told."""

    def pay(self, tell: Callable[[Sequence[Memory], Collection[str]], None]) -> int:
        """Have *tell* hear some of what is owed; return how many changes that was."""
        ...

    def owed(self) -> int:
        """Return how many changes are owed."""
        ...


class DualWriteStore:
    """Keeps memories in *rows*, and in *graph* what they have to do with each other.

    *later* has :meth:`catch_up` called once more by somebody else, durably.
    """

    name = "postgresql and neo4j"

    def __init__(self, rows: RowStore, graph: MemoryStore, *, later: Callable[[], None]) -> None:
        self._rows = rows
        self._graph = graph
        self._later = later

    def put(self, memories: Iterable[Memory], *, revive: bool = False) -> Stored:
        """Store *memories* in both."""
        self._later()
        stored = self._rows.put(memories, revive=revive)
        self._tell()
        return stored

    def replace(self, memories: Iterable[Memory], *, gone: Collection[str] = ()) -> None:
        """Store *memories* exactly as they are, in both; remove those whose ids are *gone*."""
        self._later()
        self._rows.replace(memories, gone=gone)
        self._tell()

    def forget(self, ids: Collection[str]) -> int:
        """Remove the memories with *ids* for good, from both."""
        self._later()
        count = self._rows.forget(ids)
        self._tell()
        return count

    def catch_up(self) -> int:
        """Tell the graph all it has not heard; return how many changes that was."""
        told = 0
        while some := self._rows.pay(self._heard):
            told += some
        return told

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return the memories with *ids*, in that order."""
        return self._rows.get(ids)

    def search(self, query: Query) -> FoundCandidates:
        """Return candidates for *query*."""
        return self._rows.search(query)

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places*."""
        return self._rows.beside(places, reach=reach)

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return what the graph knows to be met with *entities*; the rows, where it is away."""
        try:
            return self._graph.related(entities, limit=limit)
        except StoreError:
            return self._rows.related(entities, limit=limit)

    def newest(self, which: Which, *, limit: int = 50, offset: int = 0) -> list[Memory]:
        """Return the memories meant, the last said first."""
        return self._rows.newest(which, limit=limit, offset=offset)

    def every(self, which: Which | None = None) -> Iterator[Memory]:
        """Yield all memories, oldest first."""
        return self._rows.every(which)

    def bury(self, ids: Collection[str]) -> None:
        """Keep *ids* out from now on; the rows see to it."""
        self._rows.bury(ids)

    def remaining(self) -> tuple[str, ...]:
        """Return where words of what was forgotten may still stand, in either store."""
        return (*self._rows.remaining(), *self._graph.remaining())

    def finish_forgetting(self) -> tuple[str, ...]:
        """Take those off the disk, in both stores."""
        return (*self._rows.finish_forgetting(), *self._graph.finish_forgetting())

    def forgotten(self) -> Collection[str]:
        """Return the ids of what somebody asked to forget."""
        return self._rows.forgotten()

    def stats(self) -> MemoryStats:
        """Return how much there is."""
        return self._rows.stats()

    def close(self) -> None:
        """Hang up twice."""
        self._rows.close()
        self._graph.close()

    def _tell(self) -> None:
        with suppress(StoreError):  # it is away, and somebody else was asked to try later
            self.catch_up()

    def _heard(self, memories: Sequence[Memory], gone: Collection[str]) -> None:
        self._graph.replace(memories, gone=gone)
