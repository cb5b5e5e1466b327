"""Name lookups are answered with addresses of the loopback, or not at all."""

import struct

import pytest

from snaphook.sandbox.proxy.names import Addresses, answer, read_question


def query(name, kind=1):
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    return (
        struct.pack("!HHHHHH", 7, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", kind, 1)
    )


def asked(name, kind=1):
    question = read_question(query(name, kind))
    assert question is not None
    return question


def test_an_allowed_name_has_an_address_and_the_address_the_name():
    addresses = Addresses()
    raw = answer(asked("Example.org"), addresses.address("example.org"))

    assert raw[-4:] == bytes([127, 77, 0, 1])
    assert struct.unpack_from("!HHHH", raw) == (7, 0x8180, 1, 1)
    assert addresses.address("example.org") == "127.77.0.1"
    assert addresses.name("127.77.0.1") == "example.org"
    assert addresses.name("127.77.0.2") == ""


def test_a_name_that_is_not_allowed_does_not_exist():
    raw = answer(asked("secret.evil.test"), "")

    assert struct.unpack_from("!HHHH", raw) == (7, 0x8183, 1, 0)


def test_an_address_of_the_other_kind_is_answered_with_nothing():
    raw = answer(asked("example.org", kind=28), "127.77.0.1")

    assert struct.unpack_from("!HHHH", raw) == (7, 0x8180, 1, 0)


@pytest.mark.parametrize(
    "raw",
    [b"", bytes(11), bytes(16), query("a.example")[:-3], query("a.example")[:14], b"\xff" * 64,
     query("a.example")[:12] + b"\xc0\x0c\x00\x01\x00\x01", query(".".join(["a" * 60] * 6))],
)  # fmt: skip
def test_what_is_no_question_has_no_answer(raw):
    assert read_question(raw) is None
