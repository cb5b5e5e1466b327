"""Protected names that exist after a confined command and did not before.

absent names  ->  those that appeared; moved aside only where nobody could refuse their creation

The helper's watcher refuses to let a confined command create one. So what appears all the same was made by
somebody else, most likely a person, and stays. On a kernel without a watcher nobody can tell, and what
appeared is moved aside: it could decide what an agent does next.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path


def appeared(absent: Iterable[str]) -> Iterator[str]:
    """Yield the *absent* names under which something stands now."""
    return (name for name in absent if os.path.lexists(name))


def move_appeared(absent: Iterable[str], kept: Path) -> Iterator[tuple[str, Path]]:
    """Move what stands under *absent* names to *kept*; yield each name, and where it is now.

    What cannot be moved stays: better a file too many than one lost.
    """
    for name in appeared(absent):
        folder = kept / f"{time.time_ns()}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(OSError):
            moved = shutil.move(name, folder / os.path.basename(name))  # noqa: PTH119 - a link is moved, not followed
            yield name, Path(moved)
