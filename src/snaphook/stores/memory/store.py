"""What every memory store can do; ranking is not among it.

Memory, …  ->  MemoryStore  ->  MemoryCandidate, …  ->  recall  ->  Hit, …

A store keeps memories and finds a bounded number of candidates; ``recall`` ranks them, so that the
same memories give the same answer from every store. Words reach a store already taken apart and
stemmed (``words.bag``, ``words.terms``): it only has to match them whole.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from .values import Memory, MemoryKind

ENOUGH = 80
"""So many candidates are enough to rank; beyond that, words say little."""


class Which(Struct, frozen=True, kw_only=True):
    """Which memories are meant. What is left alone does not narrow."""

    project: str | None = None
    """This project's memories and those that hold everywhere; ``None`` for every project's."""
    also: tuple[str, ...] = ()
    """Other names of that project: the folder, under which earlier versions kept its memories."""
    kinds: tuple[MemoryKind, ...] = ()
    agents: tuple[str, ...] = ()
    """Said by one of these, or by nobody in particular."""
    entity: str = ""
    """An entity's key."""
    task: str = ""
    run: str = ""
    since: float | None = None
    """Last said at this time or later."""
    until: float | None = None
    """Last said before this time."""
    superseded: bool = False
    """Also those that something younger has replaced."""


class Query(Struct, frozen=True, kw_only=True):
    """What candidates are wanted for."""

    text: str = ""
    """As it was asked: for stores that have a vector index beside their words."""
    terms: tuple[str, ...] = ()
    """Stemmed, each once; see ``words.terms``."""
    entities: tuple[str, ...] = ()
    """Keys of the entities it names."""
    which: Which = Which()
    limit: int = ENOUGH


class MemoryCandidate(Struct, frozen=True, kw_only=True, gc=False):
    """As much of a memory as ranking needs."""

    id: str
    kind: MemoryKind
    project: str
    bag: str
    """Its stemmed words, with single spaces between them; see ``words.bag``."""
    certainty: float
    proof: int
    seen: float
    thread: str = ""
    order: int = 0
    entities: tuple[str, ...] = ()
    """Keys."""
    agents: tuple[str, ...] = ()
    superseded: bool = False
    similarity: float | None = None
    """Cosine to the query's text, from stores that keep vectors."""


class FoundCandidates(Struct, frozen=True, kw_only=True):
    """Candidates, and how common each word is where they were found."""

    candidates: Sequence[MemoryCandidate] = ()
    total: int = 0
    """How many memories there are in all."""
    mean_size: float = 0.0
    """How many words a memory has on average."""
    frequencies: Mapping[str, int] = field(default_factory=dict)
    """How many memories hold each of the query's terms; an estimate for common ones will do."""


class Stored(Struct, frozen=True, kw_only=True):
    """What became of memories that were put."""

    added: int = 0
    strengthened: int = 0
    """Known already, and now better proved."""
    superseded: int = 0
    """Replaced by something younger that settles the same."""
    unchanged: int = 0
    """Known already, from the same witness."""
    forgotten: int = 0
    """Left out: somebody asked to forget them."""

    def __add__(self, other: "Stored") -> "Stored":
        return Stored(
            added=self.added + other.added,
            strengthened=self.strengthened + other.strengthened,
            superseded=self.superseded + other.superseded,
            unchanged=self.unchanged + other.unchanged,
            forgotten=self.forgotten + other.forgotten,
        )


class MemoryStats(Struct, frozen=True, kw_only=True):
    """How much there is."""

    memories: int = 0
    current: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    projects: Mapping[str, int] = field(default_factory=dict)
    entities: int = 0
    forgotten: int = 0
    oldest: float | None = None
    newest: float | None = None
    bytes: int | None = None
    """On disk, where the store can tell."""


class MemoryStore(Protocol):
    """Keeps memories. Every method may raise ``StoreError``; each call is all or nothing.

    A store may be used from several threads and processes at once, one object per thread.
    """

    name: str
    """What messages call it: ``sqlite``, ``postgresql``, ``neo4j``."""

    def put(self, memories: Iterable[Memory], *, revive: bool = False) -> Stored:
        """Store *memories*: known ones merge, rivals settle which of them counts (``weave``).

        What was forgotten stays out unless *revive* is set.
        """
        ...

    def replace(self, memories: Iterable[Memory], *, gone: Collection[str] = ()) -> None:
        """Store *memories* exactly as they are, and remove those whose ids are *gone*.

        For reflection: what is gone was absorbed, not forgotten, and leaves no tombstone.
        """
        ...

    def get(self, ids: Sequence[str]) -> list[Memory]:
        """Return the memories with *ids*, in that order; unknown ones are left out.

        An id may be shortened to its first digits, four at least, where they are unambiguous.
        """
        ...

    def search(self, query: Query) -> FoundCandidates:
        """Return candidates: those that hold a term or an entity of *query*, rarest first.

        At most ``query.limit`` of them; where more match, those with more and rarer terms, then
        the last said. A query without terms and entities finds the last said.
        """
        ...

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places* (thread and order), themselves included."""
        ...

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return the entities most often mentioned together with *entities*, and how often."""
        ...

    def newest(self, which: Which, *, limit: int = 50, offset: int = 0) -> list[Memory]:
        """Return the memories meant, the last said first."""
        ...

    def every(self, which: Which | None = None) -> Iterator[Memory]:
        """Yield all memories, superseded ones too unless *which* leaves them out, oldest first."""
        ...

    def forget(self, ids: Collection[str]) -> int:
        """Remove the memories with *ids* for good, index and all; return how many there were.

        What they had replaced counts again. Their ids are kept, so that the same document retained
        anew does not bring them back.
        """
        ...

    def remaining(self) -> tuple[str, ...]:
        """Return where words of what was forgotten may still stand on disk; nothing where they are gone."""
        ...

    def finish_forgetting(self) -> tuple[str, ...]:
        """Take those off the disk as well, however long it takes; return where some remain."""
        ...

    def bury(self, ids: Collection[str]) -> None:
        """Keep *ids* out from now on, as another store was asked to forget them."""
        ...

    def forgotten(self) -> Collection[str]:
        """Return the ids of what somebody asked to forget."""
        ...

    def stats(self) -> MemoryStats:
        """Return how much there is."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
