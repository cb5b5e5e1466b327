"""What is worth keeping of documents and conversations."""

import json

import pytest

from snaphook.scrub import Scrubber
from snaphook.stores.memory.extract import (
    DocumentOrigin,
    SourceDocument,
    from_markdown,
    from_transcript,
)
from snaphook.stores.memory.extract.document import remember
from snaphook.stores.memory.extract.model import by_model
from snaphook.stores.memory.extract.transcript import numbered
from snaphook.stores.memory.values import EntityKind, MemoryKind

DECISIONS = """\
# Decisions

## D-001: Storage backend
**Status:** Accepted
**Decision:** SQLite in WAL mode
**Rationale:** No server is needed.

## D-002: Linter
- Use ruff for linting because it is fast
"""
THOUGHTS = """\
# Thoughts
The daemon failed with `KeyError: 'port'` on empty input, fixed by a check in src/config.py:42.

**Problem:** Tests hang on macOS
**Fix:** Use spawn in tests/conftest.py

- I tried asyncio.TaskGroup; it was slower than our chain
- What about Windows?
- FILL_ME

```console
$ make test
FAILED tests/test_a.py::test_x - KeyError: 'port'
$ make lint
All checks passed!
```

## Next steps
- do more of the same tomorrow
"""
RESULTS = """\
**Status:** COMPLETE
- [x] `make test` passes with 412 tests
- [ ] the thing that was not done
| metric | value |
| --- | --- |
| p50 latency | 0.9 ms |
"""


def drafts(name, text):
    return from_markdown(SourceDocument(path=f"run-1/{name}.md", text=text))


@pytest.mark.req("BB-ST-5")
def test_a_decision_record_is_a_fact_and_its_reason_an_opinion():
    told = [(draft.kind, draft.text, draft.line) for draft in drafts("DECISIONS", DECISIONS)]

    assert told == [
        (MemoryKind.FACT, "Storage backend: SQLite in WAL mode", 5),
        (
            MemoryKind.OPINION,
            "Storage backend: SQLite in WAL mode, because no server is needed.",
            6,
        ),
        (MemoryKind.FACT, "Linter: Use ruff for linting because it is fast", 9),
    ]


@pytest.mark.req("BB-ST-5")
def test_thoughts_become_experiences_with_errors_and_fixes_together():
    told = [(draft.kind, draft.text, draft.line) for draft in drafts("THOUGHTS", THOUGHTS)]

    assert told == [
        (
            MemoryKind.EXPERIENCE,
            "The daemon failed with `KeyError: 'port'` on empty input → fixed by a check in src/config.py:42",
            2,
        ),
        (MemoryKind.EXPERIENCE, "Tests hang on macOS → Use spawn in tests/conftest.py", 4),
        (MemoryKind.EXPERIENCE, "I tried asyncio.TaskGroup; it was slower than our chain", 7),
        (
            MemoryKind.OBSERVATION,
            "`make test` failed: FAILED tests/test_a.py::test_x - KeyError: 'port'",
            12,
        ),
        (MemoryKind.OBSERVATION, "`make lint` works", 14),
    ]


@pytest.mark.req("BB-ST-5")
def test_results_become_observations_and_what_is_not_done_is_left_out():
    told = [(draft.kind, draft.text, draft.meta) for draft in drafts("RESULTS", RESULTS)]

    assert told == [
        (MemoryKind.OBSERVATION, "`make test` passes with 412 tests", {"outcome": "worked"}),
        (MemoryKind.OBSERVATION, "p50 latency: 0.9 ms", {}),
    ]


@pytest.mark.parametrize(
    ("text", "settles"),
    [
        ("Use SQLite for the storage backend", ("for backend storag",)),
        ("Switch to PostgreSQL for storage backend, it scales", ("for backend storag",)),
        ("Default port: 9090", ("is default port",)),
        ("The default port is 8080", ("is default port",)),
        ("Status: COMPLETE", ()),
        ("The parser reads ahead and then looks back", ()),
    ],
)
def test_statements_settle_what_they_are_about(text, settles):
    from snaphook.stores.memory.extract.judge import questions

    assert questions(text) == settles


