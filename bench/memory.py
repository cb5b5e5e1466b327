"""Memory: how well it recalls, how fast, and what it costs to keep.

Quality is recall at 10: of the memories that answer a question, how many are among the first ten.
LoCoMo (a public set of long conversations) is measured where SNAPHOOK_LOCOMO names its file, on the
conversations that nothing was tuned on; it is never shipped.
"""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter

from bench.locomo import Conversation, load
from bench.runlogs import asked as asked_of
from bench.runlogs import one_run, run_logs, some_asked
from bench.table import row, section
from snaphook.stores.memory.recall import RecallQuery, for_session, recall
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.stores.memory.values import Memory
from snaphook.testing.tasklogs import BEGUN, LogQuestion, task_log, task_logs

PROJECT = "/made/up"
NOW = BEGUN + 400 * 86_400.0
QUALITY_RUNS = 1_500
ASKED = 300
EVERY = 7
"""So many task-log questions apart; they come in fours, one of each sort, so an even step would miss some."""
REALISTIC, WORST = "words as in real logs (Zipf)", "worst case: every word is common"
LATER = 0.99
MILLION = 1_000_000
TENTH = 50
"""So many questions about each tenth of the memories by age."""


def main() -> None:
    """Measure quality, then speed at two sizes; the larger one where SNAPHOOK_BENCH_MILLION is set."""
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        folder = Path(name)
        _quality(folder)
        for corpus in (REALISTIC, WORST):
            _speed(folder, corpus, 100_000, middle=5.0, late=20.0)
        if os.environ.get("SNAPHOOK_BENCH_MILLION"):
            _speed(folder, REALISTIC, 1_000_000, middle=20.0, late=None)


def _quality(folder: Path) -> None:
    logs = task_logs(runs=QUALITY_RUNS)
    section(f"memory, recall at 10: task logs ({len(logs.memories)} memories, made for this)")
    ours, plain = _both(folder / "logs.sqlite", logs.memories, logs.questions)
    _told(ours, plain)
    where = os.environ.get("SNAPHOOK_LOCOMO")
    if not where:
        return
    held = load(Path(where))[1::2]
    asked = sum(len(each.questions) for each in held)
    section(f"memory, recall at 10: LoCoMo, {len(held)} conversations held out ({asked} questions)")
    scores = [_conversation(folder / f"locomo-{n}.sqlite", each) for n, each in enumerate(held)]
    counts = [len(each.questions) for each in held]
    ours, plain, fair = (
        sum(score[n] * count for score, count in zip(scores, counts, strict=True)) / asked
        for n in range(3)
    )
    _told(ours, plain)
    row("FTS5 with stop words left out", fair, "%")


def _told(ours: float, plain: float) -> None:
    row("FTS5, bm25(), porter", plain, "%")
    row("recall", ours, "%")
    row("better by", ours - plain, "pt", 10, floor=True)


def _both(
    path: Path, memories: Sequence[Memory], questions: Sequence[LogQuestion]
) -> tuple[float, float]:
    """Return recall at 10 of ours and of plain FTS5, in per cent."""
    store = SqliteMemory(path)
    store.put(memories)
    known = {memory.id for memory in memories}
    asked = [question for question in questions if question.answers <= known]
    asked = asked[::EVERY] if len(asked) > EVERY * 100 else asked

    def ours(text: str) -> set[str]:
        wanted = RecallQuery(text=text, limit=10)
        return {hit.memory.id for hit in recall(store, wanted, now=NOW)}

    plain = _plain(memories)
    scores = (_score(asked, ours), _score(asked, plain))
    store.close()
    return scores


def _conversation(path: Path, conversation: Conversation) -> tuple[float, float, float]:
    ours, plain = _both(path, conversation.memories, conversation.questions)
    fair = _score(conversation.questions, _plain(conversation.memories, stop=True))
    return ours, plain, fair


def _score(questions: Sequence[LogQuestion], ask: Callable[[str], set[str]]) -> float:
    parts = [len(each.answers & ask(each.text)) / len(each.answers) for each in questions]
    return 100 * sum(parts) / len(parts)


def _plain(memories: Sequence[Memory], *, stop: bool = False) -> Callable[[str], set[str]]:
    """Return what a plain full-text search finds: every word, joined by OR, ranked by bm25()."""
    from snaphook.stores.memory.words import STOP

    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='porter unicode61')")
    rows = [(n, memory.text) for n, memory in enumerate(memories)]
    db.executemany("INSERT INTO plain(rowid, text) VALUES (?, ?)", rows)
    left_out = set(STOP.split()) if stop else set()

    def ask(text: str) -> set[str]:
        words = [word for word in re.findall(r"\w+", text) if word.casefold() not in left_out]
        query = " OR ".join(f'"{word}"' for word in words)
        found = db.execute(
            "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10", (query,)
        )
        return {memories[n].id for (n,) in found}

    return ask


