"""Frames: what is sent is what arrives, and nonsense is refused."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from snaphook.daemon import frames
from snaphook.daemon.frames import ReplyFrame, RequestFrame
from snaphook.errors import WireError

word = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
name = word.filter(lambda text: "=" not in text)
requests = st.builds(
    RequestFrame,
    version=word,
    cwd=word,
    args=st.lists(word, max_size=4).map(tuple),
    env=st.dictionaries(name, word, max_size=4),
    stdin=st.binary(max_size=200),
)


def split(wire):
    """Take a request's frame apart as the server does."""
    assert wire[:5] == frames.MAGIC + bytes([frames.REQUEST])
    head_length = int.from_bytes(wire[5:9], "big")
    rest = wire[9 + head_length :]
    assert int.from_bytes(rest[:4], "big") == len(rest) - 4
    return wire[9 : 9 + head_length], rest[4:]


@given(requests)
def test_a_request_arrives_as_it_was_sent(request):
    assert frames.decode_head(*split(frames.encode_request(request))) == request


@given(st.binary(max_size=300))
def test_a_head_that_makes_no_sense_is_refused_and_nothing_else(head):
    with contextlib.suppress(WireError):
        frames.decode_head(head, b"")


def test_an_answer_is_status_and_two_streams():
    wire = frames.encode_answer(ReplyFrame(status=2, stdout=b"out", stderr=b"error"))

    assert wire == b"SNAP\x02\x02\x00\x00\x00\x03\x00\x00\x00\x05outerror"
