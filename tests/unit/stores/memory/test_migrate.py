"""Moving memories: everything arrives, nothing twice, nothing that was to be forgotten."""

import pytest
from tests.unit.stores.memory.servers import emptied, empty_graph

from snaphook.stores.memory.migrate import BATCH, Moved, move
from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.testing.memory import EVENTS, a_memory

FACTS = 12


@pytest.fixture
def source(tmp_path):
    store = SqliteMemory(tmp_path / "source.sqlite")
    store.put(a_memory(f"fact number {n}", time=float(n)) for n in range(FACTS))
    store.put([a_memory("Port: 80", time=50.0, settles=("port",), entities=(EVENTS,))])
    store.put([a_memory("Port: 81", time=60.0, run="run-2", settles=("port",))])
    store.put([a_memory("fact number 3", run="run-3", time=70.0)])
    gone = a_memory("a secret")
    store.put([gone])
    store.forget([gone.id])
    yield store
    store.close()


@pytest.fixture
def file(tmp_path):
    return SqliteMemory(tmp_path / "target.sqlite")


@pytest.fixture
def rows(postgres_url):
    return PostgresMemory(emptied(postgres_url))


@pytest.fixture
def graph(neo4j_url):
    return empty_graph(Neo4jMemory(neo4j_url))


@pytest.fixture(
    params=[
        "file",
        pytest.param("rows", marks=pytest.mark.needs("postgres")),
        pytest.param("graph", marks=pytest.mark.needs("neo4j")),
    ]
)
def target(request):
    store = request.getfixturevalue(request.param)
    yield store
    store.close()


def test_a_move_arrives_whole_and_a_second_finds_nothing_to_do(source, target):
    everything = list(source.every())
    seen: list[int] = []

    assert move(source, target, tell=seen.append) == Moved(memories=14, added=14, forgotten=1)

    assert list(target.every()) == everything
    assert set(target.forgotten()) == set(source.forgotten())
    assert sum(seen) == 14
    assert move(source, target) == Moved(memories=14, there=14, forgotten=1)


def test_a_dry_run_only_counts(source, file):
    file.put([a_memory("fact number 1", time=1.0)])

    assert move(source, file, dry_run=True) == Moved(memories=14, added=13, there=1, forgotten=1)
    assert file.stats().memories == 1
    assert set(file.forgotten()) == set()
    file.close()


def test_a_move_merges_with_what_is_there_and_respects_what_was_forgotten_there(source, file):
    mine, theirs = a_memory("fact number 1", run="run-9", time=90.0), a_memory("fact number 2")
    file.put([mine, theirs])
    file.forget([theirs.id])

    assert move(source, file) == Moved(memories=14, added=12, merged=1, kept_out=1, forgotten=1)
    [merged] = file.get([mine.id])
    assert {each.run for each in merged.sources} == {"run-1", "run-9"}
    assert file.get([theirs.id]) == []
    file.close()


def test_a_move_that_was_cut_short_is_finished_by_the_next(tmp_path, file):
    source = SqliteMemory(tmp_path / "long.sqlite")
    source.put(a_memory(f"fact number {n}", time=float(n)) for n in range(BATCH + 10))

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(source, file, tell=stop)
    assert file.stats().memories == BATCH

    assert move(source, file) == Moved(memories=BATCH + 10, added=10, there=BATCH)
    assert list(file.every()) == list(source.every())
    source.close()
    file.close()


def test_what_did_not_arrive_is_named(source, file, monkeypatch):
    put = file.put
    lost = a_memory("fact number 5").id
    monkeypatch.setattr(file, "put", lambda batch: put(m for m in batch if m.id != lost))

    assert move(source, file).missing == (lost,)
    file.close()
