"""How every benchmark prints: a name, what was measured, and the bound it is held against.

Times on a shared machine are noise; ratios within one run are not. A bench gives both where it can.
"""

import gc
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter

WIDTH = 58
missed: list[str] = []


def section(title: str) -> None:
    """Start a group of rows."""
    print(f"\n{title}\n{'─' * (WIDTH + 34)}")


def row(
    name: str, value: float, unit: str, bound: float | None = None, *, floor: bool = False
) -> None:
    """Print one measurement; *bound* is the most it may be, or the least where *floor* is set."""
    kept = bound is None or (value >= bound if floor else value <= bound)
    if not kept:
        missed.append(name)
    wanted = "" if bound is None else f"{'≥' if floor else '≤'} {bound:g} {unit}"
    mark = "" if bound is None else "ok" if kept else "MISSED"
    print(f"{name:<{WIDTH}} {value:>12.4g} {unit:<4} {wanted:>12} {mark}")


def per_call(run: Callable[[], object], *, calls: int, rounds: int = 7) -> float:
    """Return the median seconds one of *calls* takes, over *rounds*, without the collector."""
    run()
    times = []
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        started = perf_counter()
        for _ in range(calls):
            run()
        times.append((perf_counter() - started) / calls)
        gc.enable()
    return median(times)


def verdict() -> int:
    """Say what missed its bound, and return the exit status."""
    if missed:
        print(f"\n{len(missed)} missed: {'; '.join(missed)}", file=sys.stderr)
    return int(bool(missed))
