"""Think over what is remembered: the same said in other words becomes one, what has faded goes.

MemoryStore  ->  Reflection

Confidence needs no upkeep: it is computed from witnesses and time whenever it is asked for. What
reflection changes is what is there.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from .stem import stem
from .store import MemoryStore, Which
from .values import Memory
from .weave import merged
from .words import terms

ALIKE = 0.7
"""Two memories of a kind that share so much of their words say the same."""
FADED = 0.15
"""Below this confidence a memory is let go; one that was ever repeated is kept."""
_SHORTEST = 3
"""Of fewer words, likeness says nothing."""


class Reflection(Struct, frozen=True, kw_only=True):
    """What reflection found, and what it did unless it was only asked to look."""

    looked_at: int = 0
    merged: tuple[tuple[Memory, tuple[Memory, ...]], ...] = ()
    """Each memory that absorbed others, as it is now, and those others."""
    faded: tuple[Memory, ...] = ()


def reflect(
    store: MemoryStore, *, now: float, project: str | None = None, dry: bool = False
) -> Reflection:
    """Consolidate the memories of *project*, of all where it is None; *dry* only looks."""
    memories = list(store.every(Which(project=project, superseded=True)))
    found = tuple(_merged(memories))
    absorbed = {each.id for _, others in found for each in others}
    faded = tuple(
        memory
        for memory in memories
        if memory.id not in absorbed and memory.proof == 1 and memory.confidence(now) < FADED
    )
    reflection = Reflection(looked_at=len(memories), merged=found, faded=faded)
    if not dry and (found or faded):
        gone = absorbed | {memory.id for memory in faded}
        store.replace([kept for kept, _ in found], gone=gone)
    return reflection


def _merged(memories: Sequence[Memory]) -> Iterable[tuple[Memory, tuple[Memory, ...]]]:
    """Yield each memory with those that say the same, put together; contradictions stay apart."""
    groups: dict[tuple[str, str, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        if memory.current and not memory.settles:
            groups[memory.project, memory.kind, memory.author].append(memory)
    for group in groups.values():
        yield from _alike(group)


def _alike(group: Sequence[Memory]) -> Iterable[tuple[Memory, tuple[Memory, ...]]]:
    """Yield the likenesses within *group*; only memories that share a word are compared."""
    words = [_meaning(memory.text) for memory in group]
    holding: dict[str, list[int]] = defaultdict(list)
    for n, each in enumerate(words):
        for word in each:
            holding[word].append(n)
    taken: set[int] = set()
    for n, memory in enumerate(group):
        if n in taken or len(words[n]) < _SHORTEST:
            continue
        rare = sorted(words[n], key=lambda word: len(holding[word]))[: _rarest(len(words[n]))]
        others = sorted({m for word in rare for m in holding[word] if m > n} - taken)
        same = [m for m in others if _same(words[n], words[m])]
        if same:
            taken.update(same)
            whole = memory
            for m in same:
                whole = _absorbed(whole, group[m])
            yield whole, tuple(group[m] for m in same)


def _rarest(size: int) -> int:
    """Return how many of a memory's rarest words must be looked up: a twin holds one of them."""
    return int((1 - ALIKE) * size) + 1


def _same(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Say whether two bags of words mean the same: a number that differs is a difference."""
    numbers = {word for word in ours ^ theirs if any(letter.isdigit() for letter in word)}
    if (_DENIES in ours) is not (_DENIES in theirs):
        return False
    return not numbers and len(ours & theirs) >= ALIKE * len(ours | theirs)


_DENIES = "¬"
"""A word of no language: the statement says that something is not so."""
_SYNONYMS_TEXT = """
    fail break crash abort die | fix solve resolve repair correct | employ utilize rely |
    need require must | start begin launch boot | stop end quit exit terminate halt |
    remove delete drop erase | create make generate | run execute invoke call |
    config configuration | database db | repository repo | directory folder dir |
    error exception failure | large big huge | fast quick rapid | show display print |
    store save keep persist | because since due | happen occur | function method |
    parameter argument arg | check verify validate | developer dev engineer | production prod |
    environment env | package library dependency | change modify alter edit | job task |
    send deliver post | fetch retrieve load | whenever when if
"""
_CANON = {
    stem(word): stem(group.split()[0])
    for group in _SYNONYMS_TEXT.split("|")
    for word in group.split()
}
"""Words that notes use for one another, each with the one that stands for all of them."""
_NEGATING = re.compile(
    r"\b(?:not|no|never|none|without|instead|cannot|\w+n't|unless|except|false|disabled?|off|stopped|removed)\b",
    re.IGNORECASE,
)


def _meaning(text: str) -> frozenset[str]:
    """Return the words of *text*, those that mean the same made one, and whether it denies something."""
    denied = {_DENIES} if len(_NEGATING.findall(text)) % 2 else set()
    return frozenset({_CANON.get(word, word) for word in terms(text)} | denied)


def _absorbed(kept: Memory, other: Memory) -> Memory:
    """Return *kept* with the witnesses of *other*; its wording stays, so its id does."""
    both = merged(kept, other)
    return Memory(
        kind=kept.kind,
        text=kept.text,
        project=kept.project,
        sources=both.sources,
        certainty=both.certainty,
        entities=both.entities,
        settles=kept.settles,
        thread=kept.thread,
        order=kept.order,
        meta=kept.meta,
        author=kept.author,
        quote=kept.quote,
    )
