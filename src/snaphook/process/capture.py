"""Keep the beginning and the end of a stream, count what lies between.

chunk, chunk, chunk …  ->  CapturedStream
"""

from .values import CapturedStream


class Capture:
    """Takes any number of bytes and remembers at most *keep* of them, half of them the last."""

    def __init__(self, keep: int) -> None:
        self._half = keep // 2
        self._first = keep - self._half
        self._head = bytearray()
        self._tail = bytearray()
        self._seen = 0

    def take(self, chunk: bytes) -> None:
        """Remember *chunk* as far as there is room."""
        self._seen += len(chunk)
        room = self._first - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk
        if len(self._tail) > 4 * self._half:
            self._trim()

    def stream(self) -> CapturedStream:
        """Return what was kept so far."""
        self._trim()
        kept = len(self._head) + len(self._tail)
        return CapturedStream(bytes(self._head), bytes(self._tail), self._seen - kept)

    def _trim(self) -> None:
        surplus = len(self._tail) - self._half
        if surplus > 0:
            del self._tail[:surplus]
