"""What a prompt means: a few phrases, and only where they are what it is about."""

import pytest

from snaphook.providers.essentials.intents import Bypass, PromptIntent, intents


@pytest.mark.req("BB-UP-1")
@pytest.mark.parametrize(
    ("prompt", "intent"),
    [
        ("exit", PromptIntent.EXIT),
        ("Quit.", PromptIntent.EXIT),
        ("please end the session", PromptIntent.EXIT),
        ("complete", PromptIntent.COMPLETE),
        ("Mark the task as complete", PromptIntent.COMPLETE),
        ("mark TASK-001 as done", PromptIntent.COMPLETE),
        ("complete the task", PromptIntent.COMPLETE),
        ("abort", PromptIntent.ABORT),
        ("abort the task, because the client left", PromptIntent.ABORT),
        ("cancel this run", PromptIntent.ABORT),
        ("skip", PromptIntent.SKIP),
        ("skip the tests for now", PromptIntent.SKIP),
        ("what is the exit code?", None),
        ("complete the refactoring of the parser", None),
        ("add an abort button to the form", None),
        ("skip links should be visible on focus", None),
        ("done is better than perfect, write that down", None),
        ("Fix the bug where the process would exit early. " * 3, None),
    ],
)
def test_intents(prompt, intent):
    assert intents(prompt).intent is intent


@pytest.mark.parametrize(
    ("prompt", "overrides"),
    [
        ("wipe the database force", True),
        ("delete all files --force", True),
        ("complete force", True),
        ("crack it by brute force", False),
        ("wipe the database by force of habit", False),
    ],
)
def test_force_at_the_end_overrides_what_would_be_refused(prompt, overrides):
    assert intents(prompt).overrides is overrides


@pytest.mark.req("BB-UP-1")
@pytest.mark.parametrize(
    ("prompt", "bypasses"),
    [
        ("just do it", (Bypass.JUST_DO_IT,)),
        ("No more questions, just do it and tell me", (Bypass.JUST_DO_IT,)),
        ("skip docs", (Bypass.SKIP_DOCS,)),
        ("skip the documentation this time", (Bypass.SKIP_DOCS,)),
        ("force", (Bypass.FORCE,)),
        ("delete all files, force", (Bypass.FORCE,)),
        ("exit anyway", (Bypass.EXIT_ANYWAY,)),
        ("force the parser to take both forms", (Bypass.FORCE,)),
        ("what is the force of gravity", ()),
        ("enforce the rule", ()),
    ],
)
def test_bypasses(prompt, bypasses):
    assert intents(prompt).bypasses == bypasses


@pytest.mark.req("BB-UP-1")
@pytest.mark.parametrize(
    ("prompt", "harm"),
    [
        ("wipe the database", "wipe the database"),
        ("Delete everything and start over", "delete everything"),
        ("run rm -rf build please", "rm -rf"),
        ("force push to main", "force push to main"),
        ("git reset --hard origin/main", "git reset --hard"),
        ("drop all tables", "drop all tables"),
        ("delete the unused import", ""),
        ("remove the button from the form", ""),
        ("write a test for the delete endpoint", ""),
    ],
)
def test_destructive_wishes(prompt, harm):
    assert intents(prompt).destructive == harm


def test_tasks_are_named_by_their_ids():
    assert intents("go on with TASK-007, not with TASK-008").tasks == ("TASK-007", "TASK-008")
