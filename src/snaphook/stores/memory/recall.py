"""What is worth knowing now.

a question, a task, a prompt  ->  Hit, …  each with the reasons it was chosen

The store finds, ``rank`` ranks; here a few are picked that are sure enough, not alike, and together
no longer than what the reader has room for.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import sqrt
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .entities import entities
from .rank import ParsedQuery, RankedCandidate, Ranking, Reason, Sign, Weights, rarity
from .store import MemoryCandidate, MemoryStore, Query, Which
from .values import Memory
from .words import terms

Embed: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Texts to vectors: any static or other embedding model, one row each."""

ALIKE = 0.8
"""Two memories that share so much of their words say the same; the better one is told."""
BESIDE = 0.25
"""What has less than this part of the best one's relevance is not worth telling unasked."""
MOST_TERMS = 24
"""Of a long text the rarest words are looked for."""
RELATED = 6
"""So many entities one hop away are followed."""
RERANKED = 40
"""So many of the best are compared by meaning, where there is a model."""


class RecallQuery(Struct, frozen=True, kw_only=True):
    """What somebody wants to know, and how much of it."""

    text: str = ""
    """Empty for what one should know anyway: the surest and latest."""
    which: Which = Which()
    agent: str = ""
    """Who asks: what it said itself is worth a little more."""
    limit: int = 10
    confidence: float = 0.0
    """Only what was surer than this when it was last said; what has aged ranks lower."""
    relevance: float = 0.0
    """Only what has at least so much to do with the question."""
    beside: float = 0.0
    """Only what has at least this part of the best one's relevance."""
    budget: int | None = None
    """Tokens, counted as four characters each."""
    weights: Weights = Weights()


class Hit(Struct, frozen=True, kw_only=True):
    """A memory that was chosen, and why."""

    memory: Memory
    score: float
    relevance: float
    confidence: float
    reasons: tuple[Reason, ...]


def for_session(
    text: str, *, project: str, agent: str = "", budget: int | None = None
) -> RecallQuery:
    """Return what a session should start with: the five most relevant that are surer than 0.7."""
    return RecallQuery(
        text=text,
        which=Which(project=project),
        agent=agent,
        limit=5,
        confidence=0.7,
        beside=BESIDE,
        budget=budget,
    )


def recall(
    store: MemoryStore, wanted: RecallQuery, *, now: float, embed: Embed | None = None
) -> list[Hit]:
    """Return the memories in *store* that answer *wanted* best, best first."""
    ranking = _ranking(store, wanted, now)
    if ranking is None:
        return []
    ranked = [
        each
        for each in ranking.ranked(lambda candidate: meant(candidate, wanted.which))
        if each.sure > wanted.confidence
        and (each.relevance > 0 or each.candidate.similarity or not wanted.text)
    ]
    best = max((each.relevance for each in ranked), default=0.0)
    least = max(wanted.relevance, wanted.beside * best)
    ranked = [each for each in ranked if each.relevance >= least]
    alike = _alike(store, ranked, wanted.text, embed) if wanted.text else {}
    compared = _compared(ranked, alike, wanted.weights.vector)
    picked = _picked(_fresher_first(compared), wanted.limit)
    memories = {memory.id: memory for memory in store.get([each.candidate.id for each in picked])}
    hits = [
        _hit(each, memories[each.candidate.id], ranking, alike, wanted.weights.vector)
        for each in picked
        if each.candidate.id in memories
    ]
    return hits if wanted.budget is None else list(_within(hits, wanted.budget))


def tokens(text: str) -> int:
    """Return about how many tokens *text* takes."""
    return len(text) // 4 + 1


def _ranking(store: MemoryStore, wanted: RecallQuery, now: float) -> Ranking | None:
    """Return the ranking of what *store* finds, or None where the text holds nothing to look for."""
    looked_for = terms(wanted.text)[:MOST_TERMS] if wanted.text else ()
    named = tuple(entity.key for entity in entities(wanted.text))
    if wanted.text and not (looked_for or named):
        return None
    near = _near(store, named)
    found = store.search(
        Query(text=wanted.text, terms=looked_for, entities=(*named, *near), which=wanted.which)
    )
    often = _mentions(found.candidates)
    asked = ParsedQuery(
        terms=looked_for,
        entities=_weighed(named, often, found.total, wanted.weights.entity),
        related=_weighed(near, often, found.total, wanted.weights.related),
        project=wanted.which.project,
        agent=wanted.agent,
        now=now,
        weights=wanted.weights,
    )
    ranking = Ranking(asked, found)
    if not (wanted.which.entity or wanted.which.task or wanted.which.run):
        ranking.add(store.beside(ranking.missing(), reach=0))
    return ranking


