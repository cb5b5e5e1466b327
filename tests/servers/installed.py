"""Servers that ``scripts/install_servers.py`` put into the cache, and how one is run."""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 90.0
"""Seconds a server may take to start on a busy machine."""


def home(server: str) -> Path | None:
    """Return the folder of *server*, if it is installed."""
    named = os.environ.get("SNAPHOOK_TEST_CACHE")
    cache = Path(named) if named else Path.home() / ".cache" / "snaphook-tests"
    ready = (found for found in cache.glob(f"{server}-[0-9]*") if (found / ".ready").exists())
    return max(ready, default=None)


def missing(server: str) -> Callable[[], str | None]:
    """Return a check that *server* is installed; it answers with what to do."""
    return lambda: None if home(server) else f"run: python scripts/install_servers.py {server}"


def free_port() -> int:
    """Return a loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def running(words: Sequence[str | Path], *, folder: Path, port: int) -> Iterator[int]:
    """Yield the process id of a server that answers at *port* and ends with the block."""
    with (folder / "output").open("wb") as log:
        process = subprocess.Popen(
            [str(word) for word in words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        _await_answer(process, port, log=folder / "output")
        yield process.pid
    finally:
        process.send_signal(signal.SIGKILL)  # its data go with it
        process.wait()


def _await_answer(process: "subprocess.Popen[bytes]", port: int, *, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"no server at {port}: {log.read_text(errors='replace')[-2000:]}")


@contextmanager
def scratch(prefix: str) -> Iterator[Path]:
    """Yield a folder that is gone afterwards, whatever a dying server still writes into it."""
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        yield Path(folder)
