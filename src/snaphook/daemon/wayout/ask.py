"""Ask the daemon for a permit, from a command.

Plea  ->  socket  ->  Word

A daemon is started where none runs: it is the only one who can remember.
"""

import time
from collections.abc import Mapping

import msgspec

from snaphook.errors import MachineError

from ..ask import ask  # noqa: TID252 - the daemon's own
from ..control import ask_status  # noqa: TID252
from ..place import socket_name  # noqa: TID252
from .words import PLEA, Plea, Word

PATIENCE = 10.0


def plead(plea: Plea, env: Mapping[str, str], cwd: str) -> Word:
    """Return what the daemon says to *plea*."""
    if ask_status(env) is None:
        _start(env)
    said = ask((PLEA,), msgspec.json.encode(plea), env, cwd)
    if said is None:
        raise MachineError(
            where=socket_name(env),
            what="the daemon gave no answer",
            fix="'snaphook daemon restart', then try again; nothing was allowed.",
        )
    return msgspec.json.decode(said[1], type=Word)


def _start(env: Mapping[str, str]) -> None:
    from ..resident import spawn  # noqa: TID252 - asyncio is slow to load, and a daemon mostly runs

    spawn(env)
    until = time.monotonic() + PATIENCE
    while ask_status(env) is None:
        if time.monotonic() > until:
            raise MachineError(
                where=socket_name(env),
                what=f"no daemon came up within {PATIENCE:.0f} s, and only it can remember a permit",
                fix="'snaphook daemon logs' tells why.",
            )
        time.sleep(0.02)
