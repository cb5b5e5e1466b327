"""What is run, and what came of it.

Pure data: nothing here starts anything.
"""

from collections.abc import Mapping

from msgspec import Struct

KEEP = 1024 * 1024
"""Bytes of each stream that are kept, unless the caller says otherwise."""


class Command(Struct, frozen=True, kw_only=True):
    """One command line for ``sh -c``, or a tuple of words that needs no shell."""

    line: str | tuple[str, ...]
    cwd: str | None = None
    env: Mapping[str, str] | None = None
    """The whole environment; ``None`` hands on our own."""
    stdin: bytes = b""
    timeout: float | None = None
    """Seconds; ``None`` waits for ever."""
    keep: int = KEEP

    @property
    def argv(self) -> tuple[str, ...]:
        """Return the words that are really executed."""
        return ("/bin/sh", "-c", self.line) if isinstance(self.line, str) else self.line


class CapturedStream(Struct, frozen=True):
    """What came out of one end of a process: all of it, or its beginning and its end."""

    head: bytes = b""
    tail: bytes = b""
    dropped: int = 0
    """Bytes between the two that were read and not kept."""

    @property
    def text(self) -> str:
        """Return it as text; bytes that are not UTF-8 become U+FFFD, a gap says how large it is."""
        if not self.dropped:
            return (self.head + self.tail).decode("utf-8", "replace")
        begin, end = (part.decode("utf-8", "replace") for part in (self.head, self.tail))
        return f"{begin}\n[… {self.dropped:,} bytes left out …]\n{end}"


class Completed(Struct, frozen=True, kw_only=True):
    """How a command ended. Exactly one of the first five says so; the others are empty."""

    exit_code: int | None = None
    signal: int | None = None
    timed_out: bool = False
    failure: str | None = None
    """Why it never started, or why nobody knows how it ended."""
    cancelled: bool = False
    """Nobody waited for it any more, so we ended it."""

    stdout: CapturedStream = CapturedStream()
    stderr: CapturedStream = CapturedStream()
    duration: float = 0.0
    """Seconds."""
    left_running: bool = False
    """The command ended, but a child of its own still held its output open."""

    @property
    def ok(self) -> bool:
        """Say whether it ended by itself with exit code 0."""
        return self.exit_code == 0

    @property
    def status(self) -> int:
        """Return one number for it, as a shell would: 124 for a timeout, 128 + n for signal n."""
        if self.exit_code is not None:
            return self.exit_code
        if self.timed_out:
            return 124
        return 128 + self.signal if self.signal else 127
