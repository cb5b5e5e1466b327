"""The life of a daemon: take the lock, listen, answer, leave.

``snaphook daemon run``  ->  a process that answers until nobody needs it

One per user: whoever gets the lock is it, the others leave at once. The lock is the kernel's, so a
daemon that was killed leaves nothing behind that could stop the next one.
"""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from snaphook import __version__
from snaphook.hosts.http import Address
from snaphook.storage.folders import make_private
from snaphook.storage.lock import Held, is_held, take
from snaphook.storage.lock import holder as signed_by
from snaphook.storage.logs import PrivateRotatingFileHandler

from .server import DaemonServer, Handler, listen
from .settings import DaemonSettings
from .socket_path import forget_that_it_hangs, prepare, socket_path

log = logging.getLogger("snaphook.daemon")

RUN = (sys.executable, "-I", "-m", "snaphook", "daemon", "run")
NO_HTTP = "Run: pip install 'snaphook[http]'"
SWITCH_SECONDS = 0.0005
"""How long the threads behind us (shipping, syncing) may keep an answer waiting; Python's own 5 ms
would be several times what a decision takes."""


def run(
    make_handler: Callable[[DaemonServer], Handler],
    *,
    env: Mapping[str, str],
    logs: Path | None = None,
    idle_seconds: float = DaemonSettings().idle_minutes * 60,
    http: Address | None = None,
    starting: int = -1,
) -> bool:
    """Be the daemon until it is time to leave; ``False`` if there is one already.

    *starting* is the descriptor by whose lock others know that one is being started.
    """
    path = socket_path(env)
    prepare(path.parent)
    lock = take(_lock_of(path), signed=True)  # for whoever finds that we hang
    if lock is None:
        return False
    if starting >= 0:  # kept for life, it would keep anybody from starting the next one
        with contextlib.suppress(OSError):
            os.close(starting)
    forget_that_it_hangs(str(path))
    if logs is not None:
        _log_to(logs)
    try:
        asyncio.run(_serve(make_handler, path, lock, idle_seconds, http))
    finally:
        if _still_ours(path, lock):
            path.unlink(missing_ok=True)
        lock.release()
    return True


async def _serve(
    make_handler: Callable[[DaemonServer], Handler],
    path: Path,
    lock: Held,
    idle_seconds: float,
    http: Address | None,
) -> None:
    server = DaemonServer(
        make_handler,
        version=__version__,
        idle_seconds=idle_seconds,
        still_there=lambda: _still_ours(path, lock),
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stop)
    log.info("daemon %s (pid %d) listens at %s", __version__, os.getpid(), path)
    if http is not None:
        await _open_door(server, http)
    gc.collect()
    gc.freeze()  # what is here now stays; the collector need not look at it on every request
    gc.set_threshold(20_000, 20, 50)  # requests leave few cycles behind
    sys.setswitchinterval(SWITCH_SECONDS)
    await server.serve(listen(path))
    log.info("daemon (pid %d) stops after %d requests", os.getpid(), server.served)


async def _open_door(server: DaemonServer, http: Address) -> None:
    """Let hosts in that call by HTTP; where that cannot be, the socket is answered all the same."""
    try:
        from .http import HttpEndpoint

        door = HttpEndpoint(server, http, _plain(os.environ))
        await door.open()
    except ImportError:
        log.error("hooks by HTTP are not answered: %s", NO_HTTP)  # noqa: TRY400 - one line will do
        return
    except OSError as problem:
        log.error("hooks by HTTP are not answered: %s", problem)  # noqa: TRY400
        return
    server.http = f"http://127.0.0.1:{http.port}"
    server.on_leaving(door.close)
    log.info("hooks by HTTP are answered at %s", server.http)


def _plain(env: Mapping[str, str]) -> dict[str, str]:
    """Return what leads to settings; whoever started us may have been an agent, and is not asking."""
    kept = ("HOME", "PATH", "USER", "LANG", "CLAUDE_CONFIG_DIR")
    return {n: value for n, value in env.items() if n in kept or n.startswith("XDG_")}


def spawn(env: Mapping[str, str]) -> None:
    """Start a daemon for the next call, unless one is being started already; never fail."""
    folder = socket_path(env).parent
    try:
        prepare(folder)
        starting = take(socket_path(env).with_suffix(".starting"))
        if starting is None:
            return
        subprocess.Popen(
            [*RUN, "--starting", str(starting.fd)],
            cwd="/",
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(starting.fd,),  # held until the daemon has loaded and listens
        )
        starting.leave_to_child()
    except Exception:
        log.debug("the daemon could not be started", exc_info=True)


def holder(env: Mapping[str, str]) -> int | None:
    """Return the process that says it is the daemon, whether or not it answers."""
    found = signed_by(_lock_of(socket_path(env)))
    return int(found["pid"]) if found else None


def runs(env: Mapping[str, str]) -> bool:
    """Say whether a daemon is there, be it that it no longer answers, or does not yet."""
    return is_held(_lock_of(socket_path(env)))


def replace(env: Mapping[str, str], hanging: int | None) -> None:
    """End the daemon *hanging*, if it still has the lock, and start another."""
    if hanging is not None and hanging == holder(env) and runs(env):
        with contextlib.suppress(OSError):
            os.kill(hanging, signal.SIGKILL)
    spawn(env)


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _still_ours(path: Path, lock: Held) -> bool:
    """Say whether the folder still holds our socket and our lock: somebody may have emptied it."""
    return path.exists() and lock.is_in_place


def _log_to(path: Path) -> None:
    try:
        make_private(path.parent)
        handler = PrivateRotatingFileHandler(path, maxBytes=4 << 20, backupCount=2)
    except OSError:
        return  # a home that cannot be written is no reason not to answer
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("snaphook")
    root.addHandler(handler)
    root.setLevel(logging.INFO)
