"""What real hosts wrote into their transcripts, read piece by piece."""

from pathlib import Path

import pytest

from snaphook.canon import Usage
from snaphook.providers.budget.transcript import grown, read_on

RECORDED = Path(__file__).parent / "transcripts"
ANSWER = Usage(input_tokens=100, output_tokens=20)
"""What the scripted model said each of its three answers used."""


@pytest.mark.req("SQ-10")
@pytest.mark.parametrize(
    ("host", "model"),
    [
        ("claude-code", "claude-opus-5-5"),
        ("codex", "scripted-model"),
        ("gemini-cli", "gemini-2.5-flash"),
        ("qwen-code", "scripted-model"),
    ],
)
def test_a_real_transcript_holds_three_answers_however_it_is_cut(tmp_path, host, model):
    """Fed to the reader in pieces of any size, it tells the same as whole."""
    raw = (RECORDED / f"{host}.jsonl").read_bytes()
    growing = tmp_path / "t.jsonl"
    for step in (len(raw), 4096, 997):
        told: dict[str, object] = {}
        at, state = 0, ""
        for end in range(0, len(raw) + step, step):
            growing.write_bytes(raw[:end])
            uses, at, state = read_on(str(growing), at, state)
            told |= {use.key: (use.model, use.usage) for use in uses}

        assert list(told.values()) == [(model, ANSWER)] * 3
        assert not grown(str(growing), at)


def test_what_anthropics_cache_had_is_part_of_the_input(tmp_path):
    file = tmp_path / "t.jsonl"
    file.write_text(
        '{"type":"assistant","requestId":"r","message":{"id":"m","model":"claude-opus-5","usage":'
        '{"input_tokens":3,"cache_read_input_tokens":5,"cache_creation_input_tokens":7,'
        '"output_tokens":11}}}\n'
    )

    (use,), _, _ = read_on(str(file), 0, "")

    assert (use.key, use.usage) == (
        "m/r",
        Usage(input_tokens=15, output_tokens=11, cache_read_tokens=5, cache_write_tokens=7),
    )


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('{"input_tokens": [1, 2', id="torn JSON"),
        pytest.param(
            '{"type":"assistant","message":{"id":"m","usage":"many_tokens"}}', id="no figures"
        ),
        pytest.param('"just_tokens"', id="no object"),
    ],
)
def test_a_line_that_makes_no_sense_is_passed_over(tmp_path, line):
    file = tmp_path / "t.jsonl"
    file.write_text(f"{line}\n")

    assert read_on(str(file), 0, "")[:2] == ([], len(line) + 1)


def test_figures_that_are_no_counts_count_as_nothing(tmp_path):
    file = tmp_path / "t.jsonl"
    file.write_text(
        '{"type":"gemini","id":"a","tokens":{"input":-5,"output":"many","cached":null}}\n'
    )

    (use,), _, _ = read_on(str(file), 0, "")

    assert use.usage == Usage()


def test_a_transcript_begun_anew_is_read_from_its_start(tmp_path):
    file = tmp_path / "t.jsonl"
    file.write_bytes((RECORDED / "gemini-cli.jsonl").read_bytes())
    _, at, state = read_on(str(file), 0, "")
    file.write_text('{"type":"gemini","id":"new","tokens":{"input":1,"output":2}}\n')

    (use,), now_at, _ = read_on(str(file), at, state)

    assert (use.key, now_at) == ("new", file.stat().st_size)


def test_a_transcript_that_is_not_there_yet_is_nothing_to_read(tmp_path):
    assert read_on(str(tmp_path / "none"), 0, "") == ([], 0, "")
    assert not grown(str(tmp_path / "none"), 0)
