"""What policies must remember longer than a process lives: one short line per change.

append("…")  ->  a file that only grows  ->  lines()

Processes append in turn. A last line without its newline is being written, or was cut short, and is
not returned; what a crash left of a line is passed over by whoever reads the lines.
"""

from hashlib import sha256
from pathlib import Path
from string import hexdigits
from time import time

from snaphook.errors import StoreError
from snaphook.storage.files import append_line

_STALE = 30 * 86_400
"""A session silent for 30 days is not coming back."""
NAMELESS, DIGITS = "-", 32
"""A line is a call's hash of so many digits, or this for a call without an id."""


class PolicyJournal:
    """A file of lines, shared by every process that has its path."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = -1
        self._lines: tuple[str, ...] = ()

    def append(self, line: str) -> None:
        """Add one line, whole or not at all."""
        try:
            append_line(self._path, line.encode())
        except OSError as error:
            raise _unkept(self._path, error) from error

    def lines(self) -> tuple[str, ...]:
        """Return the lines written so far, by anyone; the same object while there are no more."""
        try:
            size = self._path.stat().st_size if self._path.exists() else 0
            if size != self._size:
                text = self._path.read_text(encoding="utf-8", errors="replace") if size else ""
                self._lines, self._size = _whole_lines(text), size
        except OSError as error:
            raise _unkept(self._path, error) from error
        return self._lines


class FileTally:
    """How many questions each session has asked, one journal a session."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        for path in directory.glob("*") if directory.is_dir() else ():
            if time() - path.stat().st_mtime > _STALE:
                path.unlink(missing_ok=True)

    def used(self, session: str) -> int:
        """Return the number of questions *session* has asked."""
        return sum(map(_is_call, self._journal(session).lines()))

    def asked(self, session: str, call_id: str | None) -> bool:
        """Say whether the call of that id is among them."""
        return call_id is not None and _short(call_id) in self._journal(session).lines()

    def add(self, session: str, call_id: str | None) -> None:
        """Count one more."""
        self._journal(session).append(NAMELESS if call_id is None else _short(call_id))

    def _journal(self, session: str) -> PolicyJournal:
        return PolicyJournal(self._directory / _short(session))


def _whole_lines(text: str) -> tuple[str, ...]:
    """Return the finished lines; an empty one is nobody's, and would count as a question."""
    return tuple(filter(None, text.split("\n")[:-1]))


def _is_call(line: str) -> bool:
    """Say whether *line* is whole: what a writer that was killed left of one is nobody's question.

    The next writer ends such a line, so that a newline behind it says nothing.
    """
    return line == NAMELESS or (len(line) == DIGITS and set(line) <= set(hexdigits))


def _short(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _unkept(path: Path, error: OSError) -> StoreError:
    fix = "Make the directory writable, or name another 'state_dir'."
    return StoreError(where=str(path), what=f"cannot be saved: {error.strerror}", fix=fix)
