"""Real agents under a budget: their own transcripts are what is counted, and the next call is stopped."""

import pytest

from snaphook.testing import say

LIMIT = """
[budget]
repeats = 0
[budget.session]
tokens = 240
"""
"""Two answers of a scripted model, 100 tokens read and 20 written each; the third is one too many."""


@pytest.mark.req("SQ-10")
@pytest.mark.parametrize(
    "host",
    [
        pytest.param(name, marks=pytest.mark.needs(name))
        for name in ("claude-code", "codex", "gemini-cli", "qwen-code")
    ],
)
def test_a_real_agent_is_stopped_by_what_its_transcript_says(bench, host):
    made = bench(host)
    words = ("one", "two", "three", "four")
    made.script(
        *(say(f"Now {n}.", made.agent.runs(f"touch {n}.txt")) for n in words), say("I was stopped.")
    )
    made.wired()
    made.ruled(LIMIT)

    made.run("please go")

    assert "four.txt" not in made.made()
    assert "one.txt" in made.made()
    assert any(asked.heard("snaphook budget set session TOKENS --tokens") for asked in made.asked)
