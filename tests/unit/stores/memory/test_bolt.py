"""Memories as a graph: every promise of a store, on Neo4j and on a Bolt server that is not Neo4j."""

import pytest
from tests.servers.cable import Cable
from tests.unit.stores.memory.servers import agree_as_a_crowd, dies, empty_graph, toy_model

from snaphook.errors import StoreError
from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.stores.memory.neo4j.schema import Abilities
from snaphook.stores.memory.store import Query, Stored
from snaphook.stores.memory.words import terms
from snaphook.testing.memory import EVENTS, PROMISES, a_memory

SERVERS = [
    pytest.param("neo4j_url", marks=pytest.mark.needs("neo4j"), id="Neo4j"),
    pytest.param("arcadedb_url", marks=pytest.mark.needs("arcadedb"), id="ArcadeDB"),
]


@pytest.fixture(params=SERVERS, scope="module")
def url(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def opened(url):
    """A store whose indexes are made once: that takes a server longer than any promise."""
    made = Neo4jMemory(url)
    yield made
    made.close()


@pytest.fixture
def store(opened):
    return empty_graph(opened)


@pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
@pytest.mark.req("BB-ST-5")
def test_the_graph_store_keeps_the_promise(promise, store):
    promise(store)


def test_a_server_is_asked_what_it_can_do(store, url):
    store.stats()

    assert store._can == Abilities(full_text="neo4j:" in url, vectors=False)


def test_twenty_agents_write_at_once(store, url):
    agree_as_a_crowd(lambda: Neo4jMemory(url))


def test_a_memory_is_tied_to_what_it_is_about(store):
    old = a_memory("Port: 80", run="run-1", time=1.0, settles=("port",))
    new = a_memory(
        "Port: 81",
        run="run-2",
        time=2.0,
        settles=("port",),
        agent="planner",
        task="T-1",
        entities=(EVENTS,),
    )
    store.put([new])
    store.put([old])

    with store._server.reading() as run:
        ties = run(
            "MATCH (m:Memory {id: $id})-[r]->(n) WHERE NOT n:Word "
            "RETURN type(r), coalesce(n.key, n.name, n.id)",
            id=new.id,
        )
    assert sorted(map(tuple, ties)) == [
        ("BY_AGENT", "planner"),
        ("FROM_RUN", "run-2"),
        ("MENTIONS", EVENTS.key),
        ("OF_TASK", "T-1"),
        ("SETTLES", "/p\nport"),
        ("SUPERSEDES", old.id),
    ]


def test_nothing_is_left_of_what_is_forgotten_but_its_id(store):
    secret = a_memory("hunter two", agent="planner", task="T-1", entities=(EVENTS,))
    store.put([secret])

    assert store.forget([secret.id]) == 1
    with store._server.reading() as run:
        left = run("MATCH (n) WHERE NOT n:Snaphook RETURN n.id")
    assert left == [[secret.id]]


def test_a_writer_killed_in_the_middle_leaves_nothing_behind(url, store):
    dies(
        """
        import os, signal, sys
        from snaphook.stores.memory.neo4j import Neo4jMemory
        from snaphook.stores.memory.neo4j.repository import Neo4jRepository
        from snaphook.testing.memory import a_memory
        Neo4jRepository._count = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        Neo4jMemory(sys.argv[1]).put([a_memory(f"fact {n}") for n in range(50)])
        """,
        url,
    )

    assert list(store.every()) == []
    assert store.put([a_memory("fact 1")]) == Stored(added=1)


def test_a_server_that_is_away_is_told_without_its_password_and_found_again(url, store):
    cable = Cable(url)
    far = Neo4jMemory(cable.url)
    assert far.put([a_memory("Tests run under pytest")]) == Stored(added=1)

    cable.pull()
    with pytest.raises(StoreError) as away:
        far.stats()
    assert "only-for-tests" not in str(away.value)

    cable.plug_in()
    assert far.put([a_memory("We use ruff")]) == Stored(added=1)
    far.close()
    cable.close()


@pytest.mark.needs("neo4j")
def test_meaning_finds_what_words_do_not_where_the_server_indexes_vectors(neo4j_url):
    store = empty_graph(Neo4jMemory(neo4j_url, embed=toy_model))
    answer = a_memory("The automobile wants oil")
    store.put([answer, a_memory("flour for bread")])

    found = store.search(Query(text="car", terms=terms("car"))).candidates
    near = {each.id: each.similarity for each in found}
    assert near[answer.id] == pytest.approx(1.0, abs=1e-3)
    store.close()
