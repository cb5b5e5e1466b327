"""Memories in PostgreSQL: every promise of a store, and what only a server can get wrong."""

import psycopg
import pytest

from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.testing.memory import PROMISES

pytestmark = pytest.mark.needs("postgres")


@pytest.fixture
def url(postgres_url):
    with psycopg.connect(postgres_url, autocommit=True) as db:
        db.execute("DROP SCHEMA IF EXISTS snaphook_memory CASCADE")
    return postgres_url


@pytest.fixture
def store(url):
    made = PostgresMemory(url)
    yield made
    made.close()


@pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
@pytest.mark.req("BB-ST-5")
def test_the_postgresql_store_keeps_the_promise(promise, store):
    promise(store)
