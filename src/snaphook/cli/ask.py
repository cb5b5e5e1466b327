"""``snaphook hook`` where a daemon runs: hand the call over, and its answer back.

argv, stdin  ->  daemon  ->  stdout, stderr, exit status

The native client does the same without a Python; this is for settings that name ``snaphook`` alone,
and for machines that had no compiler. What is imported here is pinned by a test.
"""

import os
from typing import TYPE_CHECKING

from snaphook.daemon.socket_path import socket_name
from snaphook.errors import WireError

from .stdin import read_stdin

if TYPE_CHECKING:
    from collections.abc import MutableMapping


class NativeClient:
    """The native client that started this process and waits for its answer, or nobody.

    It passes on nothing else that we write to stdout, so a process that crashes, is killed or leaves
    early has given no answer. What it told us is taken out of *env*: hooks have no business with it.
    """

    def __init__(self, env: "MutableMapping[str, str]") -> None:
        fd = env.pop("SNAPHOOK_ANSWER_FD", "")
        self._fd = int(fd) if fd.isdecimal() else -1
        self.asks_again = bool(env.pop("SNAPHOOK_ATTEMPT", ""))
        """Whether it starts another Python should this one be unable to load."""
        if self._fd >= 0:
            os.set_inheritable(self._fd, False)

    def answer(self, status: int, stdout: bytes, stderr: bytes) -> bool:
        """Send the answer as the daemon would; return False where nobody waits for it."""
        if self._fd < 0:
            return False
        lengths = len(stdout).to_bytes(4, "big") + len(stderr).to_bytes(4, "big")
        write(self._fd, b"SNAP\x02" + bytes([status]) + lengths + stdout + stderr)
        os.close(self._fd)
        return True


def write(fd: int, data: bytes) -> None:
    """Write all of *data*."""
    while data:
        data = data[os.write(fd, data) :]


def ask_first(args: list[str]) -> tuple[int | None, bytes | WireError | None]:
    """Return the status to leave with, or else what was read on the way to no answer."""
    env = os.environ
    if env.get("SNAPHOOK_DIRECT") or len(args) != 2 or not os.path.lexists(socket_name(env)):
        return None, None
    try:
        from snaphook.daemon.client import ask  # a socket is imported where there is one

        wire = read_stdin()
        said = ask(args, wire, env, os.getcwd())  # noqa: PTH109 - pathlib costs more than the call
    except WireError as unread:
        return None, unread
    if said is None:
        return None, wire
    status, stdout, stderr = said
    write(2, stderr)
    write(1, stdout)
    return status, wire