def _speed(folder: Path, corpus: str, count: int, *, middle: float, late: float | None) -> None:
    section(f"memory, speed and size: {count:,} different memories in SQLite, {corpus}")
    path = folder / f"speed-{corpus[:4]}-{count}.sqlite"
    store = SqliteMemory(path)
    made = run_logs() if corpus == REALISTIC else worst_logs()
    put = kept = runs = 0
    taken = 0.0
    while kept < count:
        batch = [memory for run in islice(made, 125) for memory in run]
        started = perf_counter()
        kept += store.put(batch).added
        taken += perf_counter() - started
        put, runs = put + len(batch), runs + 125
    row("retained", put / taken, "/s", 2_000, floor=True)
    asked = some_asked if corpus == REALISTIC else worst_asked
    _recall_times(store, asked(ASKED, runs), middle, late)
    if corpus == REALISTIC and count >= MILLION:
        _by_age(store, runs)
    store.close()  # which empties the write-ahead log into the file
    row("on disk, a memory", path.stat().st_size / kept, "B")
    mine, mapped = _resident(path)
    row("resident after a hundred questions, of its own", mine / 2**20, "MB")
    row("… and of the file, mapped, which others share", mapped / 2**20, "MB")
    _fresh(path)


def _by_age(store: SqliteMemory, runs: int) -> None:
    """Say how often a memory that somebody half remembers is found, from the oldest tenth to the youngest."""
    chance = Random("ages")
    for tenth in range(10):
        found = 0
        for _ in range(TENTH):
            number = int((tenth + chance.random()) * runs / 10)
            memory = chance.choice(one_run(number))
            hits = recall(store, RecallQuery(text=asked_of(memory, chance)), now=NOW)
            found += memory.id in {hit.memory.id for hit in hits}
        row(f"known item among the first ten, tenth {tenth + 1} by age", 100 * found / TENTH, "%")


def worst_logs() -> Iterator[Sequence[Memory]]:
    """Yield run after run in which every word is common: the most that a question can meet."""
    return (task_log(number).memories for number in count_from())


def worst_asked(number: int, runs: int) -> list[str]:
    """Return *number* questions about any of the first *runs* of those, and three vague ones."""
    logs = [task_log(runs * n // number) for n in range(number)]
    texts = [log.questions[n % len(log.questions)].text for n, log in enumerate(logs)]
    return [
        *texts,
        "why do the tests fail when the record is empty",
        "timeout in the worker",
        "the fix",
    ]


def _resident(path: Path) -> tuple[int, int]:
    """Return by how many bytes a process grows that opens the store and asks it a hundred things."""
    grown = subprocess.run(
        [sys.executable, "-c", RESIDENT, str(path)], capture_output=True, text=True, check=True
    )
    mine, mapped = grown.stdout.split()
    return int(mine), int(mapped)


RESIDENT = """
import sys
from pathlib import Path
from resource import RUSAGE_SELF, getpagesize, getrusage
from bench.runlogs import some_asked
from snaphook.stores.memory.recall import RecallQuery, recall
from snaphook.stores.memory.sqlite import SqliteMemory

def resident():
    if not Path("/proc/self/statm").exists():
        return getrusage(RUSAGE_SELF).ru_maxrss, 0
    held, shared = (int(pages) * getpagesize() for pages in
                    Path("/proc/self/statm").read_text().split()[1:3])
    return held - shared, shared

texts = some_asked(100, 1000)
before = resident()
store = SqliteMemory(Path(sys.argv[1]))
for text in texts:
    recall(store, RecallQuery(text=text), now=1.8e9)
print(*(now - then for now, then in zip(resident(), before)))
"""


def _recall_times(
    store: SqliteMemory, texts: Sequence[str], middle: float, late: float | None
) -> None:
    times = []
    for text in texts:
        started = perf_counter()
        recall(store, RecallQuery(text=text), now=NOW)
        times.append((perf_counter() - started) * 1e3)
    times.sort()
    row("recall, median", times[len(times) // 2], "ms", middle)
    row("recall, 99 of 100", times[int(len(times) * LATER)], "ms", late)
    soon = (store.stats().newest or NOW) + 86_400  # what is a year old, nobody is sure of
    for name, wanted in (
        ("session start, nothing asked", for_session("", project=PROJECT)),
        ("session start, with a task", for_session(texts[0], project=PROJECT, budget=800)),
    ):
        assert recall(store, wanted, now=soon), f"{name}: nothing came back"
        again = [_timed(partial(recall, store, wanted, now=soon)) for _ in range(20)]
        row(name, sorted(again)[10], "ms", 20)


def _fresh(path: Path) -> None:
    """Measure what a process pays that has nothing open yet."""

    def ask() -> None:
        store = SqliteMemory(path)
        recall(store, for_session("mend the billing ledger", project=PROJECT), now=NOW)
        store.close()

    row("session start, file not open yet", sorted(_timed(ask) for _ in range(9))[4], "ms", 20)


def _timed(run: Callable[[], object]) -> float:
    started = perf_counter()
    run()
    return (perf_counter() - started) * 1e3
