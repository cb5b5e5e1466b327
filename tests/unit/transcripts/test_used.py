"""What real hosts wrote of their costs into their transcripts, read piece by piece."""

from pathlib import Path

import pytest

from snaphook.canon import Usage
from snaphook.transcripts import TranscriptReading, UsageReported

RECORDED = Path(__file__).with_name("used")
ANSWER = Usage(input_tokens=100, output_tokens=20)
"""What the scripted model said each of its three answers used."""


def used(file: Path, content: str) -> list[UsageReported]:
    file.write_text(content)
    return list(TranscriptReading(file).used())


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
    """Fed to one process after the other in pieces of any size, it tells the same as whole."""
    raw = (RECORDED / f"{host}.jsonl").read_bytes()
    growing = tmp_path / "t.jsonl"
    for step in (len(raw), 4096, 997):
        told: dict[str, object] = {}
        reading = TranscriptReading(growing)
        for end in range(0, len(raw) + step, step):
            growing.write_bytes(raw[:end])
            reading = TranscriptReading(growing, offset=reading.offset, state=reading.state)
            told |= {use.id: (use.host, use.model, use.usage) for use in reading.used()}

        assert list(told.values()) == [(host, model, ANSWER)] * 3
        assert not reading.grown


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini-cli", "qwen-code"])
def test_the_cheap_reading_tells_what_the_whole_one_tells(host):
    cheap, whole = (TranscriptReading(RECORDED / f"{host}.jsonl") for _ in range(2))

    assert [use.id for use in cheap.used()] == [
        entry.id for entry in whole.more() if isinstance(entry, UsageReported)
    ]


def test_a_long_transcript_is_read_bit_by_bit():
    reading = TranscriptReading(RECORDED / "claude-code.jsonl")
    sizes = []
    while reading.grown:
        sizes.append(len({use.id for use in reading.used(most=1)}))

    assert sum(sizes) > max(sizes)


def test_what_anthropics_cache_had_is_part_of_the_input(tmp_path):
    (use,) = used(
        tmp_path / "t.jsonl",
        '{"type":"assistant","requestId":"r","message":{"id":"m","model":"claude-opus-5","usage":'
        '{"input_tokens":3,"cache_read_input_tokens":5,"cache_creation_input_tokens":7,'
        '"output_tokens":11}}}\n',
    )

    assert (use.id, use.usage) == (
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
    reading = TranscriptReading(file)

    assert (list(reading.used()), reading.offset) == ([], len(line) + 1)


def test_figures_that_are_no_counts_count_as_nothing(tmp_path):
    (use,) = used(
        tmp_path / "t.jsonl",
        '{"type":"gemini","id":"a","tokens":{"input":-5,"output":"many","cached":null}}\n',
    )

    assert use.usage == Usage()


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(None, id="shorter than what was read"),
        pytest.param('{"type":"some-agent"}', id="a reader we do not have"),
    ],
)
def test_a_transcript_begun_anew_is_read_from_its_start(tmp_path, state):
    file = tmp_path / "t.jsonl"
    file.write_bytes((RECORDED / "gemini-cli.jsonl").read_bytes())
    before = TranscriptReading(file)
    list(before.used())
    file.write_text('{"type":"gemini","id":"new","tokens":{"input":1,"output":2}}\n')

    reading = TranscriptReading(file, offset=before.offset, state=state or before.state)

    assert [use.id for use in reading.used()] == ["new"]
    assert reading.offset == file.stat().st_size


def test_a_transcript_that_is_not_there_yet_has_not_grown(tmp_path):
    assert not TranscriptReading(tmp_path / "none").grown
