r"""What goes over the socket, byte by byte. ``native/client.c`` speaks the same.

Request:  "SNAP" 1  u32 length  version NUL cwd NUL argc NUL arg NUL … envc NUL NAME=VALUE NUL …
          u32 length  stdin
Reply:    "SNAP" 2  u8 status  u32 length  u32 length  stdout  stderr
          "SNAP" 3  still working
          "SNAP" 4  ask Python instead

Numbers are big-endian. Pure: no socket here.
"""

import struct
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct

from snaphook.errors import WireError

from .client import request_bytes

MAGIC = b"SNAP"
REQUEST, ANSWER, WORKING, ASK_PYTHON = range(1, 5)
MARK = 5
"""Bytes of a frame's mark: the magic and its kind."""
LENGTH = 4
_LENGTH = struct.Struct(">I").unpack_from
_LENGTHS = struct.Struct(">BII").pack

_OPENING = MAGIC + bytes([REQUEST])
_ANSWERED = MAGIC + bytes([ANSWER])
STILL_WORKING = MAGIC + bytes([WORKING])
ASK_ELSEWHERE = MAGIC + bytes([ASK_PYTHON])

USUAL = 16 << 10
"""Bytes of a head that may be remembered; 64 of them are a megabyte at most."""
MAX_HEAD = 4 << 20
MAX_BODY = 256 << 20


class RequestFrame(Struct, frozen=True, kw_only=True):
    """One call of the client: its words, where and with what it was called."""

    version: str
    cwd: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    stdin: bytes = b""


class ReplyFrame(Struct, frozen=True, kw_only=True):
    """What the client writes, and leaves with."""

    status: int = 0
    stdout: bytes = b""
    stderr: bytes = b""


def encode_request(request: RequestFrame) -> bytes:
    """Return *request* as the client sends it."""
    return request_bytes(request.version, request.cwd, request.args, request.env, request.stdin)


class Head(Struct, frozen=True):
    """The first block of a request: everything but what the host says."""

    version: str
    cwd: str
    args: tuple[str, ...]
    env: Mapping[str, str]


def decode_head(head: bytes, stdin: bytes) -> RequestFrame:
    """Return the request whose first block is *head* and whose second is *stdin*."""
    read = _usual_head(head) if len(head) <= USUAL else _head(head)
    return RequestFrame(
        version=read.version, cwd=read.cwd, args=read.args, env=read.env, stdin=stdin
    )


def _head(head: bytes) -> Head:
    words = iter(head.decode(errors="surrogateescape").split("\0"))
    try:
        version, cwd = next(words), next(words)
        args = tuple(next(words) for _ in range(_count(next(words))))
        env = dict(next(words).partition("=")[::2] for _ in range(_count(next(words))))
    except (StopIteration, RuntimeError, ValueError) as error:
        raise _nonsense("a request that is cut short or miscounted") from error
    return Head(version, cwd, args, MappingProxyType(env))


_usual_head = lru_cache(maxsize=64)(_head)
"""An agent calls from the same place with the same variables all day: read those once."""


class Gathering:
    """The pieces of one request, as they come in."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, piece: bytes) -> RequestFrame | None:
        """Return the request once *piece* completes it; whatever follows is not read."""
        gathered = self._bytes
        gathered += piece
        if not gathered.startswith(_OPENING[: len(gathered)]):
            raise _nonsense(f"no request begins {bytes(gathered[:MARK])!r}")
        head_ends = self._block_ends(MARK, MAX_HEAD)
        if head_ends is None:
            return None
        body_ends = self._block_ends(head_ends, MAX_BODY)
        if body_ends is None:
            return None
        head = bytes(gathered[MARK + LENGTH : head_ends])
        return decode_head(head, bytes(gathered[head_ends + LENGTH : body_ends]))

    def _block_ends(self, start: int, most: int) -> int | None:
        """Return where the block that begins at *start* ends, if it is all here."""
        gathered = self._bytes
        if len(gathered) < start + LENGTH:
            return None
        (length,) = _LENGTH(gathered, start)
        if length > most:
            raise _nonsense(f"a block of {length} bytes; {most} is the most")
        end = start + LENGTH + length
        return end if len(gathered) >= end else None


def encode_answer(answer: ReplyFrame) -> bytes:
    """Return *answer* as the client reads it."""
    lengths = _LENGTHS(answer.status & 0xFF, len(answer.stdout), len(answer.stderr))
    return b"".join((_ANSWERED, lengths, answer.stdout, answer.stderr))


def _nonsense(what: str) -> WireError:
    fix = "Run 'snaphook doctor' to compare the versions of client and daemon."
    return WireError(where="daemon", what=what, fix=fix)


def _count(word: str) -> int:
    count = int(word)
    if not 0 <= count <= MAX_HEAD:
        raise ValueError(word)
    return count
