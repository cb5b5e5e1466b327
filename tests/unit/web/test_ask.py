"""What an address may ask, and what it may not."""

import pytest

from snaphook.stores.eventlog import Record, RecordedAnswer
from snaphook.web.ask import BadQuestion, Filter, PageCursor, read_cursor, read_filter, read_period

RECORD = Record(
    id="1",
    time=1.0,
    event="PreToolUse",
    session="s",
    host="codex",
    agent="main",
    project="/p",
    tool="Bash",
    input={"tool_args": {"command": "git push --force"}},
    verdict="deny",
    reason="Reason: no",
    answers=(RecordedAnswer(by="guard", rule="git.force"),),
)


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        pytest.param({}, True, id="nothing asked"),
        pytest.param({"verdict": "deny"}, True, id="the verdict"),
        pytest.param({"verdict": "stopped"}, True, id="deny and block are stops"),
        pytest.param({"verdict": "said"}, True, id="any opinion"),
        pytest.param({"verdict": "ask"}, False, id="another verdict"),
        pytest.param({"host": "codex", "tool": "Bash", "agent": "main"}, True, id="all of them"),
        pytest.param({"host": "codex", "tool": "Read"}, False, id="one of them"),
        pytest.param({"q": "PUSH"}, True, id="words of the command, whatever their case"),
        pytest.param({"q": "git.force"}, True, id="the rule"),
        pytest.param({"q": "merge"}, False, id="words that are not there"),
    ],
)
def test_a_filter_lets_through_what_was_asked_for(query, fits):
    assert read_filter(query).takes(RECORD) is fits


@pytest.mark.parametrize(
    "query",
    [
        pytest.param({"verdict": "perhaps"}, id="no verdict"),
        pytest.param({"q": "x" * 501}, id="too long"),
        pytest.param({"host": "a\0b"}, id="a NUL"),
        pytest.param({"before": "yesterday"}, id="no place"),
        pytest.param({"before": "1~" + "x" * 80}, id="no id"),
        pytest.param({"period": "5y"}, id="no period"),
    ],
)
def test_what_nobody_can_answer_is_refused_with_advice(query):
    with pytest.raises(BadQuestion) as raised:
        read_filter(query), read_cursor(query), read_period(query)

    assert raised.value.fix


def test_every_state_of_the_feed_has_an_address_that_leads_back_to_it():
    wanted = Filter(verdict="ask", q="a b&c=d", project="/home/é")

    address = wanted.address()

    assert address == "/feed?verdict=ask&project=%2Fhome%2F%C3%A9&q=a+b%26c%3Dd"
    assert wanted.address(verdict="", q="", project="") == "/feed"


def test_a_place_in_the_record_survives_its_address():
    place = PageCursor(time=1_790_000_000.123, id="0abc-1")

    assert read_cursor({"before": str(place)}) == place
