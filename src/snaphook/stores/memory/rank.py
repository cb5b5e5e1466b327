"""How well each candidate answers, and why.

FoundCandidates + what was asked  ->  RankedCandidate, …

A memory is worth its own words, and a part of its neighbours': half of the one before, three tenths
of the one after, a fifth of those around. Each word counts once, at its best. Pure, and the same
for every store.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from heapq import nlargest
from math import log, log2

from msgspec import Struct

from .store import FoundCandidates, MemoryCandidate
from .values import DAY, confidence

NEIGHBOURS: Mapping[int, float] = {1: 0.5, -1: 0.3, 2: 0.2, -2: 0.2, 3: 0.2, -3: 0.2}
"""What a word is worth to the memory so many places after the one that holds it."""
SEEDS = 12
"""So many of the best lend their words to their neighbours."""
JUDGED = 60
"""So many of the most relevant are judged by their standing as well."""
_TF, _LENGTH = 0.9, 0.4
"""BM25's k1 and b."""


class Weights(Struct, frozen=True, kw_only=True):
    """What each sign is worth. Words and their like add up; the rest multiplies."""

    coverage: float = 0.5
    """The power of the share of words found: all of them beat one of them often."""
    thread: float = 0.3
    """Of the three best of the same document or conversation."""
    entity: float = 0.6
    """Of the rarity of an entity that the question names."""
    related: float = 0.15
    """Of the rarity of one that is often met together with those."""
    vector: float = 0.15
    """Of the similarity of meaning, where vectors are at hand."""
    recency: float = 0.1
    recent: float = 30 * DAY
    """After so long it is worth half."""
    proof: float = 0.04
    """For each doubling of witnesses, five at most."""
    confidence: float = 0.3
    own_project: float = 0.05
    own_agent: float = 0.05


class Sign(StrEnum):
    """Why a memory was chosen."""

    WORDS = "words"
    NEIGHBOURS = "neighbours"
    THREAD = "thread"
    ENTITY = "entity"
    RELATED = "related"
    VECTOR = "vector"
    RECENCY = "recency"
    PROOF = "proof"
    CONFIDENCE = "confidence"
    SCOPE = "scope"


class Reason(Struct, frozen=True, gc=False):
    """One sign, what it was, and what it added to the score."""

    sign: Sign
    detail: str
    worth: float


class ParsedQuery(Struct, frozen=True, kw_only=True):
    """What is looked for, taken apart."""

    terms: Sequence[str] = ()
    entities: Mapping[str, float] = {}
    """What mentioning each is worth: its rarity, weighed."""
    related: Mapping[str, float] = {}
    project: str | None = None
    agent: str = ""
    now: float = 0.0
    weights: Weights = Weights()


class RankedCandidate(Struct, frozen=True, kw_only=True, gc=False):
    """A candidate and its score."""

    candidate: MemoryCandidate
    score: float
    """1 is a memory that holds every word asked for, once."""
    relevance: float
    """The part that has to do with the question."""
    confidence: float
    sure: float = 1.0
    """The confidence it had when it was last said: age makes it less current, not less true."""
    words: float = 0.0
    """The part of the relevance that its words and its neighbours' make."""


Place = tuple[str, int]


def rarity(often: int, total: int) -> float:
    """Return what a word is worth that *often* of *total* memories hold (BM25's idf)."""
    return log(1.0 + (max(total, often) - often + 0.5) / (often + 0.5))


