"""One session in each real agent: what our hooks say is what happens."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from snaphook.testing import ModelServer, say

from .conftest import Bench, at, each_main_agent, turns

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

DANGEROUS = "git push --force origin main; echo gone > ran.txt"
HARMLESS = "echo fine > fine.txt"


@pytest.fixture(scope="module", params=each_main_agent())
def session(request, tmp_path_factory) -> Iterator[Bench]:
    """One run per agent: a dangerous call, a harmless one, an end, and the end it is sent back to."""
    folder: Path = tmp_path_factory.mktemp(request.param)
    with ModelServer(turns()) as server:
        bench = at(folder, request.param, server)
        server.script = turns(
            say("", bench.agent.runs(DANGEROUS)),
            say("", bench.agent.runs(HARMLESS)),
            say("all done"),
            say("all done, really"),
        )
        bench.ruled()
        bench.wired()
        ran = bench.run()
        assert ran.exit_code == 0, ran.stderr
        yield bench


@pytest.mark.req("BB-1")
def test_a_dangerous_command_does_not_run(session):
    assert "ran.txt" not in session.made()


@pytest.mark.req("BB-1")
def test_the_reason_reaches_the_models_next_request(session):
    assert "protected branch" in session.asked[1].news


def test_a_harmless_command_runs(session):
    assert session.made() == {"fine.txt"}


def test_what_the_session_hook_says_is_in_the_first_request(session):
    assert session.asked[0].heard("SESSION-MARK: the tree is red")


def test_what_the_prompt_hook_says_is_in_the_first_request(session):
    assert session.asked[0].heard("CONTEXT-MARK: on main")


def test_a_remark_on_a_result_reaches_the_model(session):
    assert session.asked[2].heard("POST-MARK")


def test_a_stop_is_sent_back_once_with_the_reason(session):
    if session.agent.host == "opencode":
        # 'opencode run' ends when the session is idle; its follow-up is for those who stay.
        assert len(session.asked) == 3
    else:
        assert len(session.asked) == 4
        assert "STOP-MARK: tests fail" in session.asked[3].news
