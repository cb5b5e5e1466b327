"""Memories in PostgreSQL: every promise of a store, and what only a server can get wrong."""

import psycopg
import pytest
from tests.servers.cable import Cable
from tests.unit.stores.memory.servers import agree_as_a_crowd, dies, emptied, toy_model

from snaphook.errors import StoreError
from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.stores.memory.postgres.schema import STEPS
from snaphook.stores.memory.store import Query, Stored
from snaphook.stores.memory.words import terms
from snaphook.testing.memory import PROMISES, a_memory

pytestmark = pytest.mark.needs("postgres")
ANSWER = "The automobile wants oil"


@pytest.fixture
def url(postgres_url):
    return emptied(postgres_url)


@pytest.fixture
def store(url):
    made = PostgresMemory(url)
    yield made
    made.close()


@pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
@pytest.mark.req("BB-ST-5")
def test_the_postgresql_store_keeps_the_promise(promise, store):
    promise(store)


def test_twenty_agents_write_at_once(url):
    agree_as_a_crowd(lambda: PostgresMemory(url))


def test_a_writer_killed_in_the_middle_leaves_nothing_behind(url, store):
    dies(
        """
        import os, signal, sys
        from snaphook.stores.memory.postgres import PostgresMemory
        from snaphook.stores.memory.postgres.repository import PostgresRepository
        from snaphook.testing.memory import a_memory
        PostgresRepository._count = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        PostgresMemory(sys.argv[1]).put([a_memory(f"fact {n}") for n in range(500)])
        """,
        url,
    )

    assert list(store.every()) == []
    assert store.put([a_memory("fact 1")]) == Stored(added=1)


def test_a_server_that_is_away_is_told_without_its_password_and_found_again(url):
    cable = Cable(url.replace("snaphook@", "snaphook:hidden@"))
    store = PostgresMemory(cable.url)
    store.put([a_memory("Tests run under pytest")])

    cable.pull()
    with pytest.raises(StoreError) as away:
        store.stats()
    with pytest.raises(StoreError):
        store.put([a_memory("We use ruff")])
    assert "hidden" not in str(away.value)

    cable.plug_in()
    assert store.put([a_memory("We use ruff")]) == Stored(added=1)
    store.close()
    cable.close()


def test_many_memories_are_yielded_page_by_page(store):
    many = [a_memory(f"fact number {n}", time=float(n // 7)) for n in range(2500)]
    assert store.put(many) == Stored(added=2500)

    assert {each.id for each in store.every()} == {each.id for each in many}
    assert [each.seen for each in store.every()] == sorted(each.seen for each in many)


def test_a_text_with_a_nul_character_is_kept(store):
    odd = a_memory("a\0b", project="/p\0", thread="t\0")
    store.put([odd])

    assert store.get([odd.id]) == [odd]


def test_tables_of_a_later_version_are_left_alone(url, store):
    store.stats()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("UPDATE snaphook_memory.layout SET version = %s", (len(STEPS) + 1,))

    with pytest.raises(StoreError, match="Update Snaphook"):
        PostgresMemory(url).stats()


def test_without_pgvector_words_are_all_there_is(url):
    store = PostgresMemory(url, embed=toy_model)
    store.put([a_memory(ANSWER)])

    [found] = store.search(Query(text="automobile", terms=terms("automobile"))).candidates
    assert found.similarity is None
    store.close()


@pytest.mark.needs("pgvector")
def test_with_pgvector_meaning_finds_what_words_do_not(pgvector_url):
    store = PostgresMemory(emptied(pgvector_url), embed=toy_model)
    answer = a_memory(ANSWER)
    store.put([answer, a_memory("flour for bread")])

    found = store.search(Query(text="car", terms=terms("car"))).candidates
    near = {each.id: each.similarity for each in found}
    assert near[answer.id] == pytest.approx(1.0)
    assert store.forget([answer.id]) == 1
    left = store.search(Query(text="car", terms=terms("car"))).candidates
    assert answer.id not in {each.id for each in left}
    store.close()