class Ranking:
    """Scores candidates for one question."""

    def __init__(self, asked: ParsedQuery, found: FoundCandidates) -> None:
        self._asked = asked
        self._mean = found.mean_size or 1.0
        self._worth = {
            term: rarity(found.frequencies.get(term, 0), found.total) for term in asked.terms
        }
        self._ideal = sum(self._worth.values()) or 1.0
        self._shares = [
            (held / len(self._worth)) ** asked.weights.coverage / self._ideal
            for held in range(len(self._worth) + 1)
            if self._worth
        ]
        self._candidates: dict[str, MemoryCandidate] = {}
        self._own: dict[str, dict[str, float]] = {}
        self._lent: dict[str, dict[str, float]] = defaultdict(dict)
        self._threads: dict[str, float] = {}
        self.add(found.candidates)

    def add(self, candidates: Collection[MemoryCandidate]) -> None:
        """Take *candidates* into account, those that are new."""
        for candidate in candidates:
            if candidate.id not in self._candidates:
                self._candidates[candidate.id] = candidate
                self._own[candidate.id] = self._words(candidate)

    def missing(self) -> set[Place]:
        """Return the places beside the best that nobody has looked at: they may lend and borrow."""
        known = {(each.thread, each.order) for each in self._candidates.values() if each.thread}
        beside = {
            (each.thread, each.order + offset) for each in self._seeds() for offset in NEIGHBOURS
        }
        return {place for place in beside - known if place[1] >= 0}

    def ranked(self, meant: Callable[[MemoryCandidate], bool]) -> list[RankedCandidate]:
        """Return the candidates that are *meant*, best first; ties go to the last said."""
        self._borrow()
        worth = {key: self._covered(key) for key in self._candidates}
        self._threads = self._by_thread(worth)
        chosen = [each for each in self._candidates.values() if meant(each)]
        scored = [(self._relevance(each, worth[each.id]), each) for each in chosen]
        if self._asked.terms or self._asked.entities:
            scored = nlargest(JUDGED, scored, key=lambda pair: pair[0])
        ranked = [self._judged(each, relevance, worth[each.id]) for relevance, each in scored]
        ranked.sort(key=lambda each: (-each.score, -each.candidate.seen, each.candidate.id))
        return ranked

    def reasons(self, ranked: RankedCandidate) -> tuple[Reason, ...]:
        """Return why *ranked* has its score: what each sign added, nothing left out."""
        candidate = ranked.candidate
        told = [
            *self._of_words(candidate, ranked.words),
            *self._of_thread(candidate, ranked.words),
            *self._of_entities(candidate),
            *self._of_standing(candidate, ranked.confidence, self._base(ranked.relevance)),
        ]
        return tuple(reason for reason in told if abs(reason.worth) >= 0.0005)

    def _seeds(self) -> list[MemoryCandidate]:
        placed = [each for each in self._candidates.values() if each.thread and self._own[each.id]]
        return nlargest(SEEDS, placed, key=lambda each: sum(self._own[each.id].values()))

    def _words(self, candidate: MemoryCandidate) -> dict[str, float]:
        """Return what each word asked for is worth in *candidate* (BM25)."""
        bag = candidate.bag
        held = [term for term in self._worth if term in bag]  # maybe only as part of a word
        if not held:
            return {}
        words = bag.split(" ")
        damp = _TF * (1 - _LENGTH + _LENGTH * len(words) / self._mean)
        counted = ((term, words.count(term)) for term in held)
        return {
            term: self._worth[term] * often * (_TF + 1) / (often + damp)
            for term, often in counted
            if often
        }

    def _borrow(self) -> None:
        """Note what the neighbours of each lend it, word by word, where that is more."""
        at: dict[Place, list[str]] = defaultdict(list)
        for each in self._candidates.values():
            if each.thread:
                at[each.thread, each.order].append(each.id)
        for giver in self._seeds():
            for offset, part in NEIGHBOURS.items():
                for taker in at.get((giver.thread, giver.order + offset), ()):
                    self._lend(giver.id, taker, part)

    def _lend(self, giver: str, taker: str, part: float) -> None:
        own, lent = self._own[taker], self._lent[taker]
        for term, score in self._own[giver].items():
            worth = score * part
            if worth > own.get(term, 0.0) and worth > lent.get(term, 0.0):
                lent[term] = worth

    def _covered(self, key: str) -> float:
        """Return the worth of all words, its own and lent ones, for as many as there are."""
        best = self._own[key]
        if key in self._lent:
            best = {**best, **self._lent[key]}
        return sum(best.values()) * self._shares[len(best)] if best else 0.0

    def _by_thread(self, worth: Mapping[str, float]) -> dict[str, float]:
        scores: dict[str, list[float]] = defaultdict(list)
        for key, candidate in self._candidates.items():
            if candidate.thread:
                scores[candidate.thread].append(worth[key])
        weight = self._asked.weights.thread / 3
        return {
            thread: weight * sum(sorted(each)[-3:])
            for thread, each in scores.items()
            if len(each) > 1
        }

    def _relevance(self, candidate: MemoryCandidate, words: float) -> float:
        thread = self._threads.get(candidate.thread, 0.0) if words else 0.0
        asked = self._asked
        if not candidate.entities or not (asked.entities or asked.related):
            return words + thread
        named = self._met(candidate, asked.entities) + self._met(candidate, asked.related)
        return words + thread + named

    def _met(self, candidate: MemoryCandidate, known: Mapping[str, float]) -> float:
        """Return what the rarest is worth of the *known* entities that *candidate* mentions."""
        met = [known[key] for key in candidate.entities if key in known]
        return min(max(met) / self._ideal, 1.0) if met else 0.0

    def _judged(
        self, candidate: MemoryCandidate, relevance: float, words: float
    ) -> RankedCandidate:
        sure = confidence(
            kind=candidate.kind,
            certainty=candidate.certainty,
            proof=candidate.proof,
            age=self._asked.now - candidate.seen,
        )
        base = self._base(relevance)
        more = base * sum(self._standing(candidate, sure))
        return RankedCandidate(
            candidate=candidate,
            score=base + more,
            relevance=relevance,
            confidence=sure,
            sure=confidence(
                kind=candidate.kind, certainty=candidate.certainty, proof=candidate.proof, age=0.0
            ),
            words=words,
        )

    def _base(self, relevance: float) -> float:
        """Return what standing is a part of: where nothing is asked, everything is relevant."""
        return relevance if self._asked.terms or self._asked.entities else 1.0

    def _of_words(self, candidate: MemoryCandidate, worth: float) -> Sequence[Reason]:
        lent = self._lent.get(candidate.id, {})
        own = {term: v for term, v in self._own[candidate.id].items() if term not in lent}
        total = sum(own.values()) + sum(lent.values())
        if not total:
            return ()
        mine = worth * sum(own.values()) / total
        return (
            Reason(Sign.WORDS, " ".join(own), mine),
            Reason(Sign.NEIGHBOURS, " ".join(lent), worth - mine),
        )

    def _of_thread(self, candidate: MemoryCandidate, worth: float) -> Sequence[Reason]:
        thread = self._threads.get(candidate.thread, 0.0)
        return (Reason(Sign.THREAD, candidate.thread, thread),) if worth else ()

    def _of_entities(self, candidate: MemoryCandidate) -> Sequence[Reason]:
        asked = self._asked
        return [
            Reason(
                sign,
                " ".join(key for key in candidate.entities if key in known),
                self._met(candidate, known),
            )
            for sign, known in ((Sign.ENTITY, asked.entities), (Sign.RELATED, asked.related))
        ]

    def _standing(
        self, candidate: MemoryCandidate, sure: float
    ) -> tuple[float, float, float, float]:
        """Return what it is worth to be recent, proved, sure and one's own, as parts of a whole."""
        weights, asked = self._asked.weights, self._asked
        scope = weights.own_project * (candidate.project == asked.project)
        if asked.agent and asked.agent in candidate.agents:
            scope += weights.own_agent
        return (
            weights.recency * 0.5 ** (self._age(candidate) / weights.recent),
            weights.proof * min(5.0, log2(max(1, candidate.proof))),
            weights.confidence * (sure - 1.0),
            scope,
        )

    def _of_standing(
        self, candidate: MemoryCandidate, sure: float, base: float
    ) -> Sequence[Reason]:
        fresh, proved, trusted, scope = self._standing(candidate, sure)
        return (
            Reason(Sign.RECENCY, _ago(self._age(candidate)), base * fresh),
            Reason(Sign.PROOF, f"{candidate.proof} witnesses", base * proved),
            Reason(Sign.CONFIDENCE, f"{sure:.2f}", base * trusted),
            Reason(Sign.SCOPE, candidate.project or "everywhere", base * scope),
        )

    def _age(self, candidate: MemoryCandidate) -> float:
        return max(0.0, self._asked.now - candidate.seen)


def _ago(age: float) -> str:
    return f"{age / DAY:.0f} days ago" if age >= DAY else "today"
