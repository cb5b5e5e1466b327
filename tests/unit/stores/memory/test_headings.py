"""Headings that tell what a statement is about."""

import pytest

from snaphook.stores.memory.extract import SourceDocument, from_markdown
from snaphook.stores.memory.extract.headings import about, topic


@pytest.mark.parametrize(
    ("section", "named"),
    [
        ("Decisions > Storage backend", "Storage backend"),
        ("Storage backend > Context", "Storage backend"),
        ("THOUGHTS: Login rate limit > Summary", "Login rate limit"),
        ("Step 2: Retry queue", "Retry queue"),
        ("TASK-017: Image cache", "Image cache"),
        ("Summary", ""),
        ("Results > What worked", ""),
        ("Run run-20260206-101500", ""),
        ("", ""),
    ],
)
def test_the_innermost_heading_that_names_something_counts(section, named):
    assert topic(section) == named


def test_a_statement_that_names_its_topic_is_left_alone():
    assert about("The storage backend is SQLite.", "Storage backend") == (
        "The storage backend is SQLite."
    )
    assert about("SQLite in WAL mode.", "Storage backend") == "Storage backend: SQLite in WAL mode."


@pytest.mark.req("BB-ST-5")
@pytest.mark.parametrize("name", ["DECISIONS", "THOUGHTS", "RESULTS"])
def test_what_stands_under_a_heading_is_kept_with_it(name):
    text = f"# {name.title()}\n\n## Storage backend\n\nWe keep it in SQLite with WAL.\n"
    drafts = from_markdown(SourceDocument(path=f"{name}.md", text=text))

    assert [draft.text for draft in drafts] == ["Storage backend: We keep it in SQLite with WAL."]


@pytest.mark.req("BB-ST-5")
@pytest.mark.parametrize(
    "end",
    [
        "PROMISE_COMPLETE\nStatus: COMPLETE\n",
        "**PROMISE_COMPLETE** Status: PARTIAL\nCompletion: 80%\n",
        "## Status\n\n**Status:** BLOCKED\n",
    ],
)
def test_a_word_to_the_hooks_is_no_memory(end):
    text = f"# Results\n\nThe cache halves the load time.\n\n{end}"
    drafts = from_markdown(SourceDocument(path="RESULTS.md", text=text))

    assert [draft.text for draft in drafts] == ["The cache halves the load time."]
