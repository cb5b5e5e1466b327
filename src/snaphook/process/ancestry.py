"""The ancestors of a process, as the kernel reports them.

pid  ->  the process and its ancestors

Nothing here comes from the process itself: number, parent, start time, session and terminal are
the kernel's.
"""

import os
import subprocess
import sys
import time
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from pathlib import Path

from msgspec import Struct

MOST = 64
"""Ancestors that are read; a deeper tree is built on purpose."""
peer: ContextVar[tuple[int, float]] = ContextVar("peer", default=(0, 0.0))
"""The pid at the other end of the socket, and when it connected; (0, 0.0) for a call by HTTP."""
TICK = 0.02
"""Seconds by which two of the kernel's clocks may differ."""


class Process(Struct, frozen=True, kw_only=True):
    """A process: its number and its start name it for good."""

    pid: int
    start: float
    """Seconds; compared with other starts only, see ``wall`` for the time of day."""
    parent: int = 0
    session: int = 0
    terminal: str = ""
    name: str = ""
    is_zombie: bool = False
    """Its main thread has ended and its parent has not collected it; other threads may still run."""

    @property
    def key(self) -> tuple[int, float]:
        """What no other process has: numbers are used again, starts are not."""
        return self.pid, self.start


def callers() -> tuple[Process, ...]:
    """Return the connected process and its ancestors; nothing if its pid was reused meanwhile."""
    pid, since = peer.get()
    chain = ancestors(pid)
    connected = time.monotonic() - since
    if chain and sys.platform != "darwin" and chain[0].start > now() - connected + TICK:
        return ()
    return chain


def is_alive(process: Process) -> bool:
    """Return whether *process* still runs; its pid may belong to another one by now."""
    found = find(process.pid)
    return found is not None and found.start == process.start


def find(pid: int) -> Process | None:
    """Return the process *pid*; ``None`` if there is no such process."""
    return _mac_table().get(pid) if sys.platform == "darwin" else read_linux(pid)


def ancestors(pid: int) -> tuple[Process, ...]:
    """Return the process *pid* and those above it, nearest first, without the first of all."""
    found: list[Process] = []
    look = _mac_table().get if sys.platform == "darwin" else read_linux
    while pid > 1 and len(found) < MOST:
        process = look(pid)
        if process is None:
            break
        found.append(process)
        pid = process.parent
    return tuple(found)


def read_linux(pid: int) -> Process | None:
    """Return what ``/proc`` reports for *pid*; ``None`` if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return parse_stat(stat)


def parse_stat(stat: str) -> Process:
    """Parse a line of ``/proc/PID/stat``; the name in it may hold any character."""
    head, _, tail = stat.rpartition(")")
    pid, _, name = head.partition("(")
    fields = tail.split()
    return Process(
        pid=int(pid),
        start=int(fields[19]) / _ticks(),
        parent=int(fields[1]),
        session=int(fields[3]),
        terminal=fields[4] if fields[4] != "0" else "",
        name=name,
        is_zombie=fields[0] in "ZX",
    )


def _mac_table() -> dict[int, Process]:
    listing = subprocess.run(
        ["/bin/ps", "-axo", "pid=,ppid=,tty=,lstart=,comm="],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C"},
    )
    return {one.pid: one for one in map(parse_ps, listing.stdout.splitlines()) if one}


def parse_ps(line: str) -> Process | None:
    """Parse a line of macOS's ``ps``."""
    words = line.split(None, 8)
    if len(words) < 9:
        return None
    pid, parent, terminal, *date = words[:8]
    try:
        session = os.getsid(int(pid))
    except OSError:
        session = 0
    return Process(
        pid=int(pid),
        parent=int(parent),
        start=datetime.strptime(" ".join(date), "%a %b %d %H:%M:%S %Y").astimezone().timestamp(),
        session=session,
        terminal="" if terminal == "??" else terminal,
        name=Path(words[8]).name,
    )


def initial_environment(pid: int) -> dict[str, str]:
    """Return the variables that *pid* was started with, where the system shows them."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    return dict(one.decode(errors="replace").partition("=")[::2] for one in raw.split(b"\0") if one)


def wall(start: float) -> float:
    """Return the time of day of a process's *start*."""
    return start if sys.platform == "darwin" else time.time() - now() + start


def now() -> float:
    """Return seconds that only ever grow, also while the machine sleeps; no clock setting moves them."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


@cache
def _ticks() -> int:
    return os.sysconf("SC_CLK_TCK")
