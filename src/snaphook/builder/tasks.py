"""The list of tasks, as it stands in the file.

tasks.md  ->  pending, done

Only a box at the very beginning of a line is a task: ``- [ ] write the parser``. Indented boxes are a
task's own notes.
"""

import re
from pathlib import Path

from msgspec import Struct

from snaphook.errors import StoreError

_PENDING = re.compile(r"^- \[ \](.*)$", re.MULTILINE)
_DONE = re.compile(r"^- \[[xX]\](.*)$", re.MULTILINE)


class Tasks(Struct, frozen=True, kw_only=True):
    """What is left to do and what is done, in the order of the file."""

    pending: tuple[str, ...] = ()
    done: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Return how many there are in all."""
        return len(self.pending) + len(self.done)

    def ticked_since(self, *, pending: int, done: int) -> bool:
        """Say whether a box was ticked since so many were *pending* and *done*."""
        return len(self.pending) < pending or len(self.done) > done


def parse_tasks(text: str) -> Tasks:
    """Return the tasks that *text* lists."""
    return Tasks(
        pending=tuple(match.strip() for match in _PENDING.findall(text)),
        done=tuple(match.strip() for match in _DONE.findall(text)),
    )


def read_tasks(path: Path) -> Tasks:
    """Return the tasks in the file at *path*."""
    try:
        return parse_tasks(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise StoreError(
            where=str(path),
            what="there is no list of tasks",
            fix="Run 'snaphook plan' first, or write lines such as '- [ ] add the parser'.",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            where=str(path), what=f"cannot be read: {error}", fix="Make it a readable text file."
        ) from error
