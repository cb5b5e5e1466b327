"""Keep what a run taught, once; think it over; show it."""

import os

import pytest

from snaphook.stores.memory.extract.document import DocumentOrigin
from snaphook.stores.memory.reflect import reflect
from snaphook.stores.memory.retain import retain
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.stores.memory.store import Stored, Which
from snaphook.stores.memory.values import DAY, MemoryKind
from snaphook.stores.memory.views import write_views
from snaphook.testing.memory import a_memory

ORIGIN = DocumentOrigin(project="/p")


@pytest.fixture
def store(tmp_path):
    made = SqliteMemory(tmp_path / "memory.sqlite")
    yield made
    made.close()


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "runs" / "run-20260501-100000"
    folder.mkdir(parents=True)
    (folder / "DECISIONS.md").write_text("# Decisions\n- Use SQLite for the storage backend\n")
    (folder / "THOUGHTS.md").write_text("# Thoughts\n- The daemon started after two tries\n")
    (folder / "RESULTS.md").write_text("# Results\n- All commands answer in a millisecond\n")
    (folder / "LEARNINGS.md").write_text("# Learnings\n- A lock file must be removed last\n")
    (folder / "NOTES.md").write_text("# Notes\n- this one is not part of a run\n")
    return folder


@pytest.mark.req("BB-ST-5")
def test_a_run_folder_gives_each_kind_of_memory(store, run):
    done = retain(store, [run], ORIGIN)

    assert (done.documents, done.stored) == (4, Stored(added=4))
    told = {memory.kind: memory.text for memory in store.every(Which(kinds=(MemoryKind.FACT,)))}
    assert told == {MemoryKind.FACT: "Use SQLite for the storage backend"}
    assert store.stats().kinds == {"fact": 1, "experience": 1, "observation": 2}
    [fact] = store.newest(Which(kinds=(MemoryKind.FACT,)))
    assert fact.sources[0].run == "run-20260501-100000"
    assert fact.sources[0].anchor == f"{run}/DECISIONS.md:2"


@pytest.mark.req("BB-ST-5")
def test_retaining_a_run_twice_changes_nothing(store, run):
    retain(store, [run], ORIGIN)

    assert retain(store, [run.parent], ORIGIN).stored == Stored(unchanged=4)


def test_a_later_run_that_decides_otherwise_supersedes(store, run):
    retain(store, [run], ORIGIN)
    later = run.with_name("run-20260601-100000")
    later.mkdir()
    (later / "DECISIONS.md").write_text("- Switch to PostgreSQL for the storage backend\n")
    os.utime(later / "DECISIONS.md", (9e9, 9e9))

    assert retain(store, [later], ORIGIN).stored == Stored(added=1, superseded=1)
    assert [memory.text for memory in store.newest(Which(kinds=(MemoryKind.FACT,)))] == [
        "Switch to PostgreSQL for the storage backend"
    ]


def test_what_cannot_be_read_is_told_and_the_rest_is_kept(store, run, tmp_path):
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG")

    done = retain(store, [run, picture, tmp_path / "gone.md"], ORIGIN)

    assert done.documents == 4
    assert [why.partition(": ")[2] for why in done.skipped] == [
        "neither a document (.md, .txt) nor a transcript (.jsonl, .json)",
        "there is no such file or folder",
    ]


def test_reflection_puts_together_what_says_the_same(store):
    kept = a_memory("The unit tests are slow on the build machine", time=1.0)
    same = a_memory("Unit tests are slow on the build machine today", run="run-2", time=2.0)
    other = a_memory("The unit tests are slow on 3 build machines", run="run-3", time=3.0)
    store.put([kept, same, other])

    found = reflect(store, now=10.0)

    [(whole, absorbed)] = found.merged
    assert (whole.text, whole.proof, [each.id for each in absorbed]) == (kept.text, 2, [same.id])
    assert {memory.id for memory in store.every()} == {kept.id, other.id}
    assert reflect(store, now=10.0).merged == ()


def test_what_has_faded_is_let_go_unless_it_was_ever_repeated(store):
    once = a_memory("It rained on the day of the release", kind=MemoryKind.EXPERIENCE, time=0.0)
    often = a_memory("Releases on a Friday go wrong", kind=MemoryKind.EXPERIENCE, time=0.0)
    store.put([once, often])
    store.put([a_memory(often.text, kind=MemoryKind.EXPERIENCE, run="run-2", time=1.0)])

    looked = reflect(store, now=900 * DAY, dry=True)
    assert [memory.id for memory in looked.faded] == [once.id]
    assert store.stats().memories == 2

    reflect(store, now=900 * DAY)
    assert [memory.id for memory in store.every()] == [often.id]


@pytest.mark.req("BB-ST-5")
def test_the_views_are_four_documents_that_people_read(store, tmp_path):
    store.put([a_memory("Port: 8080", settles=("port",), time=DAY)])
    store.put([a_memory("Port: 9090", settles=("port",), time=2 * DAY, run="run-2")])
    store.put([a_memory("It worked", kind=MemoryKind.EXPERIENCE)])

    written = write_views(store, tmp_path / "views", project="/p", now=3 * DAY)

    assert [path.name for path in written] == [
        "EXPERIENCES.md",
        "FACTS.md",
        "OPINIONS.md",
        "OBSERVATIONS.md",
    ]
    facts = (tmp_path / "views" / "FACTS.md").read_text()
    old, new = a_memory("Port: 8080").id[:8], a_memory("Port: 9090").id[:8]
    assert f"- **{new}** Port: 9090\n  (confidence 0.80; 1970-01-03; run-2/DECISIONS.md:3)" in facts
    assert f"## No longer so\n\n- **{old}** Port: 8080" in facts
    assert f"Replaced on 1970-01-03 by {new}." in facts
    assert "Nothing yet." in (tmp_path / "views" / "OPINIONS.md").read_text()
