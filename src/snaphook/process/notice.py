"""Learn that a process has ended without reaping it.

pid  ->  a descriptor that becomes readable

The unreaped leader keeps its group's number from being given to strangers, so that the signal we
send to the group reaches that group and no other.
"""

import os
import select
import sys
from typing import Protocol


class ExitNotice(Protocol):
    """Readable once the process has ended."""

    def fileno(self) -> int:
        """Return the descriptor to watch."""

    def close(self) -> None:
        """Give the descriptor back."""


def notice(pid: int) -> ExitNotice | None:
    """Return what tells the end of *pid*, or ``None`` where the system has no such thing.

    Without it the caller looks from time to time.
    """
    try:
        return _announced(pid)
    except (AttributeError, OSError):  # an old kernel, or the process is already gone
        return None


if sys.platform == "darwin":

    def _announced(pid: int) -> ExitNotice:
        queue = select.kqueue()
        exits = select.kevent(
            pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, fflags=select.KQ_NOTE_EXIT
        )
        try:
            queue.control([exits], 0)
        except OSError:
            queue.close()
            raise
        return queue

else:

    class _PidFd:
        def __init__(self, pid: int) -> None:
            self._fd = os.pidfd_open(pid)

        def fileno(self) -> int:
            return self._fd

        def close(self) -> None:
            os.close(self._fd)

    def _announced(pid: int) -> ExitNotice:
        return _PidFd(pid)
