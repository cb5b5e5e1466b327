"""Rows in PostgreSQL and the graph in Neo4j: neither lacks what the other has."""

import pytest
from tests.servers.cable import Cable
from tests.unit.stores.memory.servers import dies, emptied, empty_graph

from snaphook.stores.memory.dual_write import DualWriteStore
from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.stores.memory.store import Stored
from snaphook.testing.memory import EVENTS, FRAMES, PROMISES, a_memory

pytestmark = [pytest.mark.needs("postgres", "neo4j"), pytest.mark.req("BB-ST-5")]

WRITING = [
    "gives back what was put",
    "strengthens what another run repeats",
    "lets the youngest settle a question",
    "finds by entities",
    "forgets for good",
    "keeps out what another store forgot",
    "replaces when told",
]
"""The promises that write, each in its own way; what only reads is the rows' own business."""


class Pair:
    """Both stores, the pair of them, and a cable to the graph."""

    def __init__(self, rows_url, graph_url):
        self.rows_url = emptied(rows_url)
        self.graph = empty_graph(Neo4jMemory(graph_url))
        self.cable = Cable(graph_url)
        self.rows = PostgresMemory(self.rows_url, owing=True)
        self.asked = 0
        self.both = DualWriteStore(self.rows, Neo4jMemory(self.cable.url), later=self._later)

    def _later(self):
        self.asked += 1

    def agrees(self):
        return list(self.graph.every()) == list(self.rows.every()) and self.rows.owed() == 0

    def close(self):
        self.both.close()
        self.graph.close()
        self.cable.close()


@pytest.fixture
def pair(postgres_url, neo4j_url):
    made = Pair(postgres_url, neo4j_url)
    yield made
    made.close()


@pytest.mark.parametrize("promise", WRITING)
def test_the_pair_keeps_the_promise_and_agrees_with_itself(promise, pair):
    PROMISES[promise](pair.both)

    assert pair.agrees()


def test_a_graph_that_is_away_hears_everything_when_it_is_back(pair):
    kept = a_memory("They belong together", entities=(EVENTS, FRAMES))
    gone = a_memory("Port: 80")
    pair.both.put([gone])

    pair.cable.pull()
    assert pair.both.put([kept]) == Stored(added=1)
    assert pair.both.forget([gone.id]) == 1
    assert pair.both.related([EVENTS.key], limit=5) == [(FRAMES.key, 1)]
    assert list(pair.graph.every()) == [gone]
    assert pair.asked == 3

    pair.cable.plug_in()
    assert pair.both.catch_up() == 2
    assert list(pair.graph.every()) == [kept]
    assert pair.agrees()


def test_a_process_killed_between_the_two_leaves_a_note_of_what_the_graph_lacks(pair):
    dies(
        """
        import os, signal, sys
        from snaphook.stores.memory.neo4j import Neo4jMemory
        from snaphook.stores.memory.dual_write import DualWriteStore
        from snaphook.stores.memory.postgres import PostgresMemory
        from snaphook.testing.memory import a_memory
        Neo4jMemory.replace = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
        rows, graph = PostgresMemory(sys.argv[1], owing=True), Neo4jMemory(sys.argv[2])
        pair = DualWriteStore(rows, graph, later=lambda: None)
        pair.put([a_memory("Tests run under pytest")])
        """,
        pair.rows_url,
        pair.cable.url,
    )
    assert [each.text for each in pair.rows.every()] == ["Tests run under pytest"]
    assert list(pair.graph.every()) == []

    pair.both.put([a_memory("We use ruff")])

    assert pair.agrees()


def test_a_process_killed_while_the_graph_is_told_leaves_the_note_standing(pair):
    dies(
        """
        import os, signal, sys
        from snaphook.stores.memory.neo4j import Neo4jMemory
        from snaphook.stores.memory.dual_write import DualWriteStore
        from snaphook.stores.memory.postgres import PostgresMemory
        from snaphook.testing.memory import a_memory
        told = Neo4jMemory.replace
        def replace(self, memories, *, gone):
            told(self, memories, gone=gone)
            os.kill(os.getpid(), signal.SIGKILL)
        Neo4jMemory.replace = replace
        rows, graph = PostgresMemory(sys.argv[1], owing=True), Neo4jMemory(sys.argv[2])
        DualWriteStore(rows, graph, later=lambda: None).put([a_memory("Tests run under pytest")])
        """,
        pair.rows_url,
        pair.cable.url,
    )
    assert pair.rows.owed() == 1

    assert pair.both.catch_up() == 1
    assert pair.agrees()
