"""Memories in one file: every promise of a store, and what only a file can get wrong."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest
from tests.thorough import thorough

from snaphook.errors import StoreError
from snaphook.stores.memory.recall import RecallQuery, recall
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.stores.memory.sqlite.find import SearchLimits, meetings
from snaphook.stores.memory.store import Query, Which
from snaphook.testing.memory import PROMISES, a_memory, check_memory_store

PROCESSES = thorough(20, 6)
FEW = SearchLimits().newest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite"


@pytest.fixture
def store(path):
    made = SqliteMemory(path)
    yield made
    made.close()


@pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
def test_the_sqlite_store_keeps_the_promise(promise, store):
    promise(store)


def test_a_broken_promise_is_a_fault(tmp_path):
    class Sieve(SqliteMemory):
        def get(self, ids):
            return []

    numbers = iter(range(99))
    faults = check_memory_store(lambda: Sieve(tmp_path / f"{next(numbers)}.sqlite"))

    assert "gives back what was put" in {fault.promise for fault in faults}


def test_what_is_forgotten_is_nowhere_in_the_file(path):
    store = SqliteMemory(path)
    word = "quetzalcoatlus"
    store.put([a_memory(f"step {n} of the plan") for n in range(200)])
    secret = a_memory(f"The mirror is called {word}", thread=f"about {word}", task=f"T-{word}")
    store.put([secret])
    assert found_in(path, word)

    store.forget([secret.id])

    assert not found_in(path, word)
    assert store.stats().memories == 200
    store.close()


def found_in(path, word):
    """Say whether *word*, or the stem that the index keeps of it, is in any file of the store."""
    return any(word[:9].encode() in file.read_bytes() for file in path.parent.iterdir())


def test_a_common_word_still_finds_what_holds_a_rare_one_too(store):
    needle = a_memory("the server of the zeppelin")
    store.put([needle])
    store.put([a_memory(f"server number {n}") for n in range(FEW + 50)])

    found = store.search(Query(terms=("server", "zeppelin"), limit=20))

    assert found.candidates[0].id == needle.id
    assert found.frequencies["server"] > FEW


def test_two_common_words_meet(store):
    needle = a_memory("red server in the old cellar")
    store.put([needle])
    store.put([a_memory(f"server number {n}") for n in range(FEW + 50)])
    store.put([a_memory(f"red number {n}") for n in range(FEW + 50)])

    found = store.search(Query(terms=("server", "red"), limit=20))

    assert found.candidates[0].id == needle.id


def test_no_memory_is_out_of_reach_however_old_it_is(path):
    """Every word is common, and of each only a few of the newest memories are looked at."""
    dice = random.Random(7)
    words = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("alt", "erk", "oom")]
    texts = [" ".join(dice.sample(words, 6)) for _ in range(3_000)]
    store = SqliteMemory(path, limits=SearchLimits(newest=16, met=16))
    store.put([a_memory(text, run=f"run-{n}") for n, text in enumerate(texts)])
    for tenth in range(10):
        asked = [texts[tenth * 300 + n * 10] for n in range(30)]
        found = 0
        for text in asked:
            terms = (*dice.sample(text.split(), 5), dice.choice(words))
            candidates = store.search(Query(terms=tuple(dict.fromkeys(terms)))).candidates
            found += a_memory(text).id in {each.id for each in candidates}
        assert found >= 0.95 * len(asked), f"tenth {tenth}: {found} of {len(asked)}"
    store.close()


@pytest.mark.parametrize(
    ("often", "sets"),
    [
        pytest.param((100, 100), [(0, 1)], id="two words"),
        pytest.param((100, 100, 100), [(0, 1), (0, 2), (1, 2)], id="every pair"),
        pytest.param((800, 800, 800), [(0, 1, 2)], id="too common for pairs"),
        pytest.param((900, 900, 900, 950, 950), [(0, 1, 2, 3), (0, 1, 2), (0, 1)], id="hopeless"),
    ],
)
def test_common_words_are_met_in_the_smallest_sets_that_few_hold(often, sets):
    common = [(each, f"w{n}", 1.0, 1 << n) for n, each in enumerate(often)]

    assert meetings(common, 1_000, most=520 if 800 in often else 100) == sets


def test_what_is_forgotten_while_somebody_reads_goes_when_they_are_done(path):
    store = SqliteMemory(path)
    word = "quetzalcoatlus"
    secret = a_memory(f"The mirror is called {word}")
    store.put([secret])
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory").fetchone()

    assert store.forget([secret.id]) == 1

    assert store.remaining() == ("the write-ahead log, as long as another process reads the store",)
    assert found_in(path, word)
    reader.close()
    assert store.finish_forgetting() == ()
    assert not found_in(path, word)
    store.close()


def test_a_large_index_is_rewritten_later(path):
    store = SqliteMemory(path, index_now=0)
    word = "quetzalcoatlus"
    secret = a_memory(f"The mirror is called {word}")
    store.put([secret, a_memory("something else that stays")])

    store.forget([secret.id])

    assert store.remaining() == ("the index of words",)
    assert store.finish_forgetting() == ()
    assert not found_in(path, word)
    store.close()


def test_a_small_project_is_not_drowned_by_a_large_one(store):
    mine = a_memory("the server is green", project="/small")
    store.put([mine])
    store.put([a_memory(f"server number {n}", project="/large") for n in range(FEW + 50)])

    found = store.search(Query(terms=("server",), which=Which(project="/small")))

    assert [each.id for each in found.candidates] == [mine.id]


def test_a_file_that_is_no_store_is_told_with_what_to_do(path):
    path.write_bytes(b"nothing of the kind" * 100)

    with pytest.raises(StoreError, match=r"cannot be opened as a memory store.*Move it away"):
        SqliteMemory(path)


def test_only_its_owner_can_read_the_file(path, store):
    assert path.stat().st_mode & 0o077 == 0


def work(path, number):
    """Retain and recall, as one of many agents."""
    store = SqliteMemory(Path(path))
    for turn in range(5):
        store.put([a_memory(f"agent {number} turn {turn} learned a lesson", run=f"run-{number}")])
        store.put(
            [a_memory("everybody learned this lesson", run=f"run-{number}", time=float(turn))]
        )
        assert recall(store, RecallQuery(text="lesson learned"), now=1.0)
    store.close()


def test_many_agents_retain_and_recall_at_once(path):
    spawned = get_context("fork")
    agents = [spawned.Process(target=work, args=(path, n)) for n in range(PROCESSES)]
    for agent in agents:
        agent.start()
    for agent in agents:
        agent.join(90)

    assert [agent.exitcode for agent in agents] == [0] * PROCESSES
    store = SqliteMemory(path)
    assert store.stats().memories == PROCESSES * 5 + 1
    [shared] = store.get([a_memory("everybody learned this lesson").id])
    assert shared.proof == PROCESSES
    store.close()


KILLED = """
import sys
from pathlib import Path
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.testing.memory import a_memory

store = SqliteMemory(Path(sys.argv[1]))
for batch in range(100_000):
    store.put([a_memory(f"batch {batch} member {n}", run=f"run-{batch}") for n in range(25)])
    print(batch, flush=True)
"""


def test_killed_in_the_middle_nothing_is_half_stored(path):
    for _ in range(thorough(8, 2)):
        writer = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(3)]
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()

        store = SqliteMemory(path)
        count = store.stats().memories
        assert told[-1]
        assert count % 25 == 0
        assert count >= 75
        words = store.search(Query(terms=("member",), limit=1)).total
        assert words == count
        store.close()
