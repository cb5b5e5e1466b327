"""Move memories from one store to another.

MemoryStore  ->  batches  ->  MemoryStore  ->  compared, one by one

It can be stopped anywhere and started again: what is there already is compared and left alone. What
was forgotten stays forgotten. The source is only read.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from .store import MemoryStore
from .values import MOST_SOURCES, Memory

BATCH = 500
"""So many memories go in one transaction."""


class Moved(Struct, frozen=True, kw_only=True):
    """What became of a move."""

    memories: int = 0
    """How many the source has."""
    added: int = 0
    merged: int = 0
    """Known there from other witnesses."""
    there: int = 0
    """Exactly as they are, from before."""
    kept_out: int = 0
    """Somebody asked the target to forget them."""
    forgotten: int = 0
    """Ids that stay out, as in the source."""
    missing: tuple[str, ...] = ()
    """Ids that did not arrive, or not whole; none, if all is well."""


def move(
    source: MemoryStore,
    target: MemoryStore,
    *,
    dry_run: bool = False,
    tell: Callable[[int], None] = lambda _: None,
) -> Moved:
    """Copy everything in *source* to *target*; *tell* hears how many more were seen to.

    A *dry_run* only counts what would be done.
    """
    forgotten = set(source.forgotten())
    if forgotten and not dry_run:
        target.bury(forgotten - {memory.id for memory in target.get(sorted(forgotten))})
    out = set(target.forgotten())
    total = Moved(forgotten=len(forgotten))
    for batch in _batches(source.every()):
        total = _sum(total, _moved(batch, target, out=out, dry_run=dry_run))
        tell(len(batch))
    return total


def _moved(
    batch: Sequence[Memory], target: MemoryStore, *, out: Collection[str], dry_run: bool
) -> Moved:
    before = _held(batch, target)
    lacking = [memory for memory in batch if not _whole(memory, before.get(memory.id))]
    wanted = [memory for memory in lacking if memory.id not in out]
    known = sum(memory.id in before for memory in wanted)
    missing: tuple[str, ...] = ()
    if wanted and not dry_run:
        target.put(wanted)
        after = _held(wanted, target)
        missing = tuple(each.id for each in wanted if not _whole(each, after.get(each.id)))
    return Moved(
        memories=len(batch),
        added=len(wanted) - known,
        merged=known,
        there=len(batch) - len(lacking),
        kept_out=len(lacking) - len(wanted),
        missing=missing,
    )


def _held(batch: Sequence[Memory], target: MemoryStore) -> dict[str, Memory]:
    return {memory.id: memory for memory in target.get([memory.id for memory in batch])}


def _whole(memory: Memory, found: Memory | None) -> bool:
    """Say whether *found* says all that *memory* does, on the word of its witnesses at least."""
    if found is None:
        return False
    witnesses = {source.witness for source in found.sources}
    return (
        {*memory.entities} <= {*found.entities}
        and {*memory.settles} <= {*found.settles}
        and (found.proof >= MOST_SOURCES or {each.witness for each in memory.sources} <= witnesses)
    )


def _sum(one: Moved, other: Moved) -> Moved:
    return Moved(
        memories=one.memories + other.memories,
        added=one.added + other.added,
        merged=one.merged + other.merged,
        there=one.there + other.there,
        kept_out=one.kept_out + other.kept_out,
        forgotten=one.forgotten,
        missing=one.missing + other.missing,
    )


def _batches(memories: Iterable[Memory]) -> Iterator[list[Memory]]:
    every = iter(memories)
    while batch := list(islice(every, BATCH)):
        yield batch
