"""What a host writes to us, read to its end.

stdin  ->  bytes
"""

import os
import select
import time

from snaphook.errors import WireError

LIMIT = 64 * 1024 * 1024
"""Bytes of payload we are ready to read."""
PATIENCE = 5.0
"""Seconds for a host to finish writing; some never close the pipe."""


def read_stdin(patience: float = PATIENCE) -> bytes:
    """Return what the host wrote, up to the end of the pipe or of one JSON document.

    A host that never closes the pipe is answered once its document is whole; one that stops in
    the middle is answered when *patience* ends.
    """
    wire = bytearray()
    until = time.monotonic() + patience
    while (left := until - time.monotonic()) > 0:
        maybe_whole = wire.endswith((b"}", b"}\n"))
        ready, _, _ = select.select([0], [], [], min(0.05, left) if maybe_whole else left)
        if not ready and maybe_whole and _whole(wire):
            return bytes(wire)
        if ready:
            piece = os.read(0, 1 << 16)
            if not piece:
                return bytes(wire)
            wire += piece
        if len(wire) > LIMIT:
            raise WireError(
                where="stdin",
                what=f"more than {LIMIT >> 20} MiB in one message",
                fix="A call this large cannot be evaluated; split it.",
            )
    raise WireError(
        where="stdin",
        what=f"no whole message within {patience:g} s ({len(wire)} bytes came)",
        fix="Run 'snaphook doctor' to see what the host sends.",
    )


def _whole(wire: bytearray) -> bool:
    from msgspec.json import decode

    try:
        decode(bytes(wire))
    except (ValueError, RecursionError):
        return False
    return True
