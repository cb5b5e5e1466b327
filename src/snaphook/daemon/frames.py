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

from msgspec import Struct

from snaphook.errors import WireError

MAGIC = b"SNAP"
REQUEST, ANSWER, WORKING, ASK_PYTHON = range(1, 5)
MARK = 5
"""Bytes of a frame's mark: the magic and its kind."""
LENGTH = 4

STILL_WORKING = MAGIC + bytes([WORKING])
ASK_ELSEWHERE = MAGIC + bytes([ASK_PYTHON])

MAX_HEAD = 4 << 20
MAX_BODY = 256 << 20


class Request(Struct, frozen=True, kw_only=True):
    """One call of the client: its words, where and with what it was called."""

    version: str
    cwd: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    stdin: bytes = b""


class Answer(Struct, frozen=True, kw_only=True):
    """What the client writes, and leaves with."""

    status: int = 0
    stdout: bytes = b""
    stderr: bytes = b""


def encode_request(request: Request) -> bytes:
    """Return *request* as the client sends it."""
    words = [
        request.version,
        request.cwd,
        str(len(request.args)),
        *request.args,
        str(len(request.env)),
        *(f"{name}={value}" for name, value in request.env.items()),
    ]
    head = b"".join(word.encode(errors="surrogateescape") + b"\0" for word in words)
    mark = MAGIC + bytes([REQUEST])
    return b"".join((mark, _length(head), head, _length(request.stdin), request.stdin))


def decode_head(head: bytes, stdin: bytes) -> Request:
    """Return the request whose first block is *head* and whose second is *stdin*."""
    words = iter(head.decode(errors="surrogateescape").split("\0"))
    try:
        version, cwd = next(words), next(words)
        args = tuple(next(words) for _ in range(_count(next(words))))
        env = dict(next(words).partition("=")[::2] for _ in range(_count(next(words))))
    except (StopIteration, RuntimeError, ValueError) as error:
        raise WireError(
            where="daemon",
            what="a request that is cut short or miscounted",
            fix="Run 'snaphook doctor' to compare the versions of client and daemon.",
        ) from error
    return Request(version=version, cwd=cwd, args=args, env=env, stdin=stdin)


def encode_answer(answer: Answer) -> bytes:
    """Return *answer* as the client reads it."""
    lengths = struct.pack(">BII", answer.status & 0xFF, len(answer.stdout), len(answer.stderr))
    return MAGIC + bytes([ANSWER]) + lengths + answer.stdout + answer.stderr


def _length(block: bytes) -> bytes:
    return struct.pack(">I", len(block))


def _count(word: str) -> int:
    count = int(word)
    if not 0 <= count <= MAX_HEAD:
        raise ValueError(word)
    return count
