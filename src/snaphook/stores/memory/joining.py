"""How memories join and leave a store on a server, inside one of its transactions.

Memory, … + MemoryRepository  ->  weave  ->  MemoryRepository

Every server brings a ``MemoryRepository``, which only reads, writes and removes; what that means
for the other memories is decided here, once.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from msgspec.structs import replace

from .store import Stored
from .values import Memory
from .weave import Question, gathered, settled, weave


class MemoryRepository(Protocol):
    """What a server does inside a transaction that locks out other writers of the same projects."""

    def by_id(self, ids: Collection[str]) -> Iterable[Memory]:
        """Return those with *ids*."""
        ...

    def by_question(self, questions: Collection[Question]) -> Iterable[Memory]:
        """Return those that settle any of *questions*."""
        ...

    def write(self, memories: Sequence[Memory]) -> None:
        """Keep *memories* exactly as they are, instead of what had their ids."""
        ...

    def remove(self, ids: Collection[str]) -> None:
        """Remove those with *ids*, and whatever only they needed."""
        ...

    def buried(self, ids: Collection[str]) -> Collection[str]:
        """Return those of *ids* that somebody asked to forget."""
        ...

    def bury(self, ids: Collection[str]) -> None:
        """Note that *ids* are to stay out."""
        ...

    def unbury(self, ids: Collection[str]) -> None:
        """Let *ids* in again."""
        ...


def join(repository: MemoryRepository, memories: Sequence[Memory], *, revive: bool) -> Stored:
    """Let *memories* join those on *repository*; return what became of them."""
    ids = {memory.id for memory in memories}
    if revive:
        repository.unbury(ids)
    out = set() if revive else set(repository.buried(ids))
    allowed = [memory for memory in memories if memory.id not in out]
    known = gathered(allowed, by_id=repository.by_id, by_question=repository.by_question)
    woven = weave(known, allowed)
    if woven.changed:
        repository.write(woven.changed)
    return replace(woven.stored, forgotten=len(out))


def leave(repository: MemoryRepository, ids: Collection[str]) -> int:
    """Have the memories with *ids* leave *repository* for good; what they had replaced counts again."""
    gone = {memory.id: memory for memory in repository.by_id(ids)}
    if not gone:
        return 0
    rivals = gathered(gone.values(), by_id=repository.by_id, by_question=repository.by_question)
    repository.remove(gone)
    left = {key: memory for key, memory in rivals.items() if key not in gone}
    if changed := [each for key, each in settled(left).items() if each != left[key]]:
        repository.write(changed)
    repository.bury(gone)
    return len(gone)
