"""What a hook costs its host: client and daemon, the Python path, bare interpreters, and peers.

Every figure is a ratio to ``/bin/true`` (or to ``python3 -c pass``) started in the same loop, so a
busy machine slows both. SNAPHOOK_BENCH_CALLS sets the rounds (200), SNAPHOOK_BENCH_REQUESTS the
requests of the throughput run (20000; the memory promise is about 1000000), and
SNAPHOOK_BENCH_PEERS names more programs to compare with, one command line per semicolon.
"""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.table import row, section
from snaphook import __version__
from snaphook.daemon.ask import request_bytes
from snaphook.daemon.control import ask_status
from snaphook.daemon.place import socket_name

CALLS = int(os.environ.get("SNAPHOOK_BENCH_CALLS", "200"))
REQUESTS = int(os.environ.get("SNAPHOOK_BENCH_REQUESTS", "20000"))
CLIENTS = 64
CLIENT = Path(sys.executable).with_name("snaphook-hook")
HOOK = ("claude-code", "PreToolUse")
PEERS = {"cc-safety-net": "cc-safety-net --claude-code", "nah": "nah"}


def main() -> None:
    """Measure in a home of our own, with a daemon of our own."""
    section(f"latency (medians of {CALLS} interleaved calls)")
    if not CLIENT.exists():
        print("the native client was not built: nothing to measure")
        return
    with _daemon() as (env, wire, pid):
        _latency(env, wire)
        _throughput(env, wire, pid)


@contextmanager
def _daemon() -> Iterator[tuple[dict[str, str], bytes, int]]:
    folder = Path(tempfile.mkdtemp(prefix="sh-bench-"))
    for name in ("home", "run", "project/.git"):
        (folder / name).mkdir(parents=True, mode=0o700)
    env = {
        "HOME": str(folder / "home"),
        "PATH": os.environ["PATH"],
        "XDG_RUNTIME_DIR": str(folder / "run"),
        "SNAPHOOK_NO_DAEMON": "1",
    }
    wire = {
        "hook_event_name": "PreToolUse",
        "session_id": "bench",
        "cwd": str(folder / "project"),
        "tool_name": "Bash",
        "tool_input": {"command": "ls -la src && git status"},
    }
    daemon = subprocess.Popen([sys.executable, "-I", "-m", "snaphook", "daemon", "run"], env=env)
    try:
        while ask_status(env) is None:
            time.sleep(0.02)
        yield env, json.dumps(wire).encode(), daemon.pid
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _latency(env: dict[str, str], wire: bytes) -> None:
    python, direct = [sys.executable, "-I"], {**env, "SNAPHOOK_DIRECT": "1"}
    runs: dict[str, tuple[list[str], dict[str, str]]] = {
        "true": (["/bin/true"], env),
        "client": ([str(CLIENT), *HOOK], env),
        "pass": ([*python, "-c", "pass"], env),
        "python client": ([*python, "-m", "snaphook", "hook", *HOOK], env),
        "fallback": ([*python, "-m", "snaphook", "hook", *HOOK], direct),
    }
    if node := shutil.which("node"):
        runs["node"] = ([node, "-e", "0"], env)
    runs |= {name: (words, env) for name, words in _peers()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    slow = {"fallback", "python client"} | set(PEERS)
    for turn in range(CALLS):
        for name, (words, environment) in runs.items():
            if name not in slow or turn % 5 == 0:
                times[name].append(_once(words, environment, wire))
    middle = {name: median(taken) for name, taken in times.items()}
    true = middle["true"]
    row("/bin/true", true * 1e3, "ms")
    row("decision through client and daemon, p50", middle["client"] / true, "x", 3)
    p99 = sorted(times["client"])[int(len(times["client"]) * 0.99)]
    row("decision through client and daemon, p99", p99 / true, "x", 10)
    row(
        "how much faster than python3 -c pass",
        middle["pass"] / middle["client"],
        "x",
        15,
        floor=True,
    )
    row(
        "fallback without a daemon, to python3 -c pass",
        middle["fallback"] / middle["pass"],
        "x",
        2.5,
    )
    for name in sorted(set(runs) - {"true", "client", "fallback"}):
        row(f"{name}, to /bin/true", middle[name] / true, "x")


def _peers() -> Iterator[tuple[str, list[str]]]:
    for name, line in PEERS.items():
        if shutil.which(name):
            yield name, shlex.split(line)
    for line in filter(None, os.environ.get("SNAPHOOK_BENCH_PEERS", "").split(";")):
        yield shlex.split(line)[0], shlex.split(line)


def _once(words: list[str], env: dict[str, str], wire: bytes) -> float:
    started = time.perf_counter()
    subprocess.run(words, input=wire, env=env, capture_output=True, check=False)
    return time.perf_counter() - started


def _throughput(env: dict[str, str], wire: bytes, pid: int) -> None:
    frame = request_bytes(__version__, "/", HOOK, env, wire)
    path = socket_name(env)
    _ask_many(path, frame, max(15_000, REQUESTS // 10))  # until caches and threads are there
    before = _resident(pid)
    started = time.perf_counter()
    taken = sorted(_ask_many(path, frame, REQUESTS))
    rate = len(taken) / (time.perf_counter() - started)
    row(f"decisions with {CLIENTS} clients", rate, "/s", 3000, floor=True)
    row("p99 under that load", taken[int(len(taken) * 0.99)] * 1e3, "ms", 50)
    grown = (_resident(pid) - before) / before
    row(f"memory grown over {REQUESTS} requests", grown * 100, "%", 5)


def _ask_many(path: str, frame: bytes, count: int) -> list[float]:
    """Ask *count* times from many threads of two processes; return how long each took."""
    children = []
    for _ in range(2):
        reading, writing = os.pipe()
        if not os.fork():
            taken = _threads(path, frame, count // 2)
            with os.fdopen(writing, "w") as out:
                json.dump(taken, out)
            os._exit(0)
        os.close(writing)
        children.append(reading)
    found: list[float] = []
    for reading in children:
        with os.fdopen(reading) as told:
            found += json.load(told)
        os.wait()
    return found


def _threads(path: str, frame: bytes, count: int) -> list[float]:
    each = CLIENTS // 2
    taken: list[float] = []

    def ask() -> None:
        for _ in range(count // each):
            started = time.perf_counter()
            with socket.socket(socket.AF_UNIX) as wire:
                wire.connect(path)
                wire.sendall(frame)
                while wire.recv(65536):
                    pass
            taken.append(time.perf_counter() - started)

    threads = [threading.Thread(target=ask) for _ in range(each)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def _resident(pid: int) -> float:
    """Return the memory that *pid* holds, in MB."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True)
    return int(told.stdout) / 1024
