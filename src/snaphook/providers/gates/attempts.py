"""How often an agent was sent back, remembered between processes.

session  ->  count

A hook call may be a process of its own, so the count stands in a small file. One that cannot be read
counts as none; one that cannot be written leaves the count to this process.
"""

import contextlib
import hashlib
from pathlib import Path

from snaphook.storage.files import create, replace

FOLDER = Path(".sauna") / "state" / "hosted"


class Attempts:
    """The counts of one project's sessions."""

    def __init__(self, codebase: Path) -> None:
        self._folder = codebase / FOLDER

    def of(self, session: str) -> int:
        """Return how often *session* was sent back since its last prompt."""
        with contextlib.suppress(OSError, ValueError):
            return int(self._file(session).read_text())
        return 0

    def set(self, session: str, count: int) -> bool:
        """Remember *count* and say whether that worked; another agent's read sees it whole."""
        file = self._file(session)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            create(self._folder.parent / ".gitignore", b"*\n", mode=0o644)
            replace(
                file, str(count).encode(), durable=False
            )  # a count lost with the power is no loss
        except OSError:
            return False
        return True

    def forget(self, session: str) -> None:
        """Start over."""
        with contextlib.suppress(OSError):
            self._file(session).unlink()

    def _file(self, session: str) -> Path:
        return self._folder / hashlib.sha256(session.encode()).hexdigest()[:24]
