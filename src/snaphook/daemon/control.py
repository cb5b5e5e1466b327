"""Talk to the daemon about itself.

``status``, ``stop``  ->  the same socket, the same frames
"""

import os
import resource
import socket
import sys
from collections.abc import Mapping
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from snaphook import __version__

from . import frames
from .frames import ReplyFrame, RequestFrame
from .socket_path import is_ours, socket_path

STATUS, STOP = ":status", ":stop"
"""No host has a name that begins with a colon."""
_BORN = monotonic()


class ExporterStatus(Struct, frozen=True, kw_only=True):
    """How telemetry fares."""

    collector: str = ""
    """Who is told; empty where only Prometheus asks."""
    prometheus: str = ""
    """Where metrics are served."""
    told: float | None = None
    """When the collector last took all there was."""
    problem: str = ""
    """Why it is not told, while it is not."""


class DaemonStatus(Struct, frozen=True, kw_only=True):
    """How a daemon is."""

    pid: int
    version: str
    up_seconds: float
    served: int
    projects: int
    rss_mb: float
    http: str = ""
    """Where hosts reach it by HTTP, if they may."""
    telemetry: ExporterStatus | None = None
    """What it tells to whom, where the settings ask for it."""

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found


def status(
    *, served: int, projects: int, http: str = "", telemetry: ExporterStatus | None = None
) -> DaemonStatus:
    """Return how this process is."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return DaemonStatus(
        pid=os.getpid(),
        version=__version__,
        up_seconds=monotonic() - _BORN,
        served=served,
        projects=projects,
        rss_mb=peak / (1 << 20 if sys.platform == "darwin" else 1 << 10),
        http=http,
        telemetry=telemetry,
    )


def ask_status(env: Mapping[str, str]) -> DaemonStatus | None:
    """Return how the daemon is; ``None`` if none answers."""
    said = _ask(STATUS, env)
    return msgspec.json.decode(said.stdout, type=DaemonStatus) if said else None


def ask_stop(env: Mapping[str, str]) -> bool:
    """Tell the daemon to leave; ``False`` if there is none."""
    return _ask(STOP, env) is not None


def _ask(what: str, env: Mapping[str, str]) -> ReplyFrame | None:
    path = socket_path(env)
    if not is_ours(path.parent):
        return None
    request = RequestFrame(version=__version__, cwd="/", args=(what,), env={})
    try:
        with socket.socket(socket.AF_UNIX) as wire:
            wire.settimeout(2)
            wire.connect(str(path))
            wire.sendall(frames.encode_request(request))
            reply = b"".join(iter(lambda: wire.recv(65536), b""))
    except OSError:
        return None
    head = len(frames.MAGIC) + 1
    if reply[:head] != frames.MAGIC + bytes([frames.ANSWER]):
        return None
    out = int.from_bytes(reply[head + 1 : head + 5], "big")
    return ReplyFrame(status=reply[head], stdout=reply[head + 9 : head + 9 + out])
