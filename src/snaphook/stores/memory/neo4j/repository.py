"""Memories as nodes, and what ties them to everything else, inside one transaction.

(:Memory)-[:MENTIONS]->(:Entity)    -[:FROM_RUN]->(:Run)    -[:OF_TASK]->(:Task)
         -[:BY_AGENT]->(:Agent)     -[:SETTLES]->(:Question)    -[:SUPERSEDES]->(:Memory)

Entities that are met together are two MENTIONS apart.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from snaphook.stores.memory.recall import Embed
from snaphook.stores.memory.values import Memory
from snaphook.stores.memory.weave import Question
from snaphook.stores.memory.words import bag

from .schema import Abilities, Run

LINKS: Mapping[str, tuple[str, str]] = {
    "MENTIONS": ("Entity", "key"),
    "FROM_RUN": ("Run", "name"),
    "OF_TASK": ("Task", "name"),
    "BY_AGENT": ("Agent", "name"),
    "SETTLES": ("Question", "key"),
    "SAYS": ("Word", "text"),
}
"""Each relation, the label at its far end, and the property that names what is there."""

_REMOVE = """
MATCH (m:Memory) WHERE m.id IN $ids
OPTIONAL MATCH (m)-->(n) WHERE NOT n:Memory
WITH collect(DISTINCT m) AS gone, collect(DISTINCT n) AS near
FOREACH (each IN gone | DETACH DELETE each)
WITH near UNWIND near AS n
WITH n WHERE NOT EXISTS { (n)--() }
DELETE n
"""
_SUPERSEDED = """
MATCH (old:Memory) WHERE old.id IN $ids OR old.superseded_by IN $ids
MATCH (new:Memory {id: old.superseded_by})
MERGE (new)-[:SUPERSEDES]->(old)
"""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Memory).decode


class Neo4jRepository:
    """What :class:`Shelf` says, by *run*, which runs a query inside the transaction."""

    def __init__(self, run: Run, *, can: Abilities, embed: Embed | None) -> None:
        self._run = run
        self._can = can
        self._embed = embed

    def take_turn(self) -> None:
        """Wait until no other writer is at work: counts and ties are shared by all."""
        self._run("MATCH (s:Snaphook {id: 'memory'}) SET s.turn = s.turn + 1")

    def by_id(self, ids: Collection[str]) -> Iterable[Memory]:
        """Return those with *ids*."""
        query = "MATCH (m:Memory) WHERE m.id IN $ids RETURN m.body"
        return [decode(body) for (body,) in self._run(query, ids=[*ids])]

    def by_question(self, questions: Collection[Question]) -> Iterable[Memory]:
        """Return those that settle any of *questions*."""
        query = (
            "MATCH (q:Question)<-[:SETTLES]-(m:Memory) WHERE q.key IN $keys RETURN DISTINCT m.body"
        )
        keys = [_asked(*question) for question in questions]
        return [decode(body) for (body,) in self._run(query, keys=keys)]

    def write(self, memories: Sequence[Memory]) -> None:
        """Keep *memories* exactly as they are, and what they are tied to."""
        if not memories:
            return
        ids = [memory.id for memory in memories]
        before = dict(self._run("MATCH (m:Memory) WHERE m.id IN $ids RETURN m.id, m.size", ids=ids))
        if before:
            self._untie(list(before))
        rows = [_properties(memory) for memory in memories]
        self._add_vectors(rows)
        self._run("UNWIND $rows AS row MERGE (m:Memory {id: row.id}) SET m = row", rows=rows)
        self._tie(memories)
        longer = sum(row["size"] for row in rows) - sum(before.values())
        self._count(len({*ids}) - len(before), longer)

    def remove(self, ids: Collection[str]) -> None:
        """Remove those with *ids*, and the entities, runs and words that nothing else is tied to."""
        query = "MATCH (m:Memory) WHERE m.id IN $ids RETURN m.size"
        sizes = [size for (size,) in self._run(query, ids=[*ids])]
        if sizes:
            self._run(_REMOVE, ids=[*ids])
            self._count(-len(sizes), -sum(sizes))

    def buried(self, ids: Collection[str]) -> Collection[str]:
        """Return those of *ids* that somebody asked to forget."""
        query = "MATCH (f:Forgotten) WHERE f.id IN $ids RETURN f.id"
        return {key for (key,) in self._run(query, ids=[*ids])}

    def bury(self, ids: Collection[str]) -> None:
        """Note that *ids* are to stay out."""
        self._run("UNWIND $ids AS id MERGE (:Forgotten {id: id})", ids=[*ids])

    def unbury(self, ids: Collection[str]) -> None:
        """Let *ids* in again."""
        self._run("MATCH (f:Forgotten) WHERE f.id IN $ids DELETE f", ids=[*ids])

    def _untie(self, ids: Sequence[str]) -> None:
        outgoing = "|".join(LINKS)
        self._run(f"MATCH (m:Memory)-[r:{outgoing}]->() WHERE m.id IN $ids DELETE r", ids=ids)
        self._run("MATCH (m:Memory)<-[r:SUPERSEDES]-() WHERE m.id IN $ids DELETE r", ids=ids)

    def _tie(self, memories: Sequence[Memory]) -> None:
        ties = {relation: list[dict[str, str]]() for relation in LINKS}
        for memory in memories:
            for relation, name in _tied(memory):
                if relation != "SAYS" or not self._can.full_text:
                    ties[relation].append({"id": memory.id, "name": name})
        for relation, rows in ties.items():
            if rows:
                label, key = LINKS[relation]
                self._run(
                    f"UNWIND $rows AS row MATCH (m:Memory {{id: row.id}}) "
                    f"MERGE (n:{label} {{{key}: row.name}}) CREATE (m)-[:{relation}]->(n)",
                    rows=rows,
                )
        self._run(_SUPERSEDED, ids=[memory.id for memory in memories])

    def _add_vectors(self, rows: Sequence[dict[str, Any]]) -> None:
        if self._can.vectors and self._embed:
            for row, vector in zip(rows, self._embed([row["text"] for row in rows]), strict=True):
                row["vector"] = [float(number) for number in vector]

    def _count(self, memories: int, words: int) -> None:
        self._run(
            "MATCH (s:Snaphook {id: 'memory'}) "
            "SET s.memories = s.memories + $memories, s.words = s.words + $words",
            memories=memories,
            words=words,
        )


def _asked(project: str, question: str) -> str:
    return f"{project}\n{question}"


def _tied(memory: Memory) -> Iterable[tuple[str, str]]:
    """Return each relation of *memory* and the name at its far end, once."""
    said = [("SAYS", word) for word in bag(memory).split(" ")]
    told = [
        (relation, name)
        for source in memory.sources
        for relation, name in (("FROM_RUN", source.run), ("OF_TASK", source.task))
    ]
    ties = [
        *(("MENTIONS", entity.key) for entity in memory.entities),
        *(("BY_AGENT", agent) for agent in memory.agents),
        *(("SETTLES", _asked(memory.project, question)) for question in memory.settles),
        *told,
        *said,
    ]
    return [tie for tie in dict.fromkeys(ties) if tie[1]]


def _properties(memory: Memory) -> dict[str, Any]:
    words = bag(memory)
    return {
        "id": memory.id,
        "text": memory.text,
        "project": memory.project,
        "kind": memory.kind.value,
        "certainty": memory.certainty,
        "proof": memory.proof,
        "seen": memory.seen,
        "created": memory.created,
        "thread": memory.thread,
        "place": memory.order,
        "superseded": not memory.current,
        "superseded_by": memory.superseded_by,
        "size": words.count(" ") + 1,
        "agents": [*memory.agents],
        "entities": [entity.key for entity in memory.entities],
        "bag": words,
        "body": encode(memory).decode(),
    }
