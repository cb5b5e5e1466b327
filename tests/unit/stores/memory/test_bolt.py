"""Memories as a graph: every promise of a store, on Neo4j and on a Bolt server that is not Neo4j."""

import pytest

from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.testing.memory import PROMISES

SERVERS = [
    pytest.param("neo4j_url", marks=pytest.mark.needs("neo4j"), id="Neo4j"),
    pytest.param("arcadedb_url", marks=pytest.mark.needs("arcadedb"), id="ArcadeDB"),
]


@pytest.fixture(params=SERVERS, scope="module")
def opened(request):
    """A store whose indexes are made once: that takes a server longer than any promise."""
    made = Neo4jMemory(request.getfixturevalue(request.param))
    yield made
    made.close()


@pytest.fixture
def store(opened):
    opened.replace([], gone=[memory.id for memory in opened.every()])
    opened._server.writing(lambda run: run("MATCH (f:Forgotten) DELETE f"))
    return opened


@pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
@pytest.mark.req("BB-ST-5")
def test_the_graph_store_keeps_the_promise(promise, store):
    promise(store)
