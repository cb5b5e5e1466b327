"""A graph that was away is told by a job of the outbox, as soon as it is back."""

import msgspec
import pytest

from snaphook.config import Environment
from snaphook.errors import StoreError
from snaphook.providers.memory.settings import MemorySettings
from snaphook.stores.memory.dual_write import DualWriteStore
from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.stores.memory.postgres import PostgresMemory
from snaphook.stores.memory.store import Stored
from snaphook.stores.outbox import Job, JobState, Outbox, RetryLater, workers
from snaphook.testing.memory import a_memory
from snaphook.wiring import memory_jobs
from snaphook.wiring.memory_jobs import store_of, tell_graph

SETTINGS = MemorySettings(store="postgresql://db/memories", graph="bolt://graph:7687")


@pytest.fixture
def around(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_spawn", lambda around: None)
    return Environment.here(tmp_path, {"HOME": str(tmp_path)})


@pytest.fixture
def job():
    return Job(
        id="1", kind="memory-graph", key="k", payload={"settings": msgspec.to_builtins(SETTINGS)}
    )


def test_every_write_leaves_a_job_behind_first_and_one_for_a_minute_is_enough(around, monkeypatch):
    waiting = []

    def put(self, memories, *, revive=False):
        waiting.append(len(Outbox(around.data_dir).jobs(JobState.WAITING)))
        return Stored(added=1)

    monkeypatch.setattr(PostgresMemory, "put", put)
    monkeypatch.setattr(PostgresMemory, "pay", lambda self, tell: 0)
    monkeypatch.setattr(memory_jobs, "time", lambda: 120.0)
    store = store_of(SETTINGS, around)

    store.put([a_memory("one")])
    store.put([a_memory("two")])

    assert waiting == [1, 1]
    [job] = Outbox(around.data_dir).jobs(JobState.WAITING)
    assert job.kind == "memory-graph"
    store.close()


def test_the_job_tells_the_graph(around, job, monkeypatch):
    told = []
    monkeypatch.setattr(DualWriteStore, "catch_up", lambda self: told.append(type(self._graph)))

    tell_graph(job, around)

    assert told == [Neo4jMemory]


def test_while_the_graph_is_away_the_job_is_put_off_and_no_attempt_is_counted(
    around, job, monkeypatch
):
    def away(self):
        raise StoreError(where="neo4j", what="is away", fix="Wait.")

    monkeypatch.setattr(DualWriteStore, "catch_up", away)

    with pytest.raises(RetryLater, match="is away"):
        tell_graph(job, around)
