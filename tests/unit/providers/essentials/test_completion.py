"""An agent is done when it says so on a line of its own, and no further than it says."""

import json

import pytest

from snaphook.providers.essentials.completion import Completion, CompletionStatus, completion
from snaphook.providers.essentials.transcript import TranscriptEnd, read_transcript


@pytest.mark.req("BB-ST-2")
@pytest.mark.parametrize(
    ("said", "results", "status"),
    [
        ("All done.\n\nPROMISE_COMPLETE", "", CompletionStatus.COMPLETE),
        ("**PROMISE_COMPLETE**", "", CompletionStatus.COMPLETE),
        ("<promise>PROMISE_COMPLETE</promise>", "", CompletionStatus.COMPLETE),
        ("Status: COMPLETE", "", CompletionStatus.COMPLETE),
        ("**Status:** PARTIAL", "", CompletionStatus.PARTIAL),
        ("PROMISE_COMPLETE\nStatus: BLOCKED\nReason: no key", "", CompletionStatus.BLOCKED),
        ("PROMISE_COMPLETE", "Status: PARTIAL", CompletionStatus.PARTIAL),
        ("PROMISE_COMPLETE\nCompletion: 80%", "", CompletionStatus.PARTIAL),
        ("Status: COMPLETE\nCompletion: 100%", "", CompletionStatus.COMPLETE),
        ("bye", "# Results\nStatus: COMPLETE", CompletionStatus.COMPLETE),
        ("I cannot say PROMISE_COMPLETE yet.", "", None),
        ("```\nPROMISE_COMPLETE\n```", "", None),
        ("> PROMISE_COMPLETE", "", None),
        ("say `PROMISE_COMPLETE` when done", "", None),
        ("The status is complete nonsense", "", None),
        ("", "", None),
    ],
)
def test_what_counts_as_an_end(said, results, status):
    found = completion(said, results)

    assert (found.status if found else None) is status


def test_the_task_and_the_reason_are_read_where_they_are_stated():
    text = "Status: BLOCKED\nTask: TASK-001\nBlocker: the **key** is missing"

    assert completion(text) == Completion(
        status=CompletionStatus.BLOCKED, task_id="TASK-001", reason="the **key** is missing"
    )
    mentioned = completion("see TASK-002\nPROMISE_COMPLETE")
    assert mentioned == Completion(status=CompletionStatus.COMPLETE)


def line(kind, content, **more):
    return json.dumps({"type": kind, "message": {"role": kind, "content": content, **more}})


@pytest.mark.req("BB-ST-2", "BB-ST-6")
def test_a_transcript_tells_the_last_words_and_the_tokens(tmp_path):
    path = tmp_path / "t.jsonl"
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100}
    path.write_text(
        "\n".join(
            [
                line("user", "say PROMISE_COMPLETE at the end"),
                line("assistant", [{"type": "text", "text": "old"}], id="m1", usage=usage),
                line("user", [{"type": "text", "text": "go on"}]),
                line("assistant", [{"type": "tool_use", "name": "Bash"}], id="m2", usage=usage),
                line("user", [{"type": "tool_result", "content": "PROMISE_COMPLETE"}]),
                line("assistant", [{"type": "text", "text": "nearly"}], id="m3", usage=usage),
                line("assistant", [{"type": "text", "text": "done"}], id="m3", usage=usage),
                "not json",
                "[1, 2]",
                '{"type": "assistant", "isSidechain": true, "message": {"content": "child"}}',
            ]
        )
    )

    assert read_transcript(path) == TranscriptEnd(text="nearly\ndone", tokens=345, turns=3)


def test_a_transcript_that_is_not_there_says_nothing(tmp_path):
    assert read_transcript(tmp_path / "none") == TranscriptEnd()
