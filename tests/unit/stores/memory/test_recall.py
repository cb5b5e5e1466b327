"""What is worth knowing now, and why."""

import pytest
from msgspec.structs import replace

from snaphook.stores.memory.rank import Sign
from snaphook.stores.memory.recall import RecallQuery, for_session, recall, tokens
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.stores.memory.store import Which
from snaphook.stores.memory.values import DAY, Entity, EntityKind, MemoryKind, confidence
from snaphook.testing.memory import a_memory
from snaphook.testing.tasklogs import BEGUN, task_logs

NOW = 2_000.0
LEDGER = Entity(kind=EntityKind.FILE, name="src/ledger.py")
FRAMES = Entity(kind=EntityKind.FILE, name="src/frames.py")


@pytest.fixture
def store(tmp_path):
    made = SqliteMemory(tmp_path / "memory.sqlite")
    yield made
    made.close()


def texts(store, text, **options):
    return [hit.memory.text for hit in recall(store, RecallQuery(text=text, **options), now=NOW)]


def test_the_answer_may_stand_beside_the_words(store):
    talk = ("Looking into the payment gateway", "The lock was taken too late", "Lunch")
    store.put([a_memory(text, thread="t", order=n) for n, text in enumerate(talk)])
    store.put([a_memory("The gateway is old", thread="u")])

    assert texts(store, "payment gateway")[:2] == [talk[0], talk[1]]


def test_every_hit_says_why_and_the_reasons_add_up(store):
    store.put(
        [
            a_memory("Looking into the ledger", thread="t", order=0, entities=(LEDGER,)),
            a_memory("It was locked", thread="t", order=1, agent="planner"),
            a_memory("Frames and ledger", entities=(LEDGER, FRAMES), run="run-2"),
            a_memory("Frames are short", entities=(FRAMES,), run="run-3"),
        ]
    )

    hits = recall(store, RecallQuery(text="ledger src/ledger.py", agent="planner"), now=NOW)

    for hit in hits:
        assert sum(reason.worth for reason in hit.reasons) == pytest.approx(hit.score, abs=0.005)
    signs = {hit.memory.text: {reason.sign for reason in hit.reasons} for hit in hits}
    assert {Sign.WORDS, Sign.ENTITY} <= signs["Looking into the ledger"]
    assert {Sign.NEIGHBOURS, Sign.SCOPE} <= signs["It was locked"]
    assert Sign.RELATED in signs["Frames are short"]


def test_what_is_asked_in_words_finds_names_in_code_and_the_other_way_round(store):
    store.put([a_memory("`readConfigCache` is called once"), a_memory("Parsing the wire is slow")])

    assert texts(store, "read config cache") == ["`readConfigCache` is called once"]
    assert texts(store, "parse_wire") == ["Parsing the wire is slow"]


def test_what_was_superseded_is_not_told(store):
    store.put([a_memory("Port: 8080", settles=("port",), time=1.0)])
    store.put([a_memory("Port: 9090", settles=("port",), time=2.0, run="run-2")])

    assert texts(store, "port") == ["Port: 9090"]
    assert texts(store, "port", which=Which(superseded=True)) == ["Port: 9090", "Port: 8080"]


@pytest.mark.req("BB-SS-3")
def test_a_session_starts_with_the_five_most_relevant_that_are_sure(store):
    sure = [
        a_memory(f"Deploy step {n} needs a {word}", certainty=0.9) for n, word in enumerate(WORDS)
    ]
    store.put(sure)
    store.put([a_memory("Deploy maybe by hand", certainty=0.7), a_memory("Lint", certainty=0.9)])

    hits = recall(store, for_session("deploy", project="/p"), now=NOW)

    assert len(hits) == 5
    assert all(hit.confidence > 0.7 and "Deploy step" in hit.memory.text for hit in hits)


WORDS = ("key", "tag", "branch", "token", "mirror", "cluster", "window")


def test_without_a_question_the_surest_and_latest_are_told(store):
    store.put([a_memory("Old and sure", certainty=0.9, time=-400 * DAY)])
    store.put([a_memory("New and sure", certainty=0.9), a_memory("New and unsure", certainty=0.4)])

    assert texts(store, "", limit=1) == ["New and sure"]


def test_a_budget_is_kept_and_a_shorter_one_behind_a_long_one_is_told(store):
    long = "Deploy " + "with much care and many words " * 8
    store.put([a_memory(long), a_memory("Deploy on weekdays")])

    assert texts(store, "deploy", budget=tokens("Deploy on weekdays")) == ["Deploy on weekdays"]


def test_two_that_say_the_same_are_told_once(store):
    store.put([a_memory("The build needs node 20"), a_memory("The build needs the node 20")])

    assert len(texts(store, "build node")) == 1


def test_vectors_lift_what_means_the_same(store):
    store.put([a_memory("The cat sleeps now"), a_memory("The cat dozes now")])

    def embed(lines):
        return [[1.0, 0.0] if "doze" in line or "nap" in line else [0.0, 1.0] for line in lines]

    wanted = RecallQuery(text="cat nap")
    first = recall(store, wanted, now=NOW, embed=embed)[0]

    assert first.memory.text == "The cat dozes now"
    assert first.reasons[-1].sign is Sign.VECTOR


def test_the_meaning_that_a_store_knows_of_counts_as_much_as_a_model_at_hand(store):
    store.put([a_memory("The cat sleeps now"), a_memory("The cat dozes now")])

    class Knowing:
        """A store that keeps vectors."""

        def __getattr__(self, name):
            return getattr(store, name)

        def search(self, query):
            found = store.search(query)
            near = {"cat": 0.0, "doze": 0.9}
            told = [
                replace(each, similarity=max(near.get(word, 0.0) for word in each.bag.split()))
                for each in found.candidates
            ]
            return replace(found, candidates=told)

    first, second = recall(Knowing(), RecallQuery(text="cat"), now=NOW)

    assert (first.memory.text, first.reasons[-1].sign) == ("The cat dozes now", Sign.VECTOR)
    assert first.score - second.score == pytest.approx(RecallQuery().weights.vector * 0.9)


@pytest.mark.parametrize(
    ("proof", "age", "expected"),
    [
        pytest.param(1, 0.0, 0.8, id="said once"),
        pytest.param(2, 0.0, 0.86, id="another witness takes three tenths of the doubt"),
        pytest.param(1, 30 * DAY, 0.8, id="nothing fades for thirty days"),
        pytest.param(1, 750 * DAY, 0.4, id="a fact halves in 720 days after that"),
    ],
)
def test_confidence_grows_with_witnesses_and_fades_with_time(proof, age, expected):
    sure = confidence(kind=MemoryKind.FACT, certainty=0.8, proof=proof, age=age)

    assert sure == pytest.approx(expected)


def test_task_logs_are_recalled_better_than_by_plain_full_text_search(store):
    from bench.memory import _plain, _score

    logs = task_logs(runs=60)
    store.put(logs.memories)

    def ours(text):
        return {hit.memory.id for hit in recall(store, RecallQuery(text=text), now=BEGUN + 9 * DAY)}

    assert _score(logs.questions, ours) >= _score(logs.questions, _plain(logs.memories)) + 10
