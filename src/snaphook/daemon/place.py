"""Where the daemon and its callers meet: a socket in a folder that is ours alone.

environment  ->  socket path

``native/client.c`` looks in the same places and makes the same check.
"""

import os
import stat
from collections.abc import Mapping
from typing import TYPE_CHECKING

from snaphook.errors import MachineError

if TYPE_CHECKING:
    from pathlib import Path


def socket_name(env: Mapping[str, str]) -> str:
    """Return where the socket is, whether or not anybody listens."""
    if given := env.get("SNAPHOOK_SOCKET"):
        return given
    if runtime := env.get("XDG_RUNTIME_DIR"):
        return f"{runtime}/snaphook/daemon.sock"
    return f"/tmp/snaphook-{os.getuid()}/daemon.sock"  # noqa: S108 - its folder is checked


def socket_path(env: Mapping[str, str]) -> "Path":
    """Return the same as a path."""
    from pathlib import Path

    return Path(socket_name(env))


def prepare(folder: "Path") -> None:
    """Make *folder*, or fail if it is not a folder that only we can enter."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not is_ours(folder):
        raise MachineError(
            where=str(folder),
            what="belongs to somebody else, or others may enter it",
            fix=f"Remove it, or run: chmod 700 {folder}",
        )


def is_ours(folder: "Path | str") -> bool:
    """Say whether nobody but us could have put a socket into *folder*."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    return private and found.st_uid == os.getuid()
