"""The promises every memory store makes, held against one.

a store's maker  ->  Fault, Fault, …  (none, if it keeps them all)

    @pytest.mark.parametrize("promise", PROMISES.values(), ids=PROMISES)
    def test_my_store_keeps_its_promises(promise):
        promise(MyStore(...))           # an empty one each time

Ranking is not a store's business, so nothing here depends on the order of candidates.
"""

from collections.abc import Callable, Mapping

from snaphook.stores.memory.store import MemoryStore, Query, Stored, Which
from snaphook.stores.memory.values import Entity, EntityKind, Memory, MemoryKind, MemorySource
from snaphook.stores.memory.words import terms

from .conformance import Fault

EVENTS = Entity(kind=EntityKind.FILE, name="src/events.py")
FRAMES = Entity(kind=EntityKind.FILE, name="src/frames.py")


def a_memory(
    text: str,
    *,
    kind: MemoryKind = MemoryKind.FACT,
    project: str = "/p",
    run: str = "run-1",
    time: float = 1_000.0,
    agent: str = "",
    task: str = "",
    entities: tuple[Entity, ...] = (),
    settles: tuple[str, ...] = (),
    order: int = 0,
    thread: str = "",
    certainty: float = 0.8,
) -> Memory:
    """Return a memory that says *text*, with one source."""
    source = MemorySource(
        path=f"{run}/DECISIONS.md", line=3, run=run, time=time, agent=agent, task=task
    )
    return Memory(
        kind=kind,
        text=text,
        project=project,
        sources=(source,),
        entities=entities,
        settles=settles,
        order=order,
        thread=thread,
        certainty=certainty,
    )


def gives_back_what_was_put(store: MemoryStore) -> None:
    """Return whole memories in the order asked for; unknown ids are left out."""
    one = a_memory("Tests run under pytest", entities=(EVENTS,), settles=("test runner",))
    two = a_memory("We use ruff", kind=MemoryKind.OPINION, agent="planner", thread="t", order=4)

    assert store.put([one, two]) == Stored(added=2)
    assert store.get([two.id, "0" * 16, one.id]) == [two, one]
    assert store.get([one.id[:6]]) == [one]


def changes_nothing_when_one_run_repeats_itself(store: MemoryStore) -> None:
    """Retain idempotently per run."""
    one = a_memory("Tests run under pytest")
    store.put([one])

    assert store.put([one, one]) == Stored(unchanged=1)
    assert store.get([one.id]) == [one]


def strengthens_what_another_run_repeats(store: MemoryStore) -> None:
    """Keep the same words from another run as one memory with two witnesses."""
    one = a_memory("Tests run under pytest", time=1.0)
    again = a_memory("tests run under  pytest.", run="run-2", time=2.0)
    store.put([one])

    assert store.put([again]) == Stored(strengthened=1)
    [kept] = store.get([one.id])
    assert (kept.text, kept.proof, kept.created, kept.seen) == (one.text, 2, 1.0, 2.0)
    assert store.stats().memories == 1


def lets_the_youngest_settle_a_question(store: MemoryStore) -> None:
    """Supersede what is contradicted: it stays, dated, and may come back into force."""
    old = a_memory("Port: 8080", run="run-1", time=1.0, settles=("port",))
    new = a_memory("Port: 9090", run="run-2", time=2.0, settles=("port",))
    elsewhere = a_memory("Port: 80", project="/q", time=3.0, settles=("port",))
    store.put([new, elsewhere])

    assert store.put([old]) == Stored(added=1, superseded=1)
    [kept] = store.get([old.id])
    assert (kept.superseded_by, kept.superseded_at) == (new.id, 2.0)
    assert store.newest(Which(project="/p")) == [new]
    assert [each.id for each in store.newest(Which(project="/p", superseded=True))] == [
        new.id,
        old.id,
    ]

    store.put([a_memory("Port: 8080", run="run-3", time=3.0, settles=("port",))])
    assert [each.id for each in store.newest(Which(project="/p"))] == [old.id]


