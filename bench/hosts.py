"""What a host costs beside the decision: its wire read, its reply written."""

import json
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from time import perf_counter

import msgspec

from bench.table import row, section
from snaphook.canon import AnyOutput, PreToolUse
from snaphook.hosts import HOSTS, Host, HostCall, host_named

WIRE = Path(__file__).parent.parent / "tests" / "wire"


def _sample(host: Host) -> tuple[HostCall, bytes, list[AnyOutput]]:
    """Return a recorded tool call of *host*, and the decisions recorded with it."""
    for file in sorted((WIRE / host.NAME).glob("*.json")):
        case = json.loads(file.read_text())
        call = HostCall(**case["call"])
        wire = json.dumps(case["samples"][0]["wire"]).encode()
        if isinstance(host.decode(wire, call), PreToolUse):
            outputs = [msgspec.convert(a["decision"], AnyOutput) for a in case["answers"]]
            return call, wire, outputs
    raise LookupError(f"no recorded tool call for {host.NAME}")


def _cost(host: Host) -> tuple[float, float]:
    call, wire, outputs = _sample(host)
    event = host.decode(wire, call)
    spoken = cycle(outputs)
    decoding = _least(lambda: host.decode(wire, call))
    encoding = _least(lambda: host.encode(event, next(spoken)))
    return decoding, encoding


def _least(run: Callable[[], object], *, calls: int = 100, rounds: int = 25) -> float:
    """Return the seconds of a call in the best round: a few µs drown in what else runs here."""
    times = []
    for _ in range(rounds):
        started = perf_counter()
        for _ in range(calls):
            run()
        times.append((perf_counter() - started) / calls)
    return min(times)


def main() -> None:
    section("hosts")
    for name in HOSTS:
        decoding, encoding = _cost(host_named(name))
        row(f"{name}: decode a tool call", decoding * 1e6, "µs", 50)
        row(f"{name}: encode a decision", encoding * 1e6, "µs", 50)
