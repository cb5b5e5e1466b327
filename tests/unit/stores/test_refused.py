"""A record says what the sandbox refused, and everybody who shows records shows it."""

from snaphook.providers.telemetry.measures import Measures
from snaphook.stores.eventlog.record import Record, RecordedAnswer
from snaphook.stores.eventlog.refused import refused, refused_rules
from snaphook.stores.eventlog.stats import stats
from snaphook.web.words import said

REFUSED = Record(
    id="1",
    time=1.0,
    event="PostToolUse",
    session="s",
    host="codex",
    tool="Bash",
    answers=(RecordedAnswer(by="sandbox", rule="sandbox.outside"),),
    output={
        "additional_context": "The sandbox refused: /etc/hosts (outside the project). Confined commands …"
    },
)
REWRITTEN = Record(
    id="2",
    time=1.0,
    event="PreToolUse",
    session="s",
    verdict="modify",
    answers=(RecordedAnswer(by="guard", verdict="modify", rule="sandbox"),),
)


def test_a_record_says_what_was_refused():
    assert refused(REFUSED) == "/etc/hosts (outside the project)"
    assert refused_rules(REFUSED) == ["sandbox.outside"]


def test_a_rewritten_call_is_not_a_refusal():
    assert refused(REWRITTEN) == ""
    assert said(REWRITTEN) == ("modify", "changed")


def test_the_dashboard_marks_it():
    assert said(REFUSED) == ("ask", "refused in part")


def test_the_statistics_count_the_rule():
    assert stats([REFUSED, REWRITTEN]).rules == {"sandbox": 1, "sandbox.outside": 1}


def test_a_metric_counts_it():
    measures = Measures(now=1.0)
    measures.take(REFUSED)

    ((labels, count),) = measures.numbers["snaphook.sandbox.refusals"].items()
    assert (labels[:2], count) == (("sandbox.outside", "codex"), 1)
