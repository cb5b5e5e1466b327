"""Memories in one file: every promise of a store, and what only a file can get wrong."""

import pytest

from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.testing.memory import PROMISES


@pytest.fixture
def store(tmp_path):
    made = SqliteMemory(tmp_path / "memory.sqlite")
    yield made
    made.close()


@pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
def test_the_sqlite_store_keeps_the_promise(promise, store):
    promise(store)
