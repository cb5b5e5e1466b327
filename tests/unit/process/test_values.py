"""Keeping the ends of a stream, and one number for each way to end."""

import pytest

from snaphook.process import CapturedStream, Completed
from snaphook.process.capture import Capture


@pytest.mark.parametrize(
    ("keep", "chunks", "stream"),
    [
        pytest.param(8, [b"abc", b"def"], CapturedStream(b"abcd", b"ef"), id="all of it"),
        pytest.param(
            8, [b"abcdefgh"], CapturedStream(b"abcd", b"efgh"), id="exactly as much as we keep"
        ),
        pytest.param(8, [b"abcdefghi"], CapturedStream(b"abcd", b"fghi", 1), id="one too many"),
        pytest.param(
            4, [b"x" * 10_000, b"yz"], CapturedStream(b"xx", b"yz", 9_998), id="far too many"
        ),
        pytest.param(3, [b"abcdef"], CapturedStream(b"ab", b"f", 3), id="an odd number"),
        pytest.param(0, [b"abc"], CapturedStream(b"", b"", 3), id="count only"),
        pytest.param(8, [], CapturedStream(), id="nothing"),
    ],
)
def test_the_beginning_and_the_end_are_kept(keep, chunks, stream):
    capture = Capture(keep)
    for chunk in chunks:
        capture.take(chunk)

    assert capture.stream() == stream


def test_a_character_cut_in_two_by_the_halves_is_whole_again():
    capture = Capture(4)
    capture.take("aé!".encode())

    assert capture.stream().text == "aé!"


@pytest.mark.parametrize(
    ("completed", "status"),
    [
        (Completed(exit_code=0), 0),
        (Completed(exit_code=2), 2),
        (Completed(signal=15), 143),
        (Completed(timed_out=True), 124),
        (Completed(failure="no such file"), 127),
    ],
)
def test_one_number_tells_the_end_as_a_shell_would(completed, status):
    assert completed.status == status
