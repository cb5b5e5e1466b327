"""Ask the daemon for an override, from a command.

OverrideRequest  ->  socket  ->  OverrideReply

A daemon is started where none runs: overrides are held in its memory.
"""

import time
from collections.abc import Mapping

import msgspec

from snaphook.errors import MachineError

from ..ask import ask  # noqa: TID252 - the daemon's own
from ..control import ask_status  # noqa: TID252
from ..place import socket_name  # noqa: TID252
from .messages import OVERRIDE, OverrideReply, OverrideRequest

PATIENCE = 10.0


def send(request: OverrideRequest, env: Mapping[str, str], cwd: str) -> OverrideReply:
    """Return the daemon's reply to *request*."""
    if ask_status(env) is None:
        _start(env)
    reply = ask((OVERRIDE,), msgspec.json.encode(request), env, cwd)
    if reply is None:
        raise MachineError(
            where=socket_name(env),
            what="the daemon did not answer, and nothing was allowed",
            fix="Run 'snaphook daemon restart', then try again.",
        )
    return msgspec.json.decode(reply[1], type=OverrideReply)


def _start(env: Mapping[str, str]) -> None:
    from ..resident import spawn  # noqa: TID252 - asyncio is slow to load, and a daemon mostly runs

    spawn(env)
    until = time.monotonic() + PATIENCE
    while ask_status(env) is None:
        if time.monotonic() > until:
            raise MachineError(
                where=socket_name(env),
                what=f"the daemon did not start within {PATIENCE:.0f} s; it holds the overrides",
                fix="'snaphook daemon logs' shows why.",
            )
        time.sleep(0.02)