@pytest.mark.parametrize(
    ("text", "surer"),
    [
        ("Verified: the cache is cleared", 0.1),
        ("Probably the cache is cleared", -0.2),
        ("The cache is cleared in src/cache.py:12", 0.05),
        ("The cache is cleared", 0.0),
    ],
)
def test_a_statement_is_as_sure_as_it_sounds(text, surer):
    from snaphook.stores.memory.extract.judge import BASE, certainty

    assert certainty(MemoryKind.FACT, text) == pytest.approx(BASE[MemoryKind.FACT] + surer)


def test_secrets_are_scrubbed_before_anything_is_a_memory():
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    document = SourceDocument(
        path="THOUGHTS.md", text=f"- The token {secret} works for the mirror\n"
    )

    [memory] = remember(document, from_markdown(document), scrubber=Scrubber(salt=b"s"))

    assert secret not in json.dumps([memory.text, *memory.settles])
    assert memory.text.startswith("The token [")


def test_a_memory_knows_its_exact_place_and_what_it_names():
    origin = DocumentOrigin(project="/p", run="run-1", task="TASK-7", agent="executor", time=5.0)
    document = SourceDocument(path="/p/run-1/THOUGHTS.md", text=THOUGHTS, origin=origin)

    memory = remember(document, from_markdown(document))[0]
    [source] = memory.sources

    assert (source.anchor, source.section, source.task) == (
        "/p/run-1/THOUGHTS.md:2",
        "Thoughts",
        "TASK-7",
    )
    assert {entity.key for entity in memory.entities} == {"file:src/config.py", "error:KeyError"}


def claude(kind, **content):
    shared = {"sessionId": "s-1", "timestamp": "2026-05-01T10:00:00Z", "cwd": "/p"}
    return {"type": kind, "message": {"role": kind, "content": [content]}, **shared}


@pytest.fixture
def transcript(tmp_path):
    lines = [
        claude("user", type="text", text="Fix the tests. Always run make lint before you commit."),
        claude("assistant", type="tool_use", id="1", name="Bash", input={"command": "make test"}),
        claude("user", type="tool_result", tool_use_id="1", content="KeyError: 'x'", is_error=True),
        claude("assistant", type="tool_use", id="2", name="Edit", input={"file_path": "/p/a.py"}),
        claude("assistant", type="tool_use", id="3", name="Bash", input={"command": "make test"}),
        claude("user", type="tool_result", tool_use_id="3", content="12 passed"),
        claude("assistant", type="text", text="Done. It turns out the cache was stale. Bye."),
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_a_conversation_leaves_wishes_fixes_outcomes_and_lessons(transcript):
    told = [(draft.kind, draft.text, draft.line) for draft in from_transcript(numbered(transcript))]

    assert told == [
        (MemoryKind.OPINION, "The user asked: Always run make lint before you commit.", 1),
        (MemoryKind.OBSERVATION, "`make test` failed: KeyError: 'x'", 3),
        (
            MemoryKind.EXPERIENCE,
            "`make test` failed with KeyError: 'x' → fixed by editing a.py",
            6,
        ),
        (MemoryKind.OBSERVATION, "`make test` works", 6),
        (MemoryKind.EXPERIENCE, "It turns out the cache was stale.", 7),
    ]


def test_what_was_edited_is_an_entity_of_the_fix(transcript):
    [fix] = [each for each in from_transcript(numbered(transcript)) if each.meta.get("pair")]

    assert [(entity.kind, entity.name) for entity in fix.entities] == [(EntityKind.FILE, "a.py")]


def test_a_model_is_believed_where_it_quotes_the_document():
    answer = json.dumps(
        [
            {"kind": "fact", "text": "Memories live in SQLite", "quote": "SQLite in WAL mode"},
            {"kind": "fact", "text": "It was made on Mars", "quote": "built on Mars by robots"},
        ]
    )
    extract = by_model(lambda _prompt: f"Here you are:\n{answer}")

    told = extract(SourceDocument(path="DECISIONS.md", text=DECISIONS))

    assert [(draft.text, draft.line) for draft in told] == [("Memories live in SQLite", 5)]


def test_where_the_model_fails_the_document_is_read_without_it():
    def broken(_prompt):
        raise TimeoutError("no answer")

    document = SourceDocument(path="RESULTS.md", text=RESULTS)

    assert by_model(broken)(document) == from_markdown(document)
