"""The life of a daemon: take the lock, listen, answer, leave.

``snaphook daemon run``  ->  a process that answers until nobody needs it

One per user: whoever gets the lock is it, the others leave at once. The lock is the kernel's, so a
daemon that was killed leaves nothing behind that could stop the next one.
"""

import asyncio
import contextlib
import fcntl
import gc
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from logging.handlers import RotatingFileHandler
from pathlib import Path

from snaphook import __version__
from snaphook.hosts.http import Address

from .place import forget_that_it_hangs, prepare, socket_path
from .server import Handler, Server, listen

log = logging.getLogger("snaphook.daemon")

IDLE_SECONDS = 1800.0
NO_HTTP = "Run: pip install 'snaphook[http]'"
SWITCH_SECONDS = 0.0005
"""How long the threads behind us (shipping, syncing) may keep an answer waiting; Python's own 5 ms
would be several times what a decision takes."""


def run(
    make_handler: Callable[[Server], Handler],
    *,
    env: Mapping[str, str],
    logs: Path | None = None,
    idle_seconds: float = IDLE_SECONDS,
    http: Address | None = None,
) -> bool:
    """Be the daemon until it is time to leave; ``False`` if there is one already."""
    path = socket_path(env)
    prepare(path.parent)
    lock = _lock(_lock_of(path))
    if lock is None:
        return False
    os.truncate(lock, 0)
    os.pwrite(lock, b"%d\n" % os.getpid(), 0)  # for whoever finds that we hang
    forget_that_it_hangs(str(path))
    if logs is not None:
        _log_to(logs)
    try:
        asyncio.run(_serve(make_handler, path, lock, idle_seconds, http))
    finally:
        if _still_ours(path, lock):
            path.unlink(missing_ok=True)
        os.close(lock)
    return True


async def _serve(
    make_handler: Callable[[Server], Handler],
    path: Path,
    lock: int,
    idle_seconds: float,
    http: Address | None,
) -> None:
    server = Server(
        make_handler,
        version=__version__,
        idle_seconds=idle_seconds,
        still_there=lambda: _still_ours(path, lock),
    )
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stop)
    log.info("daemon %s of pid %d listens at %s", __version__, os.getpid(), path)
    if http is not None:
        await _open_door(server, http)
    gc.collect()
    gc.freeze()  # what is here now stays; the collector need not look at it on every request
    gc.set_threshold(20_000, 20, 50)  # requests leave few cycles behind
    sys.setswitchinterval(SWITCH_SECONDS)
    await server.serve(listen(path))
    log.info("daemon of pid %d leaves after %d requests", os.getpid(), server.served)


async def _open_door(server: Server, http: Address) -> None:
    """Let hosts in that call by HTTP; where that cannot be, the socket is answered all the same."""
    try:
        from .http import Door

        door = Door(server, http, _plain(os.environ))
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
        starting = _lock(socket_path(env).with_suffix(".starting"))
        if starting is None:
            return
        subprocess.Popen(
            [sys.executable, "-I", "-m", "snaphook", "daemon", "run"],
            cwd="/",
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(starting,),  # held until the daemon has loaded and closed it
        )
        os.close(starting)
    except Exception:
        log.debug("no daemon could be started", exc_info=True)


def holder(env: Mapping[str, str]) -> int | None:
    """Return the process that says it is the daemon, whether or not it answers."""
    try:
        return int(_lock_of(socket_path(env)).read_text())
    except (OSError, ValueError):
        return None


def replace(env: Mapping[str, str], hanging: int | None) -> None:
    """End the daemon *hanging*, if it still has the lock, and start another."""
    if hanging is not None and hanging == holder(env) and _is_held(_lock_of(socket_path(env))):
        with contextlib.suppress(OSError):
            os.kill(hanging, signal.SIGKILL)
    spawn(env)


def _is_held(path: Path) -> bool:
    free = _lock(path)
    if free is not None:
        os.close(free)
    return free is None


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _still_ours(path: Path, lock: int) -> bool:
    """Say whether the folder still holds our socket and our lock: somebody may have emptied it."""
    try:
        there = _lock_of(path).stat()
    except OSError:
        return False
    return path.exists() and os.path.samestat(there, os.fstat(lock))


def _lock(path: Path) -> int | None:
    """Return a descriptor that holds the lock at *path*, or ``None`` if somebody else does."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def _log_to(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = RotatingFileHandler(path, maxBytes=4 << 20, backupCount=2)
    except OSError:
        return  # a home that cannot be written is no reason not to answer
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("snaphook")
    root.addHandler(handler)
    root.setLevel(logging.INFO)