def finds_by_words(store: MemoryStore) -> None:
    """Find candidates that hold a word of the query, whatever its ending or case."""
    hit = a_memory("The parser failed on nested quotes", time=1.0)
    name = a_memory("readConfig caches its answer", time=2.0)
    store.put([hit, name, a_memory("We use ruff", time=3.0)])

    def found(text: str) -> set[str]:
        return {each.id for each in store.search(Query(text=text, terms=terms(text))).candidates}

    assert found("why do parsers fail?") == {hit.id}
    assert found("config") == {name.id}
    assert found("READ_CONFIG") == {name.id}
    assert found("kubernetes") == set()
    answer = store.search(Query(terms=terms("parser ruff")))
    assert answer.total == 3
    assert {term: answer.frequencies.get(term) for term in terms("parser ruff")} == {
        "parser": 1,
        "ruff": 1,
    }


def finds_by_entities(store: MemoryStore) -> None:
    """Find candidates that mention an entity; relate entities that are met together."""
    one = a_memory("It holds the types", entities=(EVENTS,))
    both = a_memory("They belong together", entities=(EVENTS, FRAMES))
    store.put([one, both, a_memory("We use ruff")])

    found = store.search(Query(entities=(EVENTS.key,)))
    assert {each.id for each in found.candidates} == {one.id, both.id}
    assert store.related([EVENTS.key], limit=5) == [(FRAMES.key, 1)]
    assert store.newest(Which(entity=FRAMES.key)) == [both]


def tells_candidates_as_they_are(store: MemoryStore) -> None:
    """Carry in a candidate what ranking needs."""
    one = a_memory(
        "Frames are length prefixed",
        agent="planner",
        entities=(FRAMES,),
        thread="t",
        order=2,
        certainty=0.6,
    )
    store.put([one])

    [found] = store.search(Query(terms=("frame",))).candidates
    assert (found.id, found.kind, found.project, found.bag.split()) == (
        one.id,
        MemoryKind.FACT,
        "/p",
        ["frame", "ar", "length", "prefix"],
    )
    assert (found.certainty, found.proof, found.seen) == (0.6, 1, 1_000.0)
    assert (found.thread, found.order, found.superseded) == ("t", 2, False)
    assert (found.entities, found.agents) == ((FRAMES.key,), ("planner",))


def keeps_to_the_scope(store: MemoryStore) -> None:
    """Show a project its own memories and what holds everywhere, an agent likewise."""
    mine = a_memory("Deploy with make ship", project="/p", agent="executor", time=4.0)
    theirs = a_memory("Deploy with helm", project="/q", time=3.0)
    common = a_memory("Deploy on weekdays", project="", time=2.0)
    planned = a_memory("Deploy after planning", project="/p", agent="planner", time=1.0)
    store.put([mine, theirs, common, planned])

    def seen(which: Which) -> set[str]:
        found = store.search(Query(terms=("deploi",), which=which)).candidates
        assert {each.id for each in found} == {each.id for each in store.newest(which)}
        return {each.id for each in found}

    assert seen(Which()) == {mine.id, theirs.id, common.id, planned.id}
    assert seen(Which(project="/p")) == {mine.id, common.id, planned.id}
    assert seen(Which(project="/p", agents=("planner",))) == {common.id, planned.id}
    assert seen(Which(since=2.0, until=4.0)) == {theirs.id, common.id}
    assert seen(Which(kinds=(MemoryKind.OPINION,))) == set()


def finds_what_stands_beside(store: MemoryStore) -> None:
    """Find neighbours in a thread by their place."""
    line = [a_memory(f"step number {n}", thread="t", order=n) for n in range(8)]
    store.put([*line, a_memory("step elsewhere", thread="u", order=3)])

    found = store.beside([("t", 3), ("t", 4)], reach=1)
    assert {each.id for each in found} == {each.id for each in line[2:6]}


