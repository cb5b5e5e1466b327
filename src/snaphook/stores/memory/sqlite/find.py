"""Candidates, few enough to rank and found without reading what cannot matter.

Query  ->  rowids per word, newest first  ->  the best few  ->  MemoryCandidate, …

A rare word's memories are all taken. Of a common word only the newest are looked at: it says little,
and those that hold a rare word as well come in through that one. Two common words are met with each
other. So the work is bounded however many memories there are.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import log
from operator import itemgetter
from typing import Any

import msgspec

from snaphook.stores.memory.store import FoundCandidates, MemoryCandidate, Query, Which
from snaphook.stores.memory.values import MemoryKind

from .filters import filtered, projects
from .names import Names
from .rows import scope

NEWEST = 256
"""So many memories of one word are looked at."""
MEETINGS = 3
"""So many pairs of common words are met."""
LATELY = 200_000
"""… among so many of the newest memories: where there are more, those say enough of common words."""
ROUNDS = 4
"""So many times ``limit`` rows are read before narrowing gives up."""
HOLDING = """
SELECT json_group_array(rowid) FROM (
    SELECT rowid FROM word WHERE word MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ?
)
"""
"""One row with all the numbers in it: a row for each would cost twice as much to hand over."""
READ = """
SELECT memory.row, memory.id, memory.kind, home.text, memory.bag, memory.certainty, memory.proof,
    memory.seen, coalesce(line.text, ''), memory.place, memory.entities, memory.agents,
    memory.superseded
