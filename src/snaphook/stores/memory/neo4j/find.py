"""Candidates, by the server's full-text index or by the words' own nodes.

Query  ->  weights per memory  ->  the best few  ->  MemoryCandidate, …
"""

from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import Any

from snaphook.stores.memory.recall import Embed
from snaphook.stores.memory.store import FoundCandidates, MemoryCandidate, Query
from snaphook.stores.memory.values import MemoryKind

from .filters import filtered
from .schema import Abilities, Run

MOST = 5_000
"""Beyond this a word is common, and how common does not matter."""
WIDE = 10
"""So many times the limit are looked at before they are narrowed."""
NEAREST = 50
"""So many are taken in for their meaning alone."""

COLUMNS = (
    "m.id, m.kind, m.project, m.bag, m.certainty, m.proof, m.seen, m.thread, m.place, "
    "m.entities, m.agents, m.superseded"
)
OFTEN_INDEXED = """
UNWIND $terms AS term
CALL db.index.fulltext.queryNodes('snaphook_words', '"' + term + '"', {limit: $most}) YIELD node
RETURN term, count(node)
"""
OFTEN_TIED = "MATCH (w:Word)<-[:SAYS]-(m) WHERE w.text IN $terms RETURN w.text, count(m)"
INDEXED = """
CALL db.index.fulltext.queryNodes('snaphook_words', $asked, {{limit: $wide}})
YIELD node AS m, score WITH m, score WHERE {which}
RETURN {columns}, score ORDER BY score DESC, m.seen DESC LIMIT $limit
"""
TIED = """
UNWIND $weighed AS asked
MATCH (w:Word {{text: asked[0]}})<-[:SAYS]-(m:Memory)
WITH m, sum(asked[1]) AS score WHERE {which}
RETURN {columns}, score ORDER BY score DESC, m.seen DESC LIMIT $limit
"""
MENTIONING = """
MATCH (e:Entity)<-[:MENTIONS]-(m:Memory) WHERE e.key IN $entities
WITH m, toFloat(count(e)) AS score WHERE {which}
RETURN {columns}, score ORDER BY score DESC, m.seen DESC LIMIT $limit
"""
NEAR = """
CALL db.index.vector.queryNodes('snaphook_vectors', $nearest, $question)
YIELD node AS m, score WITH m, 2 * score - 1 AS score WHERE {which}
RETURN {columns}, score
"""
LAST_SAID = """
MATCH (m:Memory) WHERE {which}
RETURN {columns}, 0.0 AS score ORDER BY m.seen DESC, m.id LIMIT $limit
"""
BESIDE = """
UNWIND $places AS p
MATCH (m:Memory {{thread: p[0]}}) WHERE m.place >= p[1] - $reach AND m.place <= p[1] + $reach
RETURN DISTINCT {columns}
"""
RELATED = """
MATCH (e:Entity)<-[:MENTIONS]-(m:Memory) WHERE e.key IN $given
WITH DISTINCT m ORDER BY m.seen DESC LIMIT 200
MATCH (m)-[:MENTIONS]->(o:Entity) WHERE NOT o.key IN $given
RETURN o.key AS key, count(m) AS often ORDER BY often DESC, key LIMIT $limit
"""


class Neo4jFinder:
    """Looks up candidates, as this server *can*."""

    def __init__(self, run: Run, *, can: Abilities, embed: Embed | None) -> None:
        self._run = run
        self._can = can
        self._embed = embed

    def search(self, query: Query) -> FoundCandidates:
        """Return the candidates for *query*, and how common its words are."""
        counted = "MATCH (s:Snaphook {id: 'memory'}) RETURN s.memories, s.words"
        [[total, words]] = self._run(counted)
        often = self._often(query.terms) if query.terms else {}
        return FoundCandidates(
            candidates=self._candidates(query, often, total),
            total=total,
            mean_size=words / total if total else 0.0,
            frequencies=often,
        )

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places*, each once."""
        asked = [[thread, order] for thread, order in places]
        rows = self._run(BESIDE.format(columns=COLUMNS), places=asked, reach=reach)
        return list({row[0]: _candidate(row, None) for row in rows}.values())

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return the entities met together with *entities*, counted over their newest mentions."""
        return [(key, often) for key, often in self._run(RELATED, given=[*entities], limit=limit)]

    def _often(self, terms: Sequence[str]) -> dict[str, int]:
        if self._can.full_text:
            found = dict(self._run(OFTEN_INDEXED, terms=[*terms], most=MOST))
        else:
            found = dict(self._run(OFTEN_TIED, terms=[*terms]))
        return {term: found.get(term, 0) for term in terms}

    def _candidates(
        self, query: Query, often: Mapping[str, int], total: int
    ) -> list[MemoryCandidate]:
        if not (query.terms or query.entities):
            return [_candidate(row, None) for row in self._ask(LAST_SAID, query)]
        rows: dict[str, Sequence[Any]] = {}
        scores: dict[str, float] = {}
        for found in (self._saying(query, often, total), self._mentioning(query)):
            for row in found:
                rows[row[0]] = row
                scores[row[0]] = scores.get(row[0], 0.0) + row[-1]
        near = {row[0]: row for row in self._near(query)}
        best = sorted(rows, key=lambda key: (-scores[key], -rows[key][6]))[: query.limit]
        rows |= near
        alike = {key: row[-1] for key, row in near.items()}
        return [_candidate(rows[key], alike.get(key)) for key in dict.fromkeys((*best, *near))]

    def _saying(self, query: Query, often: Mapping[str, int], total: int) -> list[Any]:
        if not query.terms:
            return []
        if self._can.full_text:
            asked = " ".join(f'"{term}"' for term in query.terms)
            return self._ask(INDEXED, query, asked=asked, wide=WIDE * query.limit)
        weighed = [[term, log(1 + total / (count + 1))] for term, count in often.items() if count]
        return self._ask(TIED, query, weighed=weighed)

    def _mentioning(self, query: Query) -> list[Any]:
        if not query.entities:
            return []
        return self._ask(MENTIONING, query, entities=[*query.entities])

    def _near(self, query: Query) -> list[Any]:
        if not (self._can.vectors and self._embed and query.text):
            return []
        question = [float(number) for number in self._embed([query.text])[0]]
        return self._ask(NEAR, query, question=question, nearest=NEAREST)

    def _ask(self, text: str, query: Query, **values: Any) -> list[Any]:
        which, meant = filtered(query.which)
        whole = text.format(columns=COLUMNS, which=which)
        return self._run(whole, limit=query.limit, **meant, **values)


def _candidate(row: Sequence[Any], similarity: float | None) -> MemoryCandidate:
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
        similarity=similarity,
    )
