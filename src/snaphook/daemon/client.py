"""The client in Python, for those who have no native one.

argv, cwd, environment, stdin  ->  Unix socket  ->  status, stdout, stderr

It does what ``native/client.c`` does, byte for byte, and imports next to nothing: this is paid on
every tool call.
"""

import os
import socket
from collections.abc import Mapping, Sequence

from snaphook import __version__

from .socket_path import hangs, is_ours, note_that_it_hangs, socket_name

SILENCE = 3.0
"""Seconds without a sign of life after which the daemon is passed by."""
_REQUEST, _ANSWER, _WORKING = b"SNAP\1", b"SNAP\2", b"SNAP\3"


def ask(
    args: Sequence[str], stdin: bytes, env: Mapping[str, str], cwd: str
) -> tuple[int, bytes, bytes] | None:
    """Return what the daemon says: status, stdout and stderr; ``None`` if it gives no answer."""
    path = socket_name(env)
    if not is_ours(os.path.dirname(path)):  # noqa: PTH120 - pathlib costs more than the question
        return None
    if hangs(path):
        return None
    try:
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(SILENCE)
            wire.connect(path)
            wire.sendall(request_bytes(__version__, cwd, args, env, stdin))
            return _answer(wire)
    except TimeoutError:
        note_that_it_hangs(path)
        return None
    except (OSError, EOFError):
        return None


def request_bytes(
    version: str, cwd: str, args: Sequence[str], env: Mapping[str, str], stdin: bytes
) -> bytes:
    """Return a request's frame."""
    words = [version, cwd, str(len(args)), *args, str(len(env))]
    words += [f"{name}={value}" for name, value in env.items()]
    head = b"".join(word.encode(errors="surrogateescape") + b"\0" for word in words)
    return b"".join((_REQUEST, _length(head), head, _length(stdin), stdin))


def _answer(wire: socket.socket) -> tuple[int, bytes, bytes] | None:
    while (mark := _exactly(wire, len(_ANSWER))) == _WORKING:
        pass
    if mark != _ANSWER:
        return None
    head = _exactly(wire, 9)
    out, err = int.from_bytes(head[1:5], "big"), int.from_bytes(head[5:9], "big")
    return head[0], _exactly(wire, out), _exactly(wire, err)


def _exactly(wire: socket.socket, length: int) -> bytes:
    got = bytearray()
    while len(got) < length:
        piece = wire.recv(min(length - len(got), 1 << 16))
        if not piece:
            raise EOFError
        got += piece
    return bytes(got)


def _length(block: bytes) -> bytes:
    return len(block).to_bytes(4, "big")
