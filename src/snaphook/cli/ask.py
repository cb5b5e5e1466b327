"""``snaphook hook`` where a daemon runs: hand the call over, and its answer back.

argv, stdin  ->  daemon  ->  stdout, stderr, exit status

The native client does the same without a Python; this is for settings that name ``snaphook`` alone,
and for machines that had no compiler. What is imported here is pinned by a test.
"""

import os

from snaphook.daemon.place import socket_name
from snaphook.errors import WireError

from .stdin import read_stdin


def ask_first(args: list[str]) -> tuple[int | None, bytes | WireError | None]:
    """Return the status to leave with, or else what was read on the way to no answer."""
    env = os.environ
    if env.get("SNAPHOOK_DIRECT") or len(args) != 2 or not os.path.lexists(socket_name(env)):
        return None, None
    try:
        from snaphook.daemon.ask import ask  # a socket is imported where there is one

        wire = read_stdin()
        said = ask(args, wire, env, os.getcwd())  # noqa: PTH109 - pathlib costs more than the call
    except WireError as unread:
        return None, unread
    if said is None:
        return None, wire
    status, stdout, stderr = said
    for fd, data in ((2, stderr), (1, stdout)):
        while data:
            data = data[os.write(fd, data) :]
    return status, wire
