"""What a hook costs its host: client and daemon, the Python path, bare interpreters, and peers.

Every figure is a ratio to ``/bin/true`` (or to ``python3 -c pass``) started in the same loop, so a
busy machine slows both. Processes are started as a shell starts them and their end is awaited;
nothing of the bench's own is in between. The bounds speak of a quiet machine, so the quietest run of
rounds is held against them: the one in which ``/bin/true`` took least. All rounds are shown beside it.

SNAPHOOK_BENCH_CALLS sets the rounds (200), SNAPHOOK_BENCH_REQUESTS the requests of the throughput run
(20000, asked in ten stretches), SNAPHOOK_BENCH_PEERS more programs to compare with, one command line
per semicolon.
"""

import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

from bench.load import CLIENTS, HOOK, Daemon, crowd, daemon
from bench.table import row, section

CALLS = int(os.environ.get("SNAPHOOK_BENCH_CALLS", "200"))
REQUESTS = int(os.environ.get("SNAPHOOK_BENCH_REQUESTS", "20000"))
QUIET = 200
"""Rounds in a run that is looked at by itself."""
SELDOM = 5
"""Of what takes long, every so many-th round has one."""
MSGSPEC = "import sys; sys.modules['typing_extensions'] = None; import msgspec"
"""As the fallback imports it: without what it takes where it is, and does not need."""
CLIENT = Path(sys.executable).with_name("snaphook-hook")
PEERS = {"cc-safety-net": "cc-safety-net --claude-code", "nah": "nah"}
WARM = 15_000
STRETCHES = 10
"""Of the throughput run, each looked at by itself: a neighbour's busy second is not ours."""

Times = Mapping[str, Sequence[float]]


def main() -> None:
    """Measure in a home of our own, with a daemon of our own."""
    section(f"latency ({CALLS} interleaved rounds)")
    if not CLIENT.exists():
        print("the native client was not built: nothing to measure")
        return
    with daemon() as asked:
        times = _interleaved(_programs(asked), asked.wire("ls -la src && git status"))
        _show(_quietest(times), f"quietest {min(QUIET, CALLS)}", bounds=True)
        if CALLS > QUIET:
            _show(times, "all", bounds=False)
        _throughput(asked)


def _programs(asked: Daemon) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Return what is started in each round: the words, and the environment."""
    env = asked.env
    alone = {**env, "XDG_RUNTIME_DIR": f"{env['XDG_RUNTIME_DIR']}/nobody-is-here"}
    python = [sys.executable, "-I"]
    found: dict[str, tuple[list[str], dict[str, str]]] = {
        "true": (["/bin/true"], env),
        "client": ([str(CLIENT), *HOOK], env),
        "pass": ([sys.executable, "-c", "pass"], env),
        "fallback": ([str(CLIENT), *HOOK], alone),
        "bare msgspec": ([*python, "-c", MSGSPEC], env),
        "python client": ([*python, "-m", "snaphook", "hook", *HOOK], env),
    }
    if node := shutil.which("node"):
        found["node -e 0"] = ([node, "-e", "0"], env)
    return found | {name: (words, env) for name, words in _peers()}


def _peers() -> Iterator[tuple[str, list[str]]]:
    lines = [line for name, line in PEERS.items() if shutil.which(name)]
    for line in [*lines, *filter(None, os.environ.get("SNAPHOOK_BENCH_PEERS", "").split(";"))]:
        program, *rest = shlex.split(line)
        yield program, [shutil.which(program) or program, *rest]


def _interleaved(
    programs: Mapping[str, tuple[list[str], dict[str, str]]], wire: bytes
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in programs}
    often = ("true", "client", "pass")
    with TemporaryFile() as stdin:
        stdin.write(wire)
        for turn in range(CALLS):
            for name, (words, env) in programs.items():
                if name in often or turn % SELDOM == 0:
                    times[name].append(_once(words, env, stdin.fileno()))
    return times


def _once(words: list[str], env: dict[str, str], stdin: int) -> float:
    os.lseek(stdin, 0, os.SEEK_SET)
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    started = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), *quiet]
    child = os.posix_spawn(words[0], words, env, file_actions=actions)
    os.waitpid(child, 0)
    return time.perf_counter() - started


def _quietest(times: Times) -> Times:
    """Return the run of rounds in which ``/bin/true`` took least."""
    true = times["true"]
    starts = range(0, max(1, len(true) - QUIET + 1), SELDOM)
    start = min(starts, key=lambda at: median(true[at : at + QUIET]))
    return {
        name: taken[start : start + QUIET]
        if len(taken) == len(true)
        else taken[start // SELDOM : (start + QUIET) // SELDOM]
        for name, taken in times.items()
    }


def _show(times: Times, of: str, *, bounds: bool) -> None:
    def told(name: str, value: float, bound: float, *, floor: bool = False) -> None:
        row(f"{name} ({of})", value, "x", bound if bounds else None, floor=floor)

    middle = {name: median(taken) for name, taken in times.items()}
    true, bare, client = middle["true"], middle["pass"], sorted(times["client"])
    row(f"/bin/true ({of})", true * 1e3, "ms")
    told("decision through client and daemon, p50", middle["client"] / true, 3)
    told("decision through client and daemon, p99", client[int(len(client) * 0.99)] / true, 10)
    told("how much faster than python3 -c pass", bare / middle["client"], 15, floor=True)
    told("fallback without a daemon, to python3 -c pass", middle["fallback"] / bare, 2.5)
    row(f"a bare import of msgspec, to the same ({of})", middle["bare msgspec"] / bare, "x")
    for name in sorted(set(times) - {"true", "client", "fallback", "bare msgspec"}):
        row(f"{name}, to /bin/true ({of})", middle[name] / true, "x")


def _throughput(asked: Daemon) -> None:
    crowd(asked, max(WARM, REQUESTS // 10))  # until caches and threads are there
    before = asked.resident
    stretches = [_stretch(asked, turn) for turn in range(STRETCHES)]
    quickest = max(stretches, key=lambda each: each[0])
    rate = STRETCHES / sum(1 / each for each, _ in stretches)
    row(f"decisions with {CLIENTS} clients (quietest stretch)", quickest[0], "/s", 3000, floor=True)
    row("p99 under that load (quietest stretch)", quickest[1] * 1e3, "ms", 50)
    row(f"decisions with {CLIENTS} clients (all)", rate, "/s")
    row("p99 under that load (the worst stretch)", max(late for _, late in stretches) * 1e3, "ms")
    grown = (asked.resident - before) / before
    row(f"memory grown over {REQUESTS} requests", grown * 100, "%", 5)


def _stretch(asked: Daemon, turn: int) -> tuple[float, float]:
    """Return how many decisions a second there were, and how long the slowest hundredth took."""
    count = REQUESTS // STRETCHES
    started = time.perf_counter()
    taken = sorted(crowd(asked, count, first=10 * WARM + turn * count))
    return count / (time.perf_counter() - started), taken[int(count * 0.99)]
