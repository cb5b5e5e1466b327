"""Protected names that a confined command created: taken away again, and kept.

absent names  ->  what appeared under them, moved aside

A kernel can keep a file as it is; it cannot keep a name from being used in a folder that may be
written. So names that were free before are looked at once the command has ended.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path


def remove_appeared(absent: Iterable[str], kept: Path) -> Iterator[str]:
    """Move what stands under *absent* names to *kept*; yield each name."""
    for name in absent:
        if not os.path.lexists(name):
            continue
        folder = kept / f"{time.time_ns()}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            shutil.move(name, folder / os.path.basename(name))  # noqa: PTH119 - a link is moved, not followed
        except OSError:
            with contextlib.suppress(OSError):
                shutil.rmtree(name) if os.path.isdir(name) else os.unlink(name)  # noqa: PTH108, PTH112
        yield name