def forgets_for_good(store: MemoryStore) -> None:
    """Remove what is forgotten from everywhere; it does not come back by itself."""
    old = a_memory("Port: 8080", time=1.0, settles=("port",))
    secret = a_memory("Port: 9090", time=2.0, run="run-2", settles=("port",), entities=(EVENTS,))
    store.put([old, secret])

    assert store.forget([secret.id, "0" * 16]) == 1
    assert store.get([secret.id]) == []
    assert list(store.every()) == [old]
    assert store.newest(Which()) == [old]
    assert list(store.search(Query(terms=("9090",), entities=(EVENTS.key,))).candidates) == []
    assert set(store.forgotten()) == {secret.id}
    assert store.put([secret]) == Stored(forgotten=1)
    assert store.put([secret], revive=True) == Stored(added=1, superseded=1)
    assert set(store.forgotten()) == set()


def keeps_out_what_another_store_forgot(store: MemoryStore) -> None:
    """Bury an id that was never here: what it stands for stays out as well."""
    secret = a_memory("Port: 9090")
    store.bury([secret.id])

    assert set(store.forgotten()) == {secret.id}
    assert store.put([secret]) == Stored(forgotten=1)


def replaces_when_told(store: MemoryStore) -> None:
    """Write memories as they are; what they absorbed is gone without a trace."""
    one, two = a_memory("Tests are slow"), a_memory("The tests are slow")
    store.put([one, two])

    store.replace([a_memory("Tests are slow", certainty=0.9)], gone=[two.id])

    assert list(store.every()) == [a_memory("Tests are slow", certainty=0.9)]
    assert store.put([two]) == Stored(added=1)


def lists_and_counts(store: MemoryStore) -> None:
    """List from the last said to the first, in pages; yield everything the other way."""
    line = [a_memory(f"step number {n}", time=float(n), task="T-1") for n in range(5)]
    store.put(line)
    store.put([a_memory("an aside", kind=MemoryKind.EXPERIENCE, time=9.0, run="run-9")])

    assert store.newest(Which(task="T-1"), limit=2, offset=1) == [line[3], line[2]]
    assert store.newest(Which(run="run-9")) == store.newest(Which(kinds=(MemoryKind.EXPERIENCE,)))
    assert [each.seen for each in store.every()] == [0.0, 1.0, 2.0, 3.0, 4.0, 9.0]
    stats = store.stats()
    assert (stats.memories, stats.current, stats.kinds, stats.projects) == (
        6,
        6,
        {"fact": 5, "experience": 1},
        {"/p": 6},
    )
    assert (stats.oldest, stats.newest) == (0.0, 9.0)


PROMISES: Mapping[str, Callable[[MemoryStore], None]] = {
    promise.__name__.replace("_", " "): promise
    for promise in (
        gives_back_what_was_put,
        changes_nothing_when_one_run_repeats_itself,
        strengthens_what_another_run_repeats,
        lets_the_youngest_settle_a_question,
        finds_by_words,
        finds_by_entities,
        tells_candidates_as_they_are,
        keeps_to_the_scope,
        finds_what_stands_beside,
        forgets_for_good,
        keeps_out_what_another_store_forgot,
        replaces_when_told,
        lists_and_counts,
    )
}
"""Each takes an empty store and raises ``AssertionError`` where the promise is broken."""


def check_memory_store(make: Callable[[], MemoryStore]) -> list[Fault]:
    """Return every promise of a memory store that those of *make* break; each starts empty."""
    faults = []
    for name, promise in PROMISES.items():
        store = make()
        try:
            promise(store)
        except Exception as error:  # noqa: BLE001 - whatever it raises is the finding
            faults.append(Fault(promise=name, what=f"{type(error).__name__}: {error}"))
        finally:
            store.close()
    return faults
