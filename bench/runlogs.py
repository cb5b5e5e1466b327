"""Run logs as real ones read: few words often, most words rarely, names of files and tasks between.

seed  ->  Memory, …  and what may be asked of each

Words follow Zipf's law over a vocabulary of thirty thousand; every memory names a file, an identifier, a
task or an error, as notes of agents do. Nothing is held: a million are made one run at a time.
"""

from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate, count
from random import Random

from snaphook.stores.memory.entities import entities
from snaphook.stores.memory.extract.judge import certainty
from snaphook.stores.memory.values import DAY, Memory, MemoryKind, MemorySource
from snaphook.testing.tasklogs import AREAS, BEGUN, ERRORS, NOUNS, VERBS

VOCABULARY = 30_000
A_RUN = 8
"""So many memories one run writes down."""
_PLAIN = "the a to in of is and it was with for on not that we be this from when after"
_SOUNDS = "ba de fi go lu mar nek pol qua ris sto tra ul ven wix yor zen cha dro ske"


def _vocabulary() -> tuple[str, ...]:
    """Return words by rank: those of every English text, those of the trade, then made-up ones."""
    chance = Random("vocabulary")
    known = dict.fromkeys([*_PLAIN.split(), *NOUNS.split(), *VERBS.split(), *AREAS.split()])
    while len(known) < VOCABULARY:
        known["".join(chance.choices(_SOUNDS.split(), k=chance.randint(2, 4)))] = None
    return tuple(known)


WORDS = _vocabulary()
_SUMS = tuple(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))


def run_logs(*, seed: int = 1, project: str = "/made/up") -> Iterator[list[Memory]]:
    """Yield run after run, without end; the same seed gives the same runs."""
    return (_run(number, seed, project) for number in count())


def one_run(number: int) -> list[Memory]:
    """Return the run with *number*, of those that ``run_logs()`` yields."""
    return _run(number, 1, "/made/up")


def asked(memory: Memory, chance: Random) -> str:
    """Return what somebody might ask who half remembers *memory*: some words of it, and one more."""
    words = memory.text.split()
    some = chance.sample(words, k=min(len(words), chance.randint(3, 7)))
    return " ".join([*some, _word(chance)])


def some_asked(number: int, runs: int) -> list[str]:
    """Return *number* questions about any of the first *runs* runs."""
    chance = Random("asked")
    return [
        asked(chance.choice(_run(chance.randrange(runs), 1, "/made/up")), chance)
        for _ in range(number)
    ]


def _word(chance: Random) -> str:
    return WORDS[bisect(_SUMS, chance.random() * _SUMS[-1])]


def _run(number: int, seed: int, project: str) -> list[Memory]:
    chance = Random(f"{seed} {number}")
    run = f"run-{number:06d}"
    task = f"TASK-{number // 3}"
    folder = f"src/{_word(chance)}/{_word(chance)}"
    kinds = chance.choices(tuple(MemoryKind), k=A_RUN)
    return [
        _memory(order, kind, _text(chance, task, folder), run=run, number=number, project=project)
        for order, kind in enumerate(kinds)
    ]


def _text(chance: Random, task: str, folder: str) -> str:
    said = [_word(chance) for _ in range(chance.randint(7, 22))]
    named = (
        f"{folder}_{_word(chance)}.py:{chance.randint(1, 600)}",
        f"`{_word(chance)}{_word(chance).title()}`",
        task,
        chance.choice(ERRORS),
    )
    for name in chance.sample(named, k=chance.randint(0, 2)):
        said.insert(chance.randrange(len(said)), name)
    return " ".join(said).capitalize() if chance.random() < 0.5 else " ".join(said)


def _memory(
    order: int, kind: MemoryKind, text: str, *, run: str, number: int, project: str
) -> Memory:
    path = f"{run}/THOUGHTS.md"
    time = BEGUN + number * DAY / 400 + order
    return Memory(
        kind=kind,
        text=text,
        project=project,
        sources=(MemorySource(path=path, line=order * 2 + 3, run=run, time=time),),
        certainty=certainty(kind, text),
        entities=entities(text),
        thread=path,
        order=order,
    )
