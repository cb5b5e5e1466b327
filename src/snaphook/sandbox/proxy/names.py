"""Answers to name lookups: an address of the loopback for each allowed name, nothing for others.

DNS query  ->  DNS answer

A program that asks gets an address that leads back to us, so that we know the name when it connects, and
programs need not know of any proxy. Pure. https://www.rfc-editor.org/rfc/rfc1035
"""

import struct

from msgspec import Struct

_HEADER = struct.Struct("!HHHHHH")
_A, _ANY, _IN = 1, 255, 1
_ANSWER, _NO_SUCH_NAME, _MALFORMED = 0x8180, 0x8183, 0x8181
_LIFETIME = 60
_LONGEST = 253
MOST_NAMES = 60_000
"""Names that have an address: 127.77.0.1 and on."""


class Question(Struct, frozen=True, kw_only=True):
    """What is asked."""

    id: int
    name: str
    kind: int
    raw: bytes
    """The question as it was asked: an answer repeats it."""


class Addresses:
    """An address for each name, and the name of each address."""

    def __init__(self) -> None:
        self._of_name: dict[str, str] = {}
        self._of_address: dict[str, str] = {}

    def address(self, name: str) -> str:
        """Return the address of *name*, the same each time; empty once there are too many."""
        known = self._of_name.get(name)
        if known is not None:
            return known
        number = len(self._of_name) + 1
        if number > MOST_NAMES:
            return ""
        address = f"127.77.{number >> 8}.{number & 255}"
        self._of_name[name] = address
        self._of_address[address] = name
        return address

    def name(self, address: str) -> str:
        """Return the name that *address* was given for; empty for any other."""
        return self._of_address.get(address, "")


def read_question(raw: bytes) -> Question | None:
    """Return the question of a query; nothing where it is malformed."""
    if len(raw) < _HEADER.size + 5:
        return None
    ident, flags, count, *_ = _HEADER.unpack_from(raw)
    if flags & 0x8000 or count != 1:
        return None
    labels, at = [], _HEADER.size
    while at < len(raw) and raw[at]:
        size = raw[at]
        if size > 63 or at + 1 + size >= len(raw):
            return None
        labels.append(raw[at + 1 : at + 1 + size].decode("ascii", "replace"))
        at += 1 + size
    end = at + 5
    name = ".".join(labels).lower()
    if end > len(raw) or len(name) > _LONGEST:
        return None
    kind = struct.unpack_from("!H", raw, at + 1)[0]
    return Question(id=ident, name=name, kind=kind, raw=raw[_HEADER.size : end])


def answer(question: Question, address: str) -> bytes:
    """Return the answer: *address*, or that there is no such name where it is empty."""
    if not address:
        return _HEADER.pack(question.id, _NO_SUCH_NAME, 1, 0, 0, 0) + question.raw
    if question.kind not in (_A, _ANY):  # the name is there, and has nothing of this kind
        return _HEADER.pack(question.id, _ANSWER, 1, 0, 0, 0) + question.raw
    record = struct.pack("!HHHIH", 0xC00C, _A, _IN, _LIFETIME, 4)
    number = bytes(int(part) for part in address.split("."))
    return _HEADER.pack(question.id, _ANSWER, 1, 1, 0, 0) + question.raw + record + number
