"""A crowd of processes at one store, each with several connections, on a slow disk, some killed with -9.

store, folder, seconds  ->  attempts and acknowledgements, a file each per process

Run as a process of its own, which loads everything once and forks the rest: no connection is open then.
"""

import contextlib
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

from tests.storage.postgres_stores import POSTGRES_STORES
from tests.storage.stores import STORES as FILE_STORES
from tests.storage.stores import Store

from snaphook.storage import sqlite

STORES: dict[str, type[Store]] = {**FILE_STORES, **POSTGRES_STORES}
PROCESSES, CONNECTIONS = 3, 2
SLOWEST = 0.003
"""Seconds that a sync, or a statement, takes longer than it would."""


def slow_down() -> None:
    """Make the disk slow at random: what takes long is what others run into."""
    for name in ("fsync", "fdatasync"):
        real = getattr(os, name)

        def slow(fd: int, real=real) -> None:
            time.sleep(random.random() * SLOWEST)
            real(fd)

        setattr(os, name, slow)
    connection = sqlite._connection

    def traced(*args, **kwargs):
        db = connection(*args, **kwargs)
        db.set_trace_callback(lambda _: time.sleep(random.random() * SLOWEST / 3))
        return db

    sqlite._connection = traced


def work(name: str, folder: Path, who: str, until: float) -> None:
    """Write through two connections at once until time is up, noting each attempt and each success."""
    slow_down()
    notes = folder.with_name(f"{folder.name}.notes")
    tried, done = (
        os.open(notes / f"{who}.{end}", os.O_WRONLY | os.O_CREAT) for end in ("tried", "done")
    )

    def write(number: int) -> None:
        count = 0
        while time.time() < until:
            try:
                store = STORES[name](folder)  # opened and closed beside the other thread's
                for _ in range(5):
                    key = f"{who}-{number}-{count}"
                    count += 1
                    os.write(tried, f"{key}\n".encode())
                    store.write(key)
                    os.write(done, f"{key}\n".encode())
                store.close()
            except Exception:  # a store may say so as it likes
                if not STORES[name].survives_failures:
                    raise
                time.sleep(0.05)  # the server is away for a moment

    threads = [threading.Thread(target=write, args=(n,)) for n in range(CONNECTIONS)]
    failed: list[threading.ExceptHookArgs] = []
    threading.excepthook = failed.append
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        sys.stderr.write(f"{failed[0].exc_value}\n")
        os._exit(1)


def start(name: str, folder: Path, who: str, until: float) -> int:
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            work(name, folder, who, until)
            os._exit(0)
        os._exit(1)
    return pid


def main(name: str, folder: Path, seconds: float) -> None:
    """Keep the crowd at work for *seconds*, killing one after the other; fail if one failed by itself."""
    folder.mkdir()
    folder.with_name(f"{folder.name}.notes").mkdir()
    first = STORES[name](folder)
    first.write("first-0-0")  # made by one, as an installation is
    first.close()
    until, numbers = time.time() + seconds, iter(range(10**6))
    crowd = [start(name, folder, f"p{next(numbers)}", until) for _ in range(PROCESSES)]
    status = 0
    while time.time() < until - 0.1:
        time.sleep(random.uniform(0.1, 0.4))
        victim = crowd.pop(0)
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
        _, how = os.waitpid(victim, 0)
        status |= os.WIFEXITED(how) and os.WEXITSTATUS(how)
        crowd.append(start(name, folder, f"p{next(numbers)}", until))
    for pid in crowd:
        _, how = os.waitpid(pid, 0)
        status |= os.WEXITSTATUS(how)
    sys.exit(status)


def fill(name: str, folder: Path) -> None:
    """Write to a disk of *folder*'s own until it is full, make room, go on; fail where a key was lost."""
    place, ballast = folder / "store", folder / "ballast"
    place.mkdir()
    store = STORES[name](place)
    acknowledged, failures = set[str](), 0
    for number in range(4000):
        if number == 20:
            fill_up(ballast)
        try:
            store.write(f"k{number}")
            acknowledged.add(f"k{number}")
        except Exception:  # noqa: BLE001 - a store may say so as it likes
            failures += 1
            if failures == 3:
                break
    assert len(acknowledged) >= 20
    assert failures == 3, "the disk was never full"
    ballast.unlink()
    for number in range(3):
        store.write(f"later{number}")
        acknowledged.add(f"later{number}")
    store.close()
    check(STORES[name](place), acknowledged, failures)


def fill_up(ballast: Path) -> None:
    """Leave no room on the disk."""
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            pass


def check(store: Store, acknowledged: set[str], failures: int) -> None:
    """Hold what is kept against what was acknowledged; a write that failed may be there or not."""
    kept = store.kept()
    if not store.counts:
        assert acknowledged <= kept, f"lost: {sorted(acknowledged - kept)[:5]}"
    elif kept:
        assert len(acknowledged) <= len(kept) <= len(acknowledged) + failures
    assert store.problems() == []
    store.close()


if __name__ == "__main__":
    what, name, folder, *more = sys.argv[1:]
    if what == "fill":
        fill(name, Path(folder))
    else:
        main(name, Path(folder), float(more[0]))
