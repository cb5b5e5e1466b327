"""Keep what is in memory in memory.

Permits and codes are nowhere else, and a passphrase passes through: no other process of the same user
reads them there (``/proc/PID/mem``), attaches to us (``ptrace``) or finds them in a core dump.
"""

import ctypes
import sys
from contextlib import suppress

_PR_SET_DUMPABLE, _PT_DENY_ATTACH = 4, 31


def keep_to_oneself() -> None:
    """Close this process to others of its user, as far as the system lets it."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        if sys.platform == "darwin":
            library.ptrace(_PT_DENY_ATTACH, 0, None, 0)
        else:
            library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
