"""Keep the memory of this process from other processes of the same user.

Overrides and codes are held in memory, and a passphrase passes through it: no other process of the
same user may read it there (``/proc/PID/mem``), attach to us (``ptrace``) or find it in a core dump.
"""

import ctypes
import sys
from contextlib import suppress
from pathlib import Path

_PR_SET_DUMPABLE, _PT_DENY_ATTACH = 4, 31


def make_private() -> None:
    """Deny other processes of this user access to our memory, where the system supports it."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        if sys.platform == "darwin":
            library.ptrace(_PT_DENY_ATTACH, 0, None, 0)
        else:
            library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def tracer() -> int:
    """Return the pid that traces this process; 0 if none does, or if the system does not say."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("TracerPid:"):
                return int(line.partition(":")[2])
    return 0
