"""Which words of a prompt are an order that lasts."""

import pytest

from snaphook.providers.context.directives import detect

pytestmark = pytest.mark.req("SQ-12")


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        pytest.param("Always lint. Fix the bug.", ("Always lint.",), id="one of two sentences"),
        pytest.param(
            "- never use eval\n- fix it\n* prefer dataclasses over dicts",
            ("never use eval", "prefer dataclasses over dicts"),
            id="a list",
        ),
        pytest.param("Always lint.\nAlways lint.", ("Always lint.",), id="said twice, kept once"),
        pytest.param(
            "Always use `ruff  check`.", ("Always use `ruff check`.",), id="its own words"
        ),
        pytest.param('He said "never use sudo".', (), id="somebody else's words"),
        pytest.param("```\nNever do this\n```", (), id="a block of code"),
        pytest.param("~~~\nNever do this\n", (), id="a block without an end"),
        pytest.param("<rules>\nNever do this\n</rules>\nOk?", (), id="a tagged block"),
        pytest.param("> Never do this\nWhy?", (), id="a quoted line"),
        pytest.param("    never = do(this)", (), id="indented code"),
        pytest.param("restart: always", (), id="a setting"),
        pytest.param("Why should I never do this?", (), id="a question"),
        pytest.param(
            "Can you always show the diff?", ("Can you always show the diff?",), id="a wish"
        ),
        pytest.param("For now, never mind the tests.", (), id="for now only"),
        pytest.param("Always " + "very " * 80 + "long.", (), id="a story"),
        pytest.param("", (), id="nothing"),
    ],
)
def test_what_is_found(prompt, found):
    assert detect(prompt) == found


@pytest.mark.parametrize("text", ["never " * 20_000, "`" * 50_000, "<a>" * 20_000, "a, " * 30_000])
def test_no_text_takes_long_to_read(text):
    assert detect(text) == ()
