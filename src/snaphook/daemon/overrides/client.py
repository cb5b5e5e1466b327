"""Ask the daemon for an override, from a command.

OverrideRequest  ->  socket  ->  OverrideReply

A daemon is started where none runs: overrides are held in its memory.
"""

import time
from collections.abc import Mapping

import msgspec

from snaphook.daemon.client import ask
from snaphook.daemon.socket_path import socket_name
from snaphook.errors import MachineError

from ..control import ask_status  # noqa: TID252
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
    from snaphook.daemon.run import spawn

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
