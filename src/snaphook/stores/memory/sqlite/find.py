"""Candidates, few enough to rank and found without reading what cannot matter.

Query  ->  rowids per word, newest first  ->  the best few  ->  MemoryCandidate, …

A rare word's memories are all taken. Of a common word only the newest are looked at: it says little,
and those that hold a rare word as well come in through that one. Common words are met with each
other, as many together as are held by few memories, whatever their age. So the work is bounded however
many memories there are, and none is out of reach.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from math import log, prod
from operator import itemgetter
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from snaphook.stores.memory.store import FoundCandidates, MemoryCandidate, Query, Which
from snaphook.stores.memory.values import MemoryKind

from .filters import filtered, projects
from .names import Names
from .rows import scope

READ_MORE = 3
"""So many times what is wanted is read where words are common."""
ROUNDS = 4
"""So many times ``limit`` rows are read before narrowing gives up."""
HOLDING = """
SELECT json_group_array(rowid) FROM (
    SELECT rowid FROM word WHERE word MATCH ? ORDER BY rowid DESC LIMIT ?
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
SIZES = "SELECT row, size FROM json_each(?) AS asked CROSS JOIN memory ON row = asked.value"
TIED = 1_000
"""Of so many that weigh the same the lengths are read."""
LONG = 1_000_000
LATEST = READ.format(rows="memory")


CommonTerm: TypeAlias = tuple[int, str, float, int]
"""How many memories hold it, the word, what it is worth, and its bit."""


class SearchLimits(Struct, frozen=True, kw_only=True):
    """How much is looked at for one question."""

    newest: int = 256
    """So many memories of one word."""
    met: int = 512
    """So many of several words that are met."""
    meetings: int = 12
    """So many sets of common words are met …"""
    taken: int = 3_000
    """… until so many memories were taken in."""


JOINED = 6
"""Of so many of the rarest common words sets are made."""


def meetings(common: Sequence[CommonTerm], total: int, *, most: int) -> list[tuple[int, ...]]:
    """Return the sets of *common* words to meet: the smallest ones that few memories should hold all of.

    Sets of the rarest words come first, and one with a further word after all without it: one of the words
    asked for may not be in the memory that is meant.
    """
    chosen: list[tuple[int, ...]] = []
    for size in (2, 3, 4):
        for each in combinations(range(min(JOINED, len(common))), size):
            share = prod(common[n][0] / total for n in each)
            if total * share <= most and not any(set(known) < set(each) for known in chosen):
                chosen.append(each)
    fallback = [tuple(range(min(size, len(common)))) for size in (4, 3, 2)]
    return sorted(chosen, key=lambda each: (each[-1], each)) or [
        each for each in dict.fromkeys(fallback) if len(each) > 1
    ]


class SqliteFinder:
    """Looks up candidates in one database."""

    def __init__(
        self, db: sqlite3.Connection, names: Names, limits: SearchLimits | None = None
    ) -> None:
        self._db = db
        self._names = names
        self._limits = limits or SearchLimits()
        self._partly = False
        """Whether some word of the last question is held by more than were looked at."""
        self._worth: dict[str, float] = {}

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
        """Return how much of *query* each row answers, by the rarity of what it is known to hold.

        What a row holds is a set of bits, so that a word that is met in several ways counts once.
        """
        masks: dict[int, int] = defaultdict(int)
        worth: list[float] = []
        self._worth = {}
        common: list[CommonTerm] = []
        for term in query.terms:
            rows = self._holding(f'"{term}"{beyond}', self._limits.newest)
            frequencies[term] = often = self._estimated(rows, total, last)
            weight = self._worth[term] = log(1 + total / (often + 1))
            if len(rows) >= self._limits.newest:
                common.append((often, term, weight, 1 << len(worth)))
            for row in rows:
                masks[row] |= 1 << len(worth)
            worth.append(weight)
        self._meet(sorted(common), beyond, total, masks)
        for entity in query.entities:
            rows = self._mentioning(entity)
            for row in rows:
                masks[row] |= 1 << len(worth)
            worth.append(log(1 + total / (self._estimated(rows, total, last) + 1)))
        self._partly = bool(common)
        sums = {mask: _sum(mask, worth) for mask in set(masks.values())}
        return {row: sums[mask] for row, mask in masks.items()}

    def _meet(
        self, common: Sequence[CommonTerm], beyond: str, total: int, masks: dict[int, int]
    ) -> None:
        """Take in what holds several common words, which the newest of each may not include.

        Where a meeting has more than are looked at, a further word joins it.
        """
        limits, taken = self._limits, 0
        waiting = meetings(common, total, most=limits.met)
        for _ in range(limits.meetings):
            if not waiting or taken > limits.taken:
                return
            chosen = waiting.pop(0)
            words = " AND ".join(f'"{common[n][1]}"' for n in chosen)
            rows = self._holding(words + beyond, limits.met)
            taken += len(rows)
            held = sum(common[n][3] for n in chosen)
            for row in rows:
                masks[row] |= held
            if len(rows) >= limits.met:
                more = [(*chosen, n) for n in range(chosen[-1] + 1, len(common))]
                waiting += [each for each in more if each not in waiting]

    def _beyond(self, which: Which, own: Mapping[int, int]) -> str:
        """Return what narrows words to a project, where it has not most of the memories anyway."""
        if which.project is None:
            return ""
        numbers = projects(which, self._names)
        if 2 * sum(own.get(number, 0) for number in numbers) > sum(own.values()):
            return ""
        either = " OR ".join(f'"{scope(number)}"' for number in numbers) or '"_p_"'
        return f" AND ({either})"

    def _holding(self, expression: str, most: int) -> list[int]:
        [rows] = self._db.execute(HOLDING, (expression, most)).fetchone()
        return _numbers(rows)

    def _mentioning(self, entity: str) -> list[int]:
        query = "SELECT memory FROM mention WHERE entity = ? ORDER BY memory DESC LIMIT ?"
        return [
            row
            for (row,) in self._db.execute(query, (self._names.find(entity), self._limits.newest))
        ]

    def _best(self, weights: Mapping[int, float], query: Query) -> list[tuple[Any, ...]]:
        """Return the rows with the greatest *weights* that *query* means, as many as it wants.

        A row that was found by some of its words may hold more of them: where words are common, more rows are
        read than are wanted, and weighed by what they really hold.
        """
        heaviest: list[tuple[int, float]] = sorted(weights.items(), key=itemgetter(1), reverse=True)
        if self._partly:
            heaviest = self._shortest(heaviest, ROUNDS * query.limit)
        ranked = [row for row, _ in heaviest[: ROUNDS * query.limit]]
        where, values = filtered(query.which, self._names)
        wanted = READ_MORE * query.limit if self._partly else query.limit
        kept: list[tuple[Any, ...]] = []
        for start in range(0, len(ranked), query.limit):
            some = _json(ranked[start : start + query.limit])
            kept += self._db.execute(f"{NUMBERED} WHERE {where}", [some, *values]).fetchall()
            if len(kept) >= wanted:
                break
        held = self._held(kept, weights) if self._partly else weights
        kept.sort(key=lambda row: (-held[row[0]], -row[0]))
        return kept[: query.limit]

    def _shortest(self, heaviest: list[tuple[int, float]], most: int) -> list[tuple[int, float]]:
        """Return *heaviest*, where many weigh the same the shorter ones first, as BM25 would have it."""
        if len(heaviest) <= most or heaviest[most - 1][1] > heaviest[most][1]:
            return heaviest
        tied = [row for row, weight in heaviest if weight == heaviest[most][1]]
        sizes = dict(self._db.execute(SIZES, (_json(tied[:TIED]),)).fetchall())
        return sorted(heaviest, key=lambda each: (-each[1], sizes.get(each[0], LONG)))

    def _held(
        self, rows: Sequence[tuple[Any, ...]], weights: Mapping[int, float]
    ) -> Mapping[int, float]:
        """Return the weights of *rows*, with that of every word they hold."""
        worth = self._worth
        whole = {}
        for row in rows:
            bag = row[4]
            words = {term for term in worth if term in bag} & {*bag.split(" ")}
            whole[row[0]] = max(weights[row[0]], sum(worth[term] for term in words))
        return whole

    def _estimated(self, rows: Sequence[int], total: int, last: int) -> int:
        """Return how many memories hold a word whose newest *rows* these are.

        All of them where they are few; otherwise as many as there would be if the rest held it as
        often as the newest do.
        """
        if len(rows) < self._limits.newest:
            return len(rows)
        return max(len(rows), int(len(rows) * total / max(1, last - rows[-1] + 1)))

    def _last_said(self, query: Query) -> list[tuple[Any, ...]]:
        where, values = filtered(query.which, self._names)
        wanted = f"{LATEST} WHERE {where} ORDER BY memory.seen DESC LIMIT ?"
        return self._db.execute(wanted, [*values, query.limit]).fetchall()


def _sum(mask: int, worth: Sequence[float]) -> float:
    return sum(weight for bit, weight in enumerate(worth) if mask >> bit & 1)


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