FROM {rows} JOIN name AS home ON home.id = memory.project
LEFT JOIN name AS line ON line.id = memory.thread
"""
NUMBERED = READ.format(rows="json_each(?) AS asked CROSS JOIN memory ON memory.row = asked.value")
"""Joined in this order: row by row, whatever index the rest might tempt to."""
PLACED = READ.format(
    rows="json_each(?) AS of CROSS JOIN name AS thread ON thread.text = of.key "
    "CROSS JOIN json_each(of.value) AS at "
    "CROSS JOIN memory ON memory.thread = thread.id AND memory.place = at.value"
)
LATEST = READ.format(rows="memory")


class SqliteFinder:
    """Looks up candidates in one database."""

    def __init__(self, db: sqlite3.Connection, names: Names) -> None:
        self._db = db
        self._names = names

    def search(self, query: Query) -> FoundCandidates:
        """Return the candidates for *query*, and how common its words are."""
        tally = self._db.execute("SELECT project, memories, words FROM tally").fetchall()
        total = sum(memories for _, memories, _ in tally)
        words = sum(count for _, _, count in tally)
        own = {project: memories for project, memories, _ in tally}
        [last] = self._db.execute("SELECT max(row) FROM memory").fetchone()
        frequencies: dict[str, int] = {}
        if query.terms or query.entities:
            beyond = self._beyond(query.which, own)
            weights = self._weighed(query, beyond, total, last or 0, frequencies)
            rows = self._best(weights, query)
        else:
            rows = self._last_said(query)
        return FoundCandidates(
            candidates=[_candidate(row) for row in rows],
            total=total,
            mean_size=words / total if total else 0.0,
            frequencies=frequencies,
        )

    def beside(self, places: Collection[tuple[str, int]], *, reach: int) -> list[MemoryCandidate]:
        """Return what stands within *reach* of *places*, each once."""
        wanted: dict[str, set[int]] = defaultdict(set)
        for thread, order in places:
            wanted[thread].update(range(order - reach, order + reach + 1))
        return [_candidate(row) for row in self._db.execute(PLACED, (_json(wanted),))]

    def related(self, entities: Collection[str], *, limit: int) -> list[tuple[str, int]]:
        """Return the entities met together with *entities*, counted over their newest mentions."""
        numbers = [*self._names.among(entities).values()]
        if not numbers:
            return []
        marks = ",".join("?" * len(numbers))
        query = (
            "SELECT name.text, count(*) AS often FROM mention JOIN name ON name.id = entity "  # noqa: S608
            f"WHERE entity NOT IN ({marks}) AND memory IN ("
            f"SELECT memory FROM mention WHERE entity IN ({marks}) ORDER BY memory DESC LIMIT 200) "
            "GROUP BY entity ORDER BY often DESC, name.text LIMIT ?"
        )
        return self._db.execute(query, [*numbers, *numbers, limit]).fetchall()

    def _weighed(
        self, query: Query, beyond: str, total: int, last: int, frequencies: dict[str, int]
    ) -> Mapping[int, float]:
        """Return how much of *query* each row answers, by the rarity of what it holds."""
        weights: dict[int, float] = defaultdict(float)
        common = []
        for term in query.terms:
            rows = self._holding(f'"{term}"{beyond}')
            frequencies[term] = often = _estimated(rows, total, last)
            weight = log(1 + total / (often + 1))
            if len(rows) >= NEWEST:
                common.append((often, term, weight))
            for row in rows:
                weights[row] += weight
        self._meet(sorted(common), beyond, last - LATELY, weights)
        for entity in query.entities:
            rows = self._mentioning(entity)
            weight = log(1 + total / (len(rows) + 1))
            for row in rows:
                weights[row] += weight
        return weights

    def _meet(
        self,
        common: Sequence[tuple[int, str, float]],
        beyond: str,
        after: int,
        weights: dict[int, float],
    ) -> None:
        """Take in what holds two common words, which the newest of either may not include."""
        pairs = [(a, b) for n, a in enumerate(common) for b in common[n + 1 :]]
        for (_, one, weight), (_, other, more) in pairs[:MEETINGS]:
            for row in self._holding(f'"{one}" AND "{other}"{beyond}', after=after):
                weights[row] = max(weights[row], weight + more)

    def _beyond(self, which: Which, own: Mapping[int, int]) -> str:
        """Return what narrows words to a project, where it has not most of the memories anyway."""
        if which.project is None:
            return ""
        numbers = projects(which, self._names)
        if 2 * sum(own.get(number, 0) for number in numbers) > sum(own.values()):
            return ""
        either = " OR ".join(f'"{scope(number)}"' for number in numbers) or '"_p_"'
        return f" AND ({either})"

    def _holding(self, expression: str, *, after: int = 0) -> list[int]:
        [rows] = self._db.execute(HOLDING, (expression, after, NEWEST)).fetchone()
        return _numbers(rows)

    def _mentioning(self, entity: str) -> list[int]:
        query = "SELECT memory FROM mention WHERE entity = ? ORDER BY memory DESC LIMIT ?"
        return [row for (row,) in self._db.execute(query, (self._names.find(entity), NEWEST))]

    def _best(self, weights: Mapping[int, float], query: Query) -> list[tuple[Any, ...]]:
        """Return the rows with the greatest *weights* that *query* means, as many as it wants."""
        heaviest = sorted(weights.items(), key=itemgetter(1), reverse=True)
        ranked = [row for row, _ in heaviest[: ROUNDS * query.limit]]
        where, values = filtered(query.which, self._names)
        kept: list[tuple[Any, ...]] = []
        for start in range(0, len(ranked), query.limit):
            some = _json(ranked[start : start + query.limit])
            found = self._db.execute(f"{NUMBERED} WHERE {where}", [some, *values]).fetchall()
            found.sort(key=lambda row: (-weights[row[0]], -row[0]))
            kept += found
            if len(kept) >= query.limit:
                break
        return kept[: query.limit]

    def _last_said(self, query: Query) -> list[tuple[Any, ...]]:
        where, values = filtered(query.which, self._names)
        wanted = f"{LATEST} WHERE {where} ORDER BY memory.seen DESC LIMIT ?"
        return self._db.execute(wanted, [*values, query.limit]).fetchall()


def _estimated(rows: Sequence[int], total: int, last: int) -> int:
    """Return how many memories hold a word whose newest *rows* these are.

    All of them where they are few; otherwise as many as there would be if the rest held it as
    often as the newest do.
    """
    if len(rows) < NEWEST:
        return len(rows)
    return max(len(rows), int(len(rows) * total / max(1, last - rows[-1] + 1)))


def _candidate(row: tuple[Any, ...]) -> MemoryCandidate:
    return MemoryCandidate(
        id=row[1],
        kind=_KINDS[row[2]],
        project=row[3],
        bag=row[4],
        certainty=row[5],
        proof=row[6],
        seen=row[7],
        thread=row[8],
        order=row[9],
        entities=_lines(row[10]),
        agents=_lines(row[11]),
        superseded=bool(row[12]),
    )


_json = msgspec.json.Encoder().encode
_numbers = msgspec.json.Decoder(list[int]).decode
_KINDS = {kind.value: kind for kind in MemoryKind}


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
