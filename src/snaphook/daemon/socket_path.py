"""Where the daemon and its callers meet: a socket in a folder that is ours alone.

environment  ->  socket path

``native/client.c`` looks in the same places and makes the same check.
"""

import os
import stat
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from snaphook.errors import MachineError

if TYPE_CHECKING:
    from pathlib import Path


HUNG_SECONDS = 60.0
"""How long a daemon that was silent is passed by, unless another takes its place."""


LONGEST = 103 if sys.platform == "darwin" else 107
"""Bytes of a socket's path that the kernel takes: ``sun_path`` in sys/un.h, less the NUL at its end."""


def socket_name(env: Mapping[str, str]) -> str:
    """Return where the socket is, whether or not anybody listens.

    Two installs have two daemons, each with its own code: the folder of their Python tells them
    apart. An upgrade in place is the same install; there the version tells.
    """
    if given := env.get("SNAPHOOK_SOCKET"):
        return given
    if runtime := env.get("XDG_RUNTIME_DIR"):
        name = f"{runtime}/snaphook/{install(sys.executable)}.sock"
        if len(os.fsencode(name)) <= LONGEST:
            return name
    return f"/tmp/snaphook-{os.getuid()}/{install(sys.executable)}.sock"  # noqa: S108 - its folder is checked


def install(python: str) -> str:
    """Return a name for the install that *python* belongs to (FNV-1a of its folder's real path)."""
    key = 0x811C9DC5
    for byte in os.fsencode(os.path.realpath(os.path.dirname(python))):  # noqa: PTH120 - no pathlib
        key = (key ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{key:08x}"


def hangs(socket: str) -> bool:
    """Say whether the daemon at *socket* was silent a short while ago."""
    try:
        noted = os.lstat(f"{socket}.hung").st_mtime
    except OSError:
        return False
    return time.time() - noted < HUNG_SECONDS


def note_that_it_hangs(socket: str) -> None:
    """Have the next calls pass the daemon at *socket* by."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        note = os.open(f"{socket}.hung", flags, 0o600)
    except OSError:
        return
    os.utime(note)  # an empty file truncated again keeps its time
    os.close(note)


def forget_that_it_hangs(socket: str) -> None:
    """Have the daemon at *socket* asked again."""
    try:
        os.unlink(f"{socket}.hung")  # noqa: PTH108 - no pathlib
    except OSError:
        return


def socket_path(env: Mapping[str, str]) -> "Path":
    """Return the same as a path, to listen there; raise ``MachineError`` where nobody can."""
    from pathlib import Path

    name = socket_name(env)
    if (size := len(os.fsencode(name))) > LONGEST:
        raise MachineError(
            where=name,
            what=f"the path of a socket may have {LONGEST} bytes, and this one has {size}",
            fix="Set SNAPHOOK_SOCKET to a shorter path.",
        )
    return Path(name)


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
