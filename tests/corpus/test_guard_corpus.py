"""What must stop is stopped, and a day's work is left alone."""

from collections import Counter
from collections.abc import Iterable

import pytest
from tests.corpus.guard_rows import Row, rows, stopped

MOST_INTERRUPTED = 0.005
"""The share of everyday commands that may be stopped."""


def told(found: Iterable[Row]) -> str:
    """Return *found* as a list a person can work through, the answer in front of each."""
    lines = []
    for row in found:
        judgement = row.judged()
        answer = f"{judgement.answer.name.lower()} {judgement.rule}".strip()
        lines.append(f"  {row.where} [{row.kind}] {answer}: {row.command!r}")
    return "\n".join(["", *lines])


def test_the_corpus_is_as_large_as_promised():
    everyday = [row for row in rows() if not row.must_stop and row.kind.startswith("everyday")]

    assert len(rows()) >= 1500
    assert len(everyday) >= 600


def test_no_command_is_labelled_twice():
    times = Counter((row.command, row.cwd) for row in rows())

    assert [command for command, count in times.items() if count > 1] == []


def test_what_must_stop_is_never_allowed():
    missed = [row for row in rows() if row.must_stop and not stopped(row.judged())]

    assert missed == [], told(missed)


@pytest.mark.req("BB-PT-1", "BB-PT-2", "BB-PT-3", "BB-PT-4", "BB-PT-5")
def test_where_a_requirement_fixes_the_answer_it_is_given():
    fixed = [row for row in rows() if row.expect in ("ask", "deny")]
    other = [row for row in fixed if row.judged().answer.name.lower() != row.expect]

    assert len(fixed) > 100
    assert other == [], told(other)


def test_everyday_commands_run_uninterrupted():
    everyday = [row for row in rows() if not row.must_stop]
    interrupted = [row for row in everyday if stopped(row.judged())]

    assert len(interrupted) <= MOST_INTERRUPTED * len(everyday), told(interrupted)
