"""Candidates, found by inverted indexes and bounded before they are ordered.

Query  ->  how common is each word?  ->  rows with the rare ones  ->  MemoryCandidate, …
"""

from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import Any

from snaphook.stores.memory.store import FoundCandidates, MemoryCandidate, Query
from snaphook.stores.memory.values import MemoryKind

from .filters import filtered
from .repository import clean
from .vectors import Vectors

SAMPLE = 500
"""So many of the newest memories tell how common a word is."""
COMMON = 10
"""A word that so many of them hold is not counted exactly."""
WIDE = 5
"""So many times the limit are ordered; common words widen the search only that far."""
NEAREST = 50
"""So many are taken in for their meaning alone."""

COLUMNS = (
    "m.id, m.kind, m.project, m.bag, m.certainty, m.proof, m.seen, m.thread, m.place, "
    "m.entities, m.agents, m.superseded"
)
SAMPLED = """
SELECT word, count(*) FROM (
    SELECT words FROM snaphook_memory.memory ORDER BY seen DESC, id DESC LIMIT %s
) AS newest, unnest(newest.words) AS word
WHERE word = ANY(%s) GROUP BY word
"""
OFTEN = """
SELECT term, (SELECT count(*) FROM snaphook_memory.memory WHERE words @> ARRAY[term])
FROM unnest(%s::text[]) AS term
"""
BEST = """
SELECT {columns}, {similarity} FROM snaphook_memory.memory m {vectors}
WHERE (m.words && %(rare)s::text[] OR m.entities && %(entities)s::text[]
       OR m.id = ANY(%(near)s)) AND {which}
ORDER BY (SELECT coalesce(sum(weight), 0)
          FROM unnest(%(terms)s::text[], %(weights)s::double precision[]) AS a (term, weight)
          WHERE a.term = ANY(m.words))
       + (SELECT count(*) FROM unnest(m.entities) AS e WHERE e = ANY(%(entities)s)) DESC,
       m.seen DESC
LIMIT %(limit)s
"""
BESIDE = """
SELECT DISTINCT ON (m.id) {columns}, NULL
FROM unnest(%s::text[], %s::integer[]) AS p (thread, place)
JOIN snaphook_memory.memory m
ON m.thread = p.thread AND m.place BETWEEN p.place - %s AND p.place + %s
"""
RELATED = """
SELECT entity, count(*) AS often FROM (
    SELECT entities FROM snaphook_memory.memory WHERE entities && %(given)s::text[]
    ORDER BY seen DESC LIMIT 200
) AS met, unnest(met.entities) AS entity
WHERE entity <> ALL(%(given)s::text[])
GROUP BY entity ORDER BY often DESC, entity LIMIT %(limit)s
"""


def search(db: Any, query: Query, *, vectors: Vectors | None) -> FoundCandidates:
    """Return the candidates for *query*, and how common its words are."""
    total, words = db.execute(
        "SELECT coalesce(sum(memories), 0)::bigint, coalesce(sum(words), 0)::bigint "
        "FROM snaphook_memory.tally"
    ).fetchone()
    if query.terms or query.entities:
        often = _often(db, query.terms, total)
        rows = _best(db, query, often, total, vectors)
    else:
        often, rows = {}, _last_said(db, query)
    return FoundCandidates(
        candidates=[_candidate(row) for row in rows],
        total=total,
        mean_size=words / total if total else 0.0,
        frequencies=often,
    )


def beside(db: Any, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
    """Return what stands within *reach* of *places*, each once."""
    threads, orders = [clean(thread) for thread, _ in places], [order for _, order in places]
    rows = db.execute(BESIDE.format(columns=COLUMNS), (threads, orders, reach, reach))
    return [_candidate(row) for row in rows]


def related(db: Any, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
    """Return the entities met together with *entities*, counted over their newest mentions."""
    given = [clean(entity) for entity in entities]
    rows: list[tuple[str, int]] = db.execute(RELATED, {"given": given, "limit": limit}).fetchall()
    return rows


def _often(db: Any, terms: Sequence[str], total: int) -> dict[str, int]:
    """Return how many memories hold each of *terms*: exactly for rare ones, about for common ones."""
    sampled: dict[str, int] = {}
    if total > SAMPLE:
        sampled = dict(db.execute(SAMPLED, (SAMPLE, [*terms])).fetchall())
    common = {term: n * total // SAMPLE for term, n in sampled.items() if n >= COMMON}
    rare = [term for term in terms if term not in common]
    counted: dict[str, int] = dict(db.execute(OFTEN, (rare,)).fetchall())
    return {**counted, **common}


def _best(
    db: Any, query: Query, often: Mapping[str, int], total: int, vectors: Vectors | None
) -> Sequence[tuple[Any, ...]]:
    which, values = filtered(query.which)
    values |= {
        "terms": [*often],
        "weights": [log(1 + total / (count + 1)) for count in often.values()],
        "rare": _rare(often, WIDE * query.limit),
        "entities": [clean(entity) for entity in query.entities],
        "near": [],
        "limit": query.limit,
    }
    similarity, joined = "NULL", ""
    if vectors and query.text:
        values["question"] = vectors.question(query.text)
        values["near"] = _nearest(db, values["question"], vectors)
        similarity = "1 - (v.vector <=> %(question)s::vector)"
        joined = f"LEFT JOIN {vectors.table} v ON v.id = m.id"
    best = BEST.format(columns=COLUMNS, similarity=similarity, vectors=joined, which=which)
    rows: list[tuple[Any, ...]] = db.execute(best, values).fetchall()
    return rows


def _rare(often: Mapping[str, int], most: int) -> list[str]:
    """Return the rarest words, as many as lead to about *most* memories; one at least."""
    chosen: list[str] = []
    room = most
    for term, count in sorted(often.items(), key=lambda each: each[1]):
        if chosen and count > room:
            break
        chosen.append(term)
        room -= count
    return chosen


def _nearest(db: Any, question: str, vectors: Vectors) -> list[str]:
    rows = db.execute(
        f"SELECT id FROM {vectors.table} ORDER BY vector <=> %s::vector LIMIT %s",  # noqa: S608
        (question, NEAREST),
    )
    return [key for (key,) in rows]


def _last_said(db: Any, query: Query) -> Sequence[tuple[Any, ...]]:
    which, values = filtered(query.which)
    rows: list[tuple[Any, ...]] = db.execute(
        f"SELECT {COLUMNS}, NULL FROM snaphook_memory.memory m "  # noqa: S608 - our own names
        f"WHERE {which} ORDER BY m.seen DESC, m.id LIMIT %(limit)s",
        {**values, "limit": query.limit},
    ).fetchall()
    return rows


def _candidate(row: Sequence[Any]) -> MemoryCandidate:
    return MemoryCandidate(
        id=row[0],
        kind=MemoryKind(row[1]),
        project=row[2],
        bag=row[3],
        certainty=row[4],
        proof=row[5],
        seen=row[6],
        thread=row[7] or "",
        order=row[8],
        entities=tuple(row[9]),
        agents=tuple(row[10]),
        superseded=row[11],
        similarity=row[12],
    )
