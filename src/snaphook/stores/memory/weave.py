"""How new memories join known ones.

known + new  ->  what must be written

Duplicates merge and grow stronger. Of those that settle the same question the youngest counts; the
others stay, dated. Pure, and the same whatever the order of arrival: every store calls it inside
its own transaction.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .store import Stored
from .values import MOST_SOURCES, Memory, MemorySource, more_trusted

T = TypeVar("T")
Question: TypeAlias = tuple[str, str]
"""A project, and what is settled in it."""


class Woven(Struct, frozen=True, kw_only=True):
    """What must be written, and how it came about."""

    changed: tuple[Memory, ...] = ()
    stored: Stored = Stored()


def weave(known: Mapping[str, Memory], new: Iterable[Memory]) -> Woven:
    """Return what changes when *new* memories join *known* ones.

    *known* holds, by id, every stored memory that has to do with them: see :func:`gathered`.
    """
    state = dict(known)
    outcome: dict[str, str] = {}
    for memory in new:
        before = state.get(memory.id)
        state[memory.id] = merged(before, memory) if before else memory
        if before is None:
            outcome[memory.id] = "added"
        elif state[memory.id] == before:
            outcome.setdefault(memory.id, "unchanged")
        else:
            outcome.setdefault(memory.id, "strengthened")
    state = settled(state)
    changed = [each for key, each in state.items() if each != known.get(key)]
    replaced = sum(not each.current and _was_current(known, each) for each in changed)
    said = list(outcome.values())
    return Woven(
        changed=tuple(changed),
        stored=Stored(
            added=said.count("added"),
            strengthened=said.count("strengthened"),
            unchanged=said.count("unchanged"),
            superseded=replaced,
        ),
    )


def gathered(
    new: Iterable[Memory],
    *,
    by_id: Callable[[Collection[str]], Iterable[Memory]],
    by_question: Callable[[Collection[Question]], Iterable[Memory]],
) -> dict[str, Memory]:
    """Return every stored memory that may change when *new* ones come, asking the store's two ways.

    Those with the same ids, those that settle the same questions, those that settle the same as
    these, and so on: who counts can only be judged when all rivals are there.
    """
    new = list(new)
    known = {memory.id: memory for memory in by_id({memory.id for memory in new})}
    asked: set[Question] = set()
    while open_ := questions([*new, *known.values()]) - asked:
        known |= {memory.id: memory for memory in by_question(open_)}
        asked |= open_
    return known


def questions(memories: Iterable[Memory]) -> set[Question]:
    """Return what *memories* settle, each in its project."""
    return {(memory.project, question) for memory in memories for question in memory.settles}


def _was_current(known: Mapping[str, Memory], memory: Memory) -> bool:
    before = known.get(memory.id)
    return before is None or before.current


def merged(old: Memory, new: Memory) -> Memory:
    """Return *old*, proved by the sources of *new* as well.

    The wording and place of whichever was first are kept; a witness counts once.
    """
    if new.created < old.created:
        old, new = new, old
    sources: dict[str, MemorySource] = {}
    for source in sorted((*old.sources, *new.sources), key=lambda each: each.time):
        sources.setdefault(source.witness, source)
    return replace(
        old,
        sources=_bounded(tuple(sources.values())),
        certainty=max(old.certainty, new.certainty),
        entities=_together(old.entities, new.entities),
        settles=_together(old.settles, new.settles),
        meta={**new.meta, **old.meta},
        author=more_trusted(old.author, new.author),
    )


def _together(first: tuple[T, ...], second: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _bounded(sources: tuple[MemorySource, ...]) -> tuple[MemorySource, ...]:
    """Keep the first source and the last ones, where there are more than are needed."""
    return sources if len(sources) <= MOST_SOURCES else (sources[0], *sources[1 - MOST_SOURCES :])


def settled(memories: Mapping[str, Memory]) -> dict[str, Memory]:
    """Return *memories* with only the youngest of each question left in force.

    A memory that loses any of its questions is superseded, by the one that took the last of them.
    Those that settle nothing are left as they are.
    """
    rivals: dict[Question, list[Memory]] = defaultdict(list)
    for memory in memories.values():
        for question in memory.settles:
            rivals[memory.project, question].append(memory)
    winners = {key: max(group, key=_age) for key, group in rivals.items()}
    return {key: _judged(memory, winners) for key, memory in memories.items()}


def _age(memory: Memory) -> tuple[float, int, str]:
    """Return what makes one memory younger than another: of one document the later line is."""
    return memory.seen, memory.order, memory.id


def _judged(memory: Memory, winners: Mapping[Question, Memory]) -> Memory:
    if not memory.settles:
        return memory
    over = [winners[memory.project, question] for question in memory.settles]
    lost = [winner for winner in over if winner.id != memory.id]
    if not lost:
        return replace(memory, superseded_by="", superseded_at=0.0)
    winner = max(lost, key=_age)
    return replace(memory, superseded_by=winner.id, superseded_at=winner.seen)
