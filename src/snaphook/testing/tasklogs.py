"""Logs of tasks that nobody worked on, with questions whose answers are known.

seed, runs  ->  memories, questions

What agents write down while they work, made from tables: decisions and reversals, errors and fixes,
findings that name their subject only in the line before. The same seed gives the same logs.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from snaphook.stores.memory.entities import entities
from snaphook.stores.memory.extract.judge import certainty, questions
from snaphook.stores.memory.values import DAY, Memory, MemoryKind, MemorySource

AREAS = (
    "billing ledger search index login session upload queue mail digest image cache report "
    "export audit trail rate limiter webhook relay feature flag invoice printer chat presence "
    "map tiles payment gateway password reset profile page stock counter order basket price "
    "feed job runner metrics agent config loader template engine file watcher access policy"
)
NOUNS = (
    "request response buffer header token cursor batch worker thread socket table column row "
    "schema fixture snapshot patch branch module handler adapter client server timeout retry "
    "backoff lock transaction checkpoint payload record key value list map tree node edge "
    "path route view form field button page layout theme locale zone clock timer event signal "
    "channel stream frame packet"
)
VERBS = (
    "drops repeats reorders truncates leaks blocks skips doubles misreads overwrites delays "
    "loses swaps rejects ignores caches escapes rounds pads splits"
)
CAUSES = (
    "the lock was taken after the read",
    "the clock was read before the zone was set",
    "an empty answer counts as a full one",
    "the default argument is shared between calls",
    "the index was built on the wrong column",
    "a retry sends the same body twice",
    "the comparison is by identity",
    "the file is closed before it is flushed",
    "two workers pick the same row",
    "the limit is applied before the filter",
)
FIXES = (
    "take the lock first",
    "set the zone before anything else",
    "tell empty from missing",
    "make a new list in the function",
    "index the column that is filtered",
    "send an idempotency key",
    "compare by value",
    "flush, then close",
    "claim the row with SKIP LOCKED",
    "filter, then limit",
)
ERRORS = ("KeyError", "TimeoutError", "ValueError", "ConnectionError", "LookupError", "OSError")
_AREAS, _NOUNS, _VERBS = AREAS.split(), NOUNS.split(), VERBS.split()
BEGUN = 1_760_000_000.0


class LogQuestion(Struct, frozen=True, kw_only=True):
    """Something to ask, and the ids of the memories that answer it."""

    text: str
    answers: frozenset[str]
    sort: str


class Logs(Struct, frozen=True, kw_only=True):
    """Memories in the order in which they were written, and questions about them."""

    memories: Sequence[Memory]
    questions: Sequence[LogQuestion]


def task_logs(*, runs: int, seed: int = 1, project: str = "/made/up") -> Logs:
    """Return the logs of *runs* runs, some ten memories each, and a question about every one."""
    memories: list[Memory] = []
    asked: list[LogQuestion] = []
    for number in range(runs):
        log = task_log(number, seed=seed, project=project)
        memories += log.memories
        asked += log.questions
    return Logs(memories=memories, questions=asked)


def task_log(number: int, *, seed: int = 1, project: str = "/made/up") -> Logs:
    """Return the log of one run, and its questions: for those who want more than fits in memory."""
    run = _Run(number, seed, project)
    return Logs(memories=run.memories(), questions=run.questions)


class _Run:
    """One run of one agent on one subject."""

    def __init__(self, number: int, seed: int, project: str) -> None:
        self.questions: list[LogQuestion] = []
        self._chance = Random(f"{seed} {number}")  # noqa: S311 - made up on purpose
        self._number = number
        self._project = project
        pick = self._chance.choice
        first, second = pick(_AREAS), pick(_AREAS)
        self._subject = f"{first} {second}"
        self._noun, self._other = pick(_NOUNS), pick(_NOUNS)
        self._code = f"{first}{self._noun.title()}{second.title()}{number % 97}"
        self._file = f"src/{first}/{self._noun}_{second}{number % 89}.py"

    def memories(self) -> list[Memory]:
        """Return what the run wrote down; fill in what may be asked of it."""
        told = list(self._told())
        return [self._memory(order, kind, text) for order, (kind, text, _, _) in enumerate(told)]

    def _memory(self, order: int, kind: MemoryKind, text: str) -> Memory:
        run = f"run-{self._number:06d}"
        path = f"{run}/THOUGHTS.md"
        time = BEGUN + self._number * DAY / 50 + order
        return Memory(
            kind=kind,
            text=text,
            project=self._project,
            sources=(MemorySource(path=path, line=order * 2 + 3, run=run, time=time),),
            certainty=certainty(kind, text),
            entities=entities(text),
            settles=questions(text) if kind is MemoryKind.FACT else (),
            thread=path,
            order=order,
        )

    def _told(self) -> Iterator[tuple[MemoryKind, str, str, str]]:
        chance, noun, other = self._chance, self._noun, self._other
        which = chance.randrange(len(CAUSES))
        error, verb = chance.choice(ERRORS), chance.choice(_VERBS)
        lines: list[tuple[MemoryKind, str, str, str]] = [
            (
                MemoryKind.EXPERIENCE,
                f"Started on the {self._subject}: the {noun} {verb} the {other}",
                "",
                "",
            ),
            (
                MemoryKind.EXPERIENCE,
                f"Root cause: {CAUSES[which]}",
                f"what was the root cause in the {self._subject} {noun}",
                "neighbour",
            ),
            (MemoryKind.EXPERIENCE, f"Mended it: {FIXES[which]}", "", ""),
            (
                MemoryKind.OBSERVATION,
                f"{error} in {self._file}:{chance.randrange(9, 400)} → check {other} before {noun}",
                f"{error} {self._file}",
                "file",
            ),
            (
                MemoryKind.FACT,
                f"`{self._code}` must be called once per {other}",
                f"how often is {_spoken(self._code)} called",
                "identifier",
            ),
            (
                MemoryKind.FACT,
                f"Use {chance.choice(_NOUNS)} for the {self._subject} {noun} {other}",
                f"what do we use for {self._subject} {noun} {other}",
                "decision",
            ),
            (
                MemoryKind.OPINION,
                f"The {chance.choice(_NOUNS)} of {chance.choice(_AREAS)} should go",
                "",
                "",
            ),
            (
                MemoryKind.OBSERVATION,
                f"{chance.randrange(3, 900)} tests pass; the {chance.choice(_NOUNS)} is slow",
                "",
                "",
            ),
        ]
        for order, (kind, text, question, sort) in enumerate(lines):
            if question:
                answer = frozenset({self._memory(order, kind, text).id})
                self.questions.append(LogQuestion(text=question, answers=answer, sort=sort))
            yield kind, text, question, sort


def _spoken(code: str) -> str:
    """Return a name in code as a person would say it."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in code)
