"""What the tests of the server stores share: empty stores, a toy model, crowds, sudden deaths."""

import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
from tests.thorough import thorough

from snaphook.stores.memory.neo4j import Neo4jMemory
from snaphook.stores.memory.store import MemoryStore, Which
from snaphook.testing.memory import a_memory


def emptied(url: str) -> str:
    """Return the PostgreSQL *url*, with no table of ours behind it."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("DROP SCHEMA IF EXISTS snaphook_memory CASCADE")
    return url


def empty_graph(store: Neo4jMemory) -> Neo4jMemory:
    """Return *store* with nothing in it, tombstones neither."""
    store.replace([], gone=[memory.id for memory in store.every()])
    store._server.writing(lambda run: run("MATCH (f:Forgotten) DELETE f"))
    return store


def toy_model(texts: Sequence[str]) -> list[list[float]]:
    """Return vectors that know three subjects."""
    subjects = ({"car", "automobile", "engine"}, {"bread", "oven", "flour"}, {"sea", "ship"})
    found = [{*text.casefold().split()} for text in texts]
    return [[0.1 + len(words & subject) for subject in subjects] for words in found]


def agree_as_a_crowd(make: Callable[[], MemoryStore]) -> None:
    """Have many agents retain the same and the contrary at once; nothing is lost, one answer counts."""
    agents = thorough(20, 8)

    def retain(n: int) -> None:
        run, time = f"run-{n}", float(n)
        with closing(make()) as store:
            store.put([a_memory("Tests run under pytest", run=run, time=time)])
            store.put([a_memory(f"Port: {n}", run=run, time=time, settles=("port",))])
            assert store.newest(Which(project="/p"), limit=5)

    with ThreadPoolExecutor(agents) as crowd:
        list(crowd.map(retain, range(agents)))
    with closing(make()) as store:
        [same] = store.get([a_memory("Tests run under pytest").id])
        assert same.proof == agents
        assert {each.text for each in store.newest(Which())} == {
            f"Port: {agents - 1}",
            "Tests run under pytest",
        }
        assert (store.stats().memories, store.stats().current) == (agents + 1, 2)


def dies(script: str, *arguments: str) -> None:
    """Run *script* in a process of its own and see it killed."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
