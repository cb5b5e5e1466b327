"""Recording: what came of an event, whole, short enough, and without its secrets."""

import json

import pytest

from snaphook import Engine, HookContext, PostToolUse, PreToolUse, PreToolUseOutput, Verdict
from snaphook.engine import dispatch_sync
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog import LogSettings, Record, RecordedAnswer
from snaphook.stores.eventlog.read import records
from snaphook.wiring.recording import LONGEST, SHARED, keep, new_id, record, scrubber

CONTEXT = HookContext(
    session_id="s", team_root="/project", host="codex", timestamp=12.0, agent_name="main"
)
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


class Refuses:
    name = "refuses"
    suspends = False

    def on_pre_tool_use(self, event, context):
        return PreToolUseOutput(decision=Verdict.DENY, reason=f"no {event.tool_args['command']}")


class Fails:
    name = "fails"
    suspends = False

    def on_pre_tool_use(self, event, context):
        raise ValueError(event.tool_args["command"])


def outcome(command, *providers):
    event = PreToolUse(context=CONTEXT, tool_name="Bash", tool_args={"command": command})
    return dispatch_sync(Engine(providers), event)


def test_a_record_tells_who_asked_who_answered_and_what_came_of_it():
    made = record(outcome("ls", Refuses()), Scrubber())

    assert made == Record(
        id=made.id,
        time=12.0,
        event="PreToolUse",
        session="s",
        host="codex",
        agent="main",
        project="/project",
        tool="Bash",
        input={"tool_args": {"command": "ls"}},
        answers=(
            RecordedAnswer(
                by="refuses",
                verdict="deny",
                reason="no ls",
                duration_ms=made.answers[0].duration_ms,
            ),
        ),
        verdict="deny",
        reason="no ls",
        by="refuses",
        duration_ms=made.duration_ms,
        salt=made.salt,
    )


def test_no_secret_reaches_the_disk_wherever_it_was_said(tmp_path):
    keep(outcome(f"curl -H 'Authorization: {SECRET}'", Refuses(), Fails()), LogSettings(), tmp_path)

    [segment] = (tmp_path / "log" / SHARED).glob("*.log")
    assert SECRET not in segment.read_text()
    [kept] = records(tmp_path / "log")
    assert "REDACTED" in kept.input["tool_args"]["command"]
    assert "REDACTED" in str(kept.reason)
    assert "REDACTED" in str(kept.answers[1].error)


def test_the_same_secret_has_the_same_mark_from_one_process_to_the_next(tmp_path):
    assert scrubber(tmp_path).text(SECRET) == scrubber(tmp_path).text(SECRET)


def test_what_is_too_long_is_cut_and_says_so():
    long = PostToolUse(
        context=CONTEXT, tool_name="Read", tool_args={}, tool_result={"text": ["x" * 20_000]}
    )
    made = record(dispatch_sync(Engine([]), long), Scrubber())

    [text] = made.input["tool_result"]["text"]
    assert text == "x" * LONGEST + f"… [+{20_000 - LONGEST} characters]"


@pytest.mark.parametrize("odd", ["\ud800", "a\udcffb", "é"])
def test_a_text_that_is_no_text_is_kept_as_well_as_it_can_be(odd, tmp_path):
    keep(outcome(odd, Refuses()), LogSettings(), tmp_path)

    [kept] = records(tmp_path / "log")
    assert json.dumps(kept.input)


def test_ids_grow_with_time_and_never_repeat():
    made = [new_id() for _ in range(2000)]

    assert len(set(made)) == 2000
    assert [each[:12] for each in made] == sorted(each[:12] for each in made)
