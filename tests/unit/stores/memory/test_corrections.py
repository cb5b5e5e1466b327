"""Which of two statements holds, and which two say the same."""

import random

import pytest

from snaphook.stores.memory.extract.document import DocumentOrigin, SourceDocument, remember
from snaphook.stores.memory.extract.markdown import from_markdown
from snaphook.stores.memory.recall import RecallQuery, recall
from snaphook.stores.memory.reflect import reflect
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.testing.memory import a_memory

DAY = 86_400.0


@pytest.fixture
def store(tmp_path):
    made = SqliteMemory(tmp_path / "memory.sqlite")
    yield made
    made.close()


def retained(store, text, time=1.0, name="DECISIONS"):
    origin = DocumentOrigin(project="/p", time=time, run=f"run-{time}")
    document = SourceDocument(path=f"{name}-{time}.md", text=text, origin=origin)
    store.put(remember(document, from_markdown(document)))


def test_inside_one_document_the_later_line_wins(store):
    dice = random.Random(3)
    for number in range(40):
        topic = f"{dice.choice(['cache', 'queue', 'proxy'])} port {chr(97 + number % 26)}{number}"
        retained(
            store,
            f"- The {topic} is {8000 + number}\n- The {topic} is {9000 + number}\n",
            number + 1.0,
        )

    current = [memory.text for memory in store.every() if memory.current]

    assert len(current) == 40
    assert all(" is 9" in text for text in current)


CORRECTED = [
    ("The default port is 8080", "The default port is now 9090"),
    ("The request timeout is 30 seconds", "The request timeout was raised to 60 seconds"),
    ("The staging server runs on port 8443", "The staging server now runs on port 9443"),
    ("Session data is stored in Redis", "Session data is now stored in PostgreSQL"),
    ("The CLI is written in Go", "The CLI was rewritten in Rust"),
    ("The billing service is owned by team blue", "The billing service is owned by team green"),
    ("The API uses REST between services", "The API now uses gRPC between services"),
    ("The build needs Node 18", "The build now needs Node 22"),
    ("The docs live in the wiki", "The docs were moved to the docs folder"),
    ("Staging is deployed to Heroku", "Staging is deployed to Fly"),
    ("The log level defaults to info", "The log level defaults to warning"),
    ("Use npm for the frontend packages", "Use pnpm for the frontend packages"),
    ("The worker pool size is 4", "The worker pool size was changed to 8"),
    ("Backups are kept in bucket alpha", "Backups are kept in bucket beta"),
    ("The minimum Python version is 3.9", "The minimum Python version is 3.11"),
    ("The parser is maintained by Ada", "The parser is maintained by Grace"),
]


@pytest.mark.parametrize(("stale", "fresh"), CORRECTED)
def test_what_was_corrected_is_superseded(store, stale, fresh):
    retained(store, f"- {stale}\n", 1.0)
    retained(store, f"- {fresh}\n", 1.0 + DAY)

    assert [memory.text for memory in store.every() if memory.current] == [fresh]


@pytest.mark.parametrize(
    ("stale", "fresh"),
    [
        ("We deploy on Fridays after lunch", "We never deploy on Fridays after lunch"),
        ("Snapshots are pruned every night at two", "Snapshots are pruned every week at two"),
        ("Retry uploads three times with backoff", "Retry uploads five times with backoff"),
    ],
)
def test_of_two_about_the_same_the_later_one_is_ranked_first(store, stale, fresh):
    store.put([a_memory(stale, time=2.0, run="a"), a_memory(fresh, time=1.0 + DAY, run="b")])

    hits = recall(store, RecallQuery(text=stale, limit=5), now=2 * DAY)

    assert hits[0].memory.text == fresh


SAME = [
    ("The unit tests fail on macOS", "Unit tests break on macOS"),
    ("Use the config file to set the port", "Use the configuration file to set the port"),
    ("The database must be started before the tests", "The db must be launched before the tests"),
    ("Deleting the cache folder fixes the build", "Removing the cache directory solves the build"),
    ("The worker crashes when the queue is empty", "The worker fails whenever the queue is empty"),
    ("The repository needs the native client", "The repo requires the native client"),
    ("The upload method raises a timeout error", "The upload function raises a timeout exception"),
    ("Production deploys take ten minutes", "Prod deploys take ten minutes"),
    ("The job hangs because the lock is held", "The task hangs since the lock is held"),
]
DIFFERENT = [
    ("The tests pass on macOS with Python", "The tests do not pass on macOS with Python"),
    ("The cache holds 100 entries per user", "The cache holds 200 entries per user"),
    ("The parser reads the header before the body", "The printer writes the footer after the page"),
]


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [*((*pair, True) for pair in SAME), *((*pair, False) for pair in DIFFERENT)],
)
def test_paraphrases_become_one_and_contraries_stay_apart(store, one, other, merged):
    store.put([a_memory(one, run="a", time=1.0), a_memory(other, run="b", time=2.0)])

    reflect(store, now=3.0)

    assert store.stats().memories == (1 if merged else 2)


CONVERSATION = """\
# Session 1

**Caroline:** Hey Mel! Good to see you!
**Melanie:** Hey! How are you?
**Caroline:** Swamped.
**Melanie:** Same here. Why?
**Caroline:** I went to a support group yesterday.
**Melanie:** Really?
"""


def test_every_turn_of_a_conversation_is_kept():
    document = SourceDocument(path="session-1.md", text=CONVERSATION)

    assert [draft.text for draft in from_markdown(document)] == [
        line.replace("*", "") for line in CONVERSATION.splitlines()[2:]
    ]


FIELDS = "".join(f"**{name}:** something\n" for name in ("Status", "Date", "Owner") * 3)
LIST = "".join(
    f"- {name}: one of them\n" for name in ["Port", "Host", "User", "Path", "Mode", "Size"]
)


@pytest.mark.parametrize("text", [FIELDS, LIST], ids=["fields", "a list"])
def test_fields_are_no_conversation(text):
    from snaphook.stores.memory.extract.dialogue import dialogue

    assert dialogue(text) == []
