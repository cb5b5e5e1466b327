"""The same session, continued: hooks fire again and know that it is a continuation."""

import pytest

from snaphook.testing import say

from .conftest import RULES, each_main_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

DANGEROUS = "git push --force origin main; echo gone > ran.txt"


@pytest.mark.parametrize("host", each_main_agent())
def test_a_resumed_session_is_guarded_and_remembers(host, bench):
    here = bench(host)
    here.ruled(RULES + '\n[[hooks.SessionStart]]\ncommand = "cat >> $HOME/starts.jsonl"\n')
    here.wired()
    here.script(say("first answer"), say("again"))
    first = here.run("remember the word CORMORANT")
    assert first.session is not None, first.stderr
    here.script(say("", here.agent.runs(DANGEROUS)), say("done"), say("done"))

    second = here.run("now go on", resume=first.session)

    assert second.exit_code == 0, second.stderr
    if host != "gemini-cli":  # it drops a prompt that a session hook's context stands before
        assert here.asked[0].heard("CORMORANT")
    assert here.asked[0].heard("first answer")
    assert "protected branch" in here.asked[1].news
    assert "ran.txt" not in here.made()
    assert '"resume"' in (here.place.home / "starts.jsonl").read_text()
