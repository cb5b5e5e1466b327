"""Prompts that have nothing to do with the task at hand."""

import pytest

from snaphook.providers.essentials.off_task import foreign_words

TASK = (
    "Rate limit for the login endpoint",
    """Add a token bucket to POST /login so that one address cannot try thousands of passwords.
    Store counters in Redis; answer 429 with Retry-After.""",
)


@pytest.mark.req("BB-UP-1")
@pytest.mark.parametrize(
    "prompt",
    [
        "Translate the marketing page into French and German",
        "create a logo with a blue whale for the landing page",
        "please migrate the billing tables to a new invoicing schema",
        "Write an article about our company picnic",
        "upgrade webpack and replace the svg sprites",
    ],
)
def test_a_request_about_something_else_is_foreign(prompt):
    assert foreign_words(prompt, TASK)


@pytest.mark.req("BB-UP-1")
@pytest.mark.parametrize(
    "prompt",
    [
        "Add a test for the 429 answer",
        "use a sliding window instead of the bucket and update the counters",
        "go on",
        "run the tests again and fix what fails",
        "write down your decisions and commit the changes",
        "fix the flaky thing",
        "what does the whale logo on the landing page mean?",
        "make the logins work for addresses behind a proxy",
        "update the authentication docs for passwords",
        "Here is a long story about something else entirely. " * 40,
    ],
)
def test_in_doubt_a_prompt_belongs_to_the_task(prompt):
    assert foreign_words(prompt, TASK) == ()


def test_the_files_of_the_session_belong_to_the_task():
    prompt = "rewrite the sprites helper for webpack"

    assert foreign_words(prompt, TASK)
    assert foreign_words(prompt, TASK, ["/app/web/sprites_helper.ts"]) == ()


def test_a_task_that_says_nothing_has_no_foreign_words():
    assert foreign_words("Translate the marketing page into French", ["x"]) == ()