def _near(store: MemoryStore, named: Sequence[str]) -> tuple[str, ...]:
    return tuple(key for key, _ in store.related(named, limit=RELATED)) if named else ()


def _mentions(candidates: Iterable[MemoryCandidate]) -> Mapping[str, int]:
    often: dict[str, int] = {}
    for candidate in candidates:
        for key in candidate.entities:
            often[key] = often.get(key, 0) + 1
    return often


def _weighed(
    keys: Collection[str], often: Mapping[str, int], total: int, weight: float
) -> dict[str, float]:
    return {key: weight * rarity(often.get(key, 0), total) for key in keys}


def meant(candidate: MemoryCandidate, which: Which) -> bool:
    """Say whether *which* means *candidate*, as far as a candidate tells."""
    return (
        (which.superseded or not candidate.superseded)
        and (which.project is None or candidate.project in {which.project, "", *which.also})
        and (not which.kinds or candidate.kind in which.kinds)
        and (
            not which.agents or not candidate.agents or bool({*candidate.agents} & {*which.agents})
        )
        and (which.since is None or candidate.seen >= which.since)
        and (which.until is None or candidate.seen < which.until)
    )


CONTRARY = 0.5
"""Two memories that share so much of their words are about the same thing: the later one holds."""
LOOKED_OVER = 30
"""So many of the best are put in the order of time where they are about the same thing."""


def _fresher_first(ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    """Return *ranked*, what was said later before what it may correct.

    That two sentences contradict each other cannot be told without a model; that they are about the same can.
    """
    best = [*ranked[:LOOKED_OVER]]
    bags = {each.candidate.id: frozenset(each.candidate.bag.split(" ")) for each in best}
    for at in range(1, len(best)):
        late = best[at]
        words = bags[late.candidate.id]
        for before in range(at):
            early = best[before]
            if (
                early.candidate.seen >= late.candidate.seen
                or early.candidate.kind != late.candidate.kind
            ):
                continue
            other = bags[early.candidate.id]
            if len(words & other) >= CONTRARY * len(words | other):
                best.insert(before, best.pop(at))
                break
    return [*best, *ranked[LOOKED_OVER:]]


def _picked(ranked: Iterable[RankedCandidate], limit: int) -> list[RankedCandidate]:
    """Return the first *limit* that do not repeat a better one."""
    picked: list[RankedCandidate] = []
    bags: list[frozenset[str]] = []
    for each in ranked:
        words = frozenset(each.candidate.bag.split(" "))
        if any(len(words & other) > ALIKE * len(words | other) for other in bags):
            continue
        picked.append(each)
        bags.append(words)
        if len(picked) == limit:
            break
    return picked


def _within(hits: Iterable[Hit], budget: int) -> Iterable[Hit]:
    """Yield the hits that fit, best first; a long one is passed over for a shorter one behind it."""
    for hit in hits:
        cost = tokens(hit.memory.text)
        if cost <= budget:
            budget -= cost
            yield hit


def _alike(
    store: MemoryStore, ranked: Sequence[RankedCandidate], text: str, embed: Embed | None
) -> Mapping[str, float]:
    """Return how near in meaning *ranked* are to *text*, as the store says or, of the best, *embed*."""
    told = {
        each.candidate.id: max(0.0, each.candidate.similarity)
        for each in ranked
        if each.candidate.similarity is not None
    }
    best = [each.candidate.id for each in ranked[:RERANKED] if each.candidate.id not in told]
    if embed is None or not best:
        return told
    memories = store.get(best)
    question, *vectors = embed([text, *(memory.text for memory in memories)])
    near = (max(0.0, _cosine(question, vector)) for vector in vectors)
    return told | {memory.id: part for memory, part in zip(memories, near, strict=True)}


def _compared(
    ranked: Sequence[RankedCandidate], alike: Mapping[str, float], weight: float
) -> Sequence[RankedCandidate]:
    """Return *ranked* anew, with a small part for meaning."""
    if not alike:
        return ranked
    lifted = [
        replace(each, score=each.score + weight * alike.get(each.candidate.id, 0.0))
        for each in ranked
    ]
    return sorted(lifted, key=lambda each: -each.score)


def _hit(
    ranked: RankedCandidate,
    memory: Memory,
    ranking: Ranking,
    alike: Mapping[str, float],
    weight: float,
) -> Hit:
    near = alike.get(memory.id, 0.0)
    meaning = (Reason(Sign.VECTOR, f"{near:.2f}", weight * near),) if near else ()
    return Hit(
        memory=memory,
        score=ranked.score,
        relevance=ranked.relevance,
        confidence=ranked.confidence,
        reasons=(*ranking.reasons(ranked), *meaning),
    )


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    length = sqrt(sum(a * a for a in one) * sum(b * b for b in other))
    return dot / length if length else 0.0
